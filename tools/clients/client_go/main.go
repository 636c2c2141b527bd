// A dynamic informer of client-go that speaks the client protocol, for museum_client_go.py: what client-go itself makes of
// a case of the museum.
//
//	client_go [--list] [--limit N] [--agent NAME] RESOURCE[.VERSION.GROUP] [NAMESPACE]       with $KUBECONFIG
//
// --list: with the feature gate WatchListClient off. --limit: lists come in pages of N, as where a page size is set.
// It leaves when its standard input ends.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var (
	start  = time.Now()
	output sync.Mutex
)

func say(line map[string]any) {
	output.Lock()
	defer output.Unlock()
	line["t"] = time.Since(start).Milliseconds()
	text, err := json.Marshal(line)
	if err == nil {
		fmt.Println(string(text))
	}
}

func tell(word string, object any, tombstone bool) {
	if unknown, is := object.(cache.DeletedFinalStateUnknown); is {
		tell(word, unknown.Obj, true)
		return
	}
	meta, is := object.(metav1.Object)
	if !is {
		return
	}
	line := map[string]any{"type": word, "namespace": meta.GetNamespace(), "name": meta.GetName(), "uid": string(meta.GetUID()),
		"resourceVersion": meta.GetResourceVersion()}
	if tombstone {
		line["tombstone"] = true
	}
	say(line)
}

func run() error {
	list := flag.Bool("list", false, "no streaming lists")
	limit := flag.Int64("limit", 0, "objects of a page")
	agent := flag.String("agent", "client", "User-Agent, by which scenarios know their clients")
	flag.Parse()
	os.Setenv("KUBE_FEATURE_WatchListClient", strconv.FormatBool(!*list))
	resource, _ := schema.ParseResourceArg(flag.Arg(0))
	if resource == nil {
		resource = &schema.GroupVersionResource{Version: "v1", Resource: flag.Arg(0)}
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	config.UserAgent = *agent
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	tweak := func(options *metav1.ListOptions) {
		if *limit > 0 && !options.AllowWatchBookmarks { // a list: watches ask for bookmarks
			options.Limit = *limit
		}
	}
	informer := dynamicinformer.NewFilteredDynamicInformer(client, *resource, flag.Arg(1), 0, cache.Indexers{}, tweak).Informer()
	handle, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("added", object, false) },
		UpdateFunc: func(_, object any) { tell("modified", object, false) },
		DeleteFunc: func(object any) { tell("deleted", object, false) },
	})
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	go informer.Run(stop)
	go func() {
		if cache.WaitForCacheSync(stop, handle.HasSynced) {
			say(map[string]any{"type": "synced"})
		}
	}()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "client_go:", err)
		os.Exit(1)
	}
}
