// Prints the bytes of a message's struct, and per message of a data set the bytes and the allocations of decoding it.
//
// layout SET FILE reads a file of a data set and prints a line for each API.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	openbench "layout/open/bench_messages"
	opengoogle "layout/open/benchmark_message1_proto3"
	"layout/open/benchmarks"
	openshape "layout/open/gobshape"
	opaquebench "layout/opaque/bench_messages"
	opaquegoogle "layout/opaque/benchmark_message1_proto3"
	opaqueshape "layout/opaque/gobshape"
)

var sets = map[string][]proto.Message{
	"analytics_event":        {&openbench.AnalyticsEvent{}, &opaquebench.AnalyticsEvent{}},
	"google_message1_proto3": {&opengoogle.GoogleMessage1{}, &opaquegoogle.GoogleMessage1{}},
	"descriptor_set":         {&descriptorpb.FileDescriptorSet{}},
	"shape_big":              {&openshape.Big{}, &opaqueshape.Big{}},
}

func main() {
	bytes, err := os.ReadFile(os.Args[2])
	check(err)
	var set benchmarks.BenchmarkDataset
	check(proto.Unmarshal(bytes, &set))
	debug.SetGCPercent(-1)
	for index, message := range sets[os.Args[1]] {
		kind := reflect.TypeOf(message).Elem()
		decode := func() {
			for _, payload := range set.Payload {
				check(proto.Unmarshal(payload, reflect.New(kind).Interface().(proto.Message)))
			}
		}
		// The first time the library builds its tables.
		decode()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		decode()
		runtime.ReadMemStats(&after)
		count := float64(len(set.Payload))
		// The struct itself is on the heap, too.
		allocations := float64(after.Mallocs-before.Mallocs)/count - 1
		heap := float64(after.TotalAlloc-before.TotalAlloc)/count - float64(kind.Size())
		fmt.Println([]string{"Go", "Go opaque"}[index], ";", kind.Size(), heap, allocations)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
