// What fakeapi's protobuf decoder is made of, and what it is tested with, both taken from Kubernetes' own Go types.
// For a new Kubernetes version: change go.mod, `go mod tidy`, then both lines, here in this folder:
//
//	go run . table > ../../fakeapi/encoding/protobuf_fields.inc
//	go run . samples ../../fakeapi/testdata/protobuf
package main

import (
	"fmt"
	"os"

	apps "k8s.io/api/apps/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The kinds that fakeapi serves, and the one body that is none of them.
func kinds() []runtime.Object {
	return []runtime.Object{
		&core.ConfigMap{}, &meta.DeleteOptions{}, &apps.Deployment{}, &core.Event{}, &coordination.Lease{},
		&core.Namespace{}, &core.Node{}, &core.Pod{}, &core.Secret{}, &core.Service{},
	}
}

func run(arguments []string) error {
	switch {
	case len(arguments) == 1 && arguments[0] == "table":
		return writeTable(os.Stdout, kinds())
	case len(arguments) == 2 && arguments[0] == "samples":
		return writeSamples(arguments[1], kinds())
	}
	return fmt.Errorf("usage: go run . table | samples FOLDER")
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
