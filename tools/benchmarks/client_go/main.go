// An informer of client-go on every configmap of a server, for tools/benchmarks to measure from outside.
//
//	client_go typed|dynamic|protobuf list|stream --server URL | --kubeconfig FILE
//
// It prints "synced N" when its handler has seen the N objects of the initial list, and then, for each line of its
// standard input, "count N" as soon as the handler was called as often as the line says, all calls counted.
// It is what tools/benchmarks/informer_client.cc is for ours.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func configOf(flag, value, face string) (*rest.Config, error) {
	config := &rest.Config{Host: value}
	if flag == "--kubeconfig" {
		read, err := clientcmd.BuildConfigFromFlags("", value)
		if err != nil {
			return nil, err
		}
		config = read
	}
	config.QPS = -1
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
	if face == "protobuf" {
		config.ContentType = "application/vnd.kubernetes.protobuf"
		config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	}
	return config, nil
}

// The informer, and what starts it.
func informerOf(face string, config *rest.Config) (cache.SharedIndexInformer, func(<-chan struct{}), error) {
	if face == "dynamic" {
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return nil, nil, err
		}
		factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
		return factory.ForResource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Informer(), factory.Start, nil
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	return factory.Core().V1().ConfigMaps().Informer(), factory.Start, nil
}

func run(words []string) error {
	if len(words) != 4 || !strings.Contains(" typed dynamic protobuf ", " "+words[0]+" ") {
		return fmt.Errorf("usage: client_go typed|dynamic|protobuf list|stream --server URL | --kubeconfig FILE")
	}
	// Read when the first client is made.
	os.Setenv("KUBE_FEATURE_WatchListClient", strconv.FormatBool(words[1] == "stream"))
	config, err := configOf(words[2], words[3], words[0])
	if err != nil {
		return err
	}
	informer, start, err := informerOf(words[0], config)
	if err != nil {
		return err
	}
	var calls atomic.Int64
	handle, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { calls.Add(1) },
		UpdateFunc: func(any, any) { calls.Add(1) },
		DeleteFunc: func(any) { calls.Add(1) },
	})
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	start(stop)
	if !cache.WaitForCacheSync(stop, handle.HasSynced) {
		return fmt.Errorf("never synced")
	}
	fmt.Printf("synced %d\n", calls.Load())
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		wanted, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			return err
		}
		for calls.Load() < wanted {
			time.Sleep(2 * time.Millisecond)
		}
		fmt.Printf("count %d\n", calls.Load())
	}
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "client_go:", err)
		os.Exit(1)
	}
}
