// Encodes and decodes one message as often as it is asked to, by google.golang.org/protobuf and by vtprotobuf.
//
// pool MESSAGE PAYLOAD reads requests, `WAY COUNT`, a line each, and answers with nanoseconds of processor time. That of
// the garbage collector, which runs on other threads, is in it.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"google.golang.org/protobuf/proto"

	"pool/messages"
)

type vtMessage interface {
	proto.Message
	SizeVT() int
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
	ReturnToVTPool()
}

func main() {
	payload, err := os.ReadFile(os.Args[2])
	check(err)
	var made, pooled func() vtMessage
	switch os.Args[1] {
	case "Batch":
		made = func() vtMessage { return &messages.Batch{} }
		pooled = func() vtMessage { return messages.BatchFromVTPool() }
	case "Result":
		made = func() vtMessage { return &messages.Result{} }
		pooled = func() vtMessage { return messages.ResultFromVTPool() }
	default:
		check(fmt.Errorf("there is no message %s", os.Args[1]))
	}
	message := made()
	check(proto.Unmarshal(payload, message))
	ways := ways(payload, message, made, pooled)
	// Two messages in turn, so that the second is one that was used.
	for range 2 {
		again := pooled()
		check(again.UnmarshalVT(payload))
		if !proto.Equal(again, message) {
			check(fmt.Errorf("the pool gives another message"))
		}
		again.ReturnToVTPool()
	}
	encoded, err := message.MarshalVT()
	check(err)
	if !bytes.Equal(encoded, payload) {
		check(fmt.Errorf("other bytes are written"))
	}

	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		var name string
		var count int
		_, err := fmt.Sscan(input.Text(), &name, &count)
		check(err)
		way := ways[name]
		if way == nil {
			check(fmt.Errorf("there is no way %s", name))
		}
		runtime.GC()
		start := processorTime()
		for range count {
			way()
		}
		fmt.Println(processorTime() - start)
	}
	check(input.Err())
}

func ways(payload []byte, message vtMessage, made, pooled func() vtMessage) map[string]func() {
	buffer := make([]byte, message.SizeVT())
	return map[string]func(){
		"marshal":    func() { must(proto.Marshal(message)) },
		"unmarshal":  func() { check(proto.Unmarshal(payload, made())) },
		"marshal-vt": func() { must(message.MarshalVT()) },
		"marshal-vt-buffer": func() {
			must(message.MarshalToSizedBufferVT(buffer[:message.SizeVT()]))
		},
		"unmarshal-vt": func() { check(made().UnmarshalVT(payload)) },
		"unmarshal-vt-pool": func() {
			message := pooled()
			check(message.UnmarshalVT(payload))
			message.ReturnToVTPool()
		},
	}
}

func processorTime() int64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func must[T any](_ T, err error) { check(err) }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
