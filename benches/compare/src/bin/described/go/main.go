// encoding/gob on the messages of a file of JSON, one a line: what a stream of them takes.
package main

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"time"
)

func main() {
	repeat, err := strconv.Atoi(os.Args[3])
	check(err)
	switch os.Args[1] {
	case "Tiny":
		run[Tiny](os.Args[2], repeat)
	case "Medium":
		run[Medium](os.Args[2], repeat)
	case "Big":
		run[Big](os.Args[2], repeat)
	case "Huge":
		run[Huge](os.Args[2], repeat)
	case "MapHeavy":
		run[MapHeavy](os.Args[2], repeat)
	}
}

// Prints the bytes of the stream, and the least nanoseconds that it took to write and to read it.
func run[T any](path string, repeat int) {
	file, err := os.Open(path)
	check(err)
	var messages []*T
	lines := bufio.NewReaderSize(file, 1<<20)
	for decoder := json.NewDecoder(lines); decoder.More(); {
		message := new(T)
		check(decoder.Decode(message))
		messages = append(messages, message)
	}
	var stream bytes.Buffer
	var wrote, read time.Duration = 1 << 62, 1 << 62
	start := time.Now()
	for turn := 0; turn < 30 && (turn < 3 || time.Since(start) < 3*time.Second); turn++ {
		stream.Reset()
		began := time.Now()
		encoder := gob.NewEncoder(&stream)
		for range repeat {
			for _, message := range messages {
				check(encoder.Encode(message))
			}
		}
		wrote = min(wrote, time.Since(began))
		began = time.Now()
		decoder := gob.NewDecoder(bytes.NewReader(stream.Bytes()))
		var last *T
		for range repeat * len(messages) {
			last = new(T)
			check(decoder.Decode(last))
		}
		read = min(read, time.Since(began))
		if !reflect.DeepEqual(last, messages[len(messages)-1]) {
			panic("another message is read")
		}
	}
	fmt.Println(stream.Len(), wrote.Nanoseconds(), read.Nanoseconds())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
