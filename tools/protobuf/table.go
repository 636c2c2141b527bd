package main

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Types whose JSON is not that of a struct: protobuf_values.cc knows them.
var values = map[reflect.Type]string{
	reflect.TypeFor[meta.Time]():          "kTime",
	reflect.TypeFor[meta.MicroTime]():     "kMicroTime",
	reflect.TypeFor[resource.Quantity]():  "kQuantity",
	reflect.TypeFor[intstr.IntOrString](): "kIntOrString",
	reflect.TypeFor[meta.FieldsV1]():      "kFieldsV1",
}

var scalars = map[reflect.Kind]string{
	reflect.String: "kString", reflect.Bool: "kBool", reflect.Int32: "kInt32", reflect.Int64: "kInt64",
}

// A message comes after those that it contains: a table of this form can't be recursive.
type table struct {
	out     io.Writer
	written map[string]reflect.Type
}

func writeTable(out io.Writer, kinds []runtime.Object) error {
	fmt.Fprintf(out, "// Written by tools/protobuf from Kubernetes' Go types: not to be changed by hand.\n")
	t := table{out, map[string]reflect.Type{}}
	names := []string{}
	for _, kind := range kinds {
		name, err := t.message(reflect.TypeOf(kind).Elem())
		if err != nil {
			return err
		}
		names = append(names, "    &k"+name+",")
	}
	fmt.Fprintf(out, "\nconstexpr const ProtobufMessage* kKinds[] = {\n%s\n};\n", strings.Join(names, "\n"))
	return nil
}

func (t *table) message(message reflect.Type) (string, error) {
	name := message.Name()
	if before, ok := t.written[name]; ok {
		if before != message {
			return "", fmt.Errorf("%v and %v have one name", before, message)
		}
		return name, nil
	}
	rows := []string{}
	for i := range message.NumField() {
		row, err := t.field(message.Field(i))
		if err != nil {
			return "", fmt.Errorf("%v.%s: %w", message, message.Field(i).Name, err)
		}
		if row != "" {
			rows = append(rows, "    "+inTwoLines(row)+",\n")
		}
	}
	t.written[name] = message
	if len(rows) == 0 {
		fmt.Fprintf(t.out, "\nconstexpr ProtobufMessage k%s{\"%s\", {}};\n", name, name)
		return name, nil
	}
	fmt.Fprintf(t.out, "\nconstexpr ProtobufField k%sFields[] = {\n%s};\n", name, strings.Join(rows, ""))
	fmt.Fprintf(t.out, "constexpr ProtobufMessage k%s{\n    \"%s\", k%sFields};\n", name, name, name)
	return name, nil
}

// {number, "json", type, flags, message, "Go's name where it is not the JSON one's"}
func (t *table) field(field reflect.StructField) (string, error) {
	tag := field.Tag.Get("protobuf")
	if tag == "" && field.Type == reflect.TypeFor[meta.TypeMeta]() {
		return "", nil // the envelope has it
	}
	parts := strings.Split(tag, ",")
	if len(parts) < 2 {
		return "", fmt.Errorf("no protobuf tag")
	}
	json := strings.Split(field.Tag.Get("json"), ",")
	flags := []string{}
	if field.Anonymous && json[0] == "" {
		flags = append(flags, "kInline")
	} else if json[0] == "" || json[0] == "-" {
		return "", fmt.Errorf("no JSON name")
	}
	if slices.Contains(json[1:], "omitempty") {
		flags = append(flags, "kOmitEmpty")
	}
	if slices.Contains(json[1:], "omitzero") {
		flags = append(flags, "kOmitZero")
	}
	kind, message, err := t.typeOf(field.Type, &flags)
	if err != nil {
		return "", err
	}
	cells := []string{parts[1], `"` + json[0] + `"`, kind, orElse(strings.Join(flags, " | "), "0")}
	goName := ""
	if json[0] == "" || strings.ToUpper(json[0][:1])+json[0][1:] != field.Name {
		goName = `"` + field.Name + `"`
	}
	if message != "" || goName != "" {
		cells = append(cells, orElse(message, "nullptr"))
	}
	if goName != "" {
		cells = append(cells, goName)
	}
	if len(cells) == 4 && cells[3] == "0" {
		cells = cells[:3]
	}
	return "{" + strings.Join(cells, ", ") + "}", nil
}

func (t *table) typeOf(field reflect.Type, flags *[]string) (kind, message string, err error) {
	switch {
	case field.Kind() == reflect.Pointer:
		*flags = append(*flags, "kPointer")
		field = field.Elem()
	case field.Kind() == reflect.Slice && field.Elem().Kind() != reflect.Uint8:
		*flags = append(*flags, "kList")
		field = field.Elem()
	case field.Kind() == reflect.Map && field.Key().Kind() == reflect.String:
		*flags = append(*flags, "kMap")
		field = field.Elem()
	}
	if value, ok := values[field]; ok {
		return value, "", nil
	}
	if scalar, ok := scalars[field.Kind()]; ok {
		return scalar, "", nil
	}
	if field.Kind() == reflect.Slice && field.Elem().Kind() == reflect.Uint8 {
		return "kBytes", "", nil
	}
	if field.Kind() != reflect.Struct {
		return "", "", fmt.Errorf("a type that the decoder does not know: %v", field)
	}
	name, err := t.message(field)
	return "kMessage", "&k" + name, err
}

// In two lines where one would be over 100 columns.
func inTwoLines(row string) string {
	if at := strings.Index(row, ", &k"); len(row) > 95 && at > 0 {
		return row[:at+1] + "\n     " + row[at+2:]
	}
	return row
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
