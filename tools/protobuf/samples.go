package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"

	apps "k8s.io/api/apps/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// What Go made of a body: the JSON of the object that it decoded, or the text of its error.
type sample struct {
	Name string          `json:"name"`
	Body []byte          `json:"body"`
	JSON json.RawMessage `json:"json,omitempty"`
	// Of bodies that are broken.
	Error string `json:"error,omitempty"`
}

var scheme = runtime.NewScheme()

func init() {
	for _, add := range []func(*runtime.Scheme) error{core.AddToScheme, apps.AddToScheme, coordination.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
}

func kindOf(object runtime.Object) schema.GroupVersionKind {
	if _, ok := object.(*meta.DeleteOptions); ok {
		return schema.GroupVersionKind{Version: "v1", Kind: "DeleteOptions"}
	}
	kinds, _, err := scheme.ObjectKinds(object)
	if err != nil {
		panic(err)
	}
	return kinds[0]
}

func encode(object runtime.Object) []byte {
	object.GetObjectKind().SetGroupVersionKind(kindOf(object))
	var body bytes.Buffer
	if err := protobuf.NewSerializer(scheme, scheme).Encode(object, &body); err != nil {
		panic(err)
	}
	return body.Bytes()
}

// A fresh object of the same kind, as the body has it.
func decode(body []byte, like runtime.Object) (json.RawMessage, error) {
	fresh := reflect.New(reflect.TypeOf(like).Elem()).Interface().(runtime.Object)
	got, _, err := protobuf.NewSerializer(scheme, scheme).Decode(body, nil, fresh)
	if err != nil {
		return nil, err
	}
	return json.Marshal(got)
}

func sampleOf(name string, object runtime.Object) sample {
	body := encode(object)
	text, err := decode(body, object)
	if err != nil {
		panic(err)
	}
	return sample{Name: name, Body: body, JSON: text}
}

func writeSamples(folder string, kinds []runtime.Object) error {
	for _, kind := range kinds {
		message := reflect.TypeOf(kind).Elem()
		fresh := func(values filler) runtime.Object {
			object := reflect.New(message)
			values.fill(object.Elem())
			return object.Interface().(runtime.Object)
		}
		samples := []sample{
			sampleOf("nothing", fresh(filler{})),
			sampleOf("every part, with nothing in it", fresh(filler{parts: true})),
			sampleOf("every field", fresh(filler{parts: true, values: true})),
		}
		if err := write(folder, message.Name(), samples); err != nil {
			return err
		}
	}
	written := []sample{}
	for _, object := range objects() {
		written = append(written, sampleOf(kindOf(object).Kind, object))
	}
	if err := write(folder, "written", written); err != nil {
		return err
	}
	return write(folder, "broken", broken())
}

// A sample a line.
func write(folder, name string, samples []sample) error {
	var text bytes.Buffer
	for i, one := range samples {
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		text.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
		text.Write(line)
	}
	text.WriteString("\n]\n")
	return os.WriteFile(filepath.Join(folder, name+".json"), text.Bytes(), 0o644)
}
