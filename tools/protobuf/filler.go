package main

import (
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Fills a struct by its type: each value differs from its neighbours, and is the same in every run.
type filler struct {
	parts  bool // pointers, lists and maps have something in them
	values bool // which is not zero
	count  int
}

func (f *filler) fill(place reflect.Value) {
	if f.values && f.fillValue(place) {
		return
	}
	switch place.Kind() {
	case reflect.Struct:
		if _, ok := values[place.Type()]; ok || place.Type() == reflect.TypeFor[meta.TypeMeta]() {
			return
		}
		for i := range place.NumField() {
			f.fill(place.Field(i))
		}
	case reflect.Pointer:
		if f.parts {
			place.Set(reflect.New(place.Type().Elem()))
			f.fill(place.Elem())
		}
	case reflect.Slice:
		if f.parts && place.Type().Elem().Kind() != reflect.Uint8 {
			length := map[bool]int{true: 1, false: 2}[place.Type().Elem().Kind() == reflect.Struct]
			place.Set(reflect.MakeSlice(place.Type(), length, length))
			for i := range length {
				f.fill(place.Index(i))
			}
		}
	case reflect.Map:
		if f.parts {
			f.fillMap(place)
		}
	default:
		if f.values {
			f.fillScalar(place)
		}
	}
}

func (f *filler) next() int {
	f.count++
	return f.count
}

func (f *filler) fillMap(place reflect.Value) {
	place.Set(reflect.MakeMap(place.Type()))
	for _, name := range []string{"z", "a"} {
		key := reflect.New(place.Type().Key()).Elem()
		key.SetString(fmt.Sprintf("%s%d", name, f.next()))
		element := reflect.New(place.Type().Elem()).Elem()
		f.fill(element)
		place.SetMapIndex(key, element)
	}
}

func (f *filler) fillScalar(place reflect.Value) {
	switch place.Kind() {
	case reflect.String:
		place.SetString(fmt.Sprintf("text %d <ä€>", f.next()))
	case reflect.Bool:
		place.SetBool(true)
	case reflect.Int32, reflect.Int64:
		place.SetInt(int64(f.next()) * []int64{1, -1}[f.count%2])
	default:
		panic(fmt.Sprint("a kind that the filler does not know: ", place.Type()))
	}
}

func (f *filler) fillValue(place reflect.Value) bool {
	var value any
	when := time.Date(2026, 2, 28, 23, 59, 58, 123456789, time.UTC)
	switch place.Interface().(type) {
	case meta.Time:
		value = meta.Time{Time: when.Add(time.Duration(f.next()) * time.Hour)}
	case meta.MicroTime:
		value = meta.MicroTime{Time: when.Add(time.Duration(f.next()) * time.Millisecond)}
	case resource.Quantity:
		value = resource.MustParse([]string{"100m", "1Gi", "7", "1500k", "0", "-3"}[f.next()%6])
	case intstr.IntOrString:
		value = []intstr.IntOrString{intstr.FromInt32(8080), intstr.FromString("25%")}[f.next()%2]
	case meta.FieldsV1:
		value = meta.FieldsV1{Raw: []byte(`{"f:data":{".":{},"f:colour":{}}}`)}
	case []byte:
		value = []byte{0, 255, byte(f.next())}
	default:
		return false
	}
	place.Set(reflect.ValueOf(value))
	return true
}
