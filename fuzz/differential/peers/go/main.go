// Answers for Go's protobuf; the frames are described in src/exchange.rs.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

const (
	wire = iota
	json
	text
)

type schema struct {
	types    *dynamicpb.Types
	messages []protoreflect.MessageType
}

func load(frame []byte) (*schema, error) {
	count, rest := binary.LittleEndian.Uint32(frame[1:]), frame[5:]
	var names []protoreflect.FullName
	for range count {
		size := binary.LittleEndian.Uint32(rest)
		names = append(names, protoreflect.FullName(rest[4:4+size]))
		rest = rest[4+size:]
	}
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(rest, set); err != nil {
		return nil, err
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, err
	}
	loaded := &schema{types: dynamicpb.NewTypes(files)}
	for _, name := range names {
		message, err := loaded.types.FindMessageByName(name)
		if err != nil {
			return nil, err
		}
		loaded.messages = append(loaded.messages, message)
	}
	return loaded, nil
}

func (s *schema) read(kind, form byte, data []byte) (message proto.Message, err error) {
	message = s.messages[kind].New().Interface()
	switch form {
	case wire:
		err = proto.UnmarshalOptions{Resolver: s.types}.Unmarshal(data, message)
	case json:
		err = protojson.UnmarshalOptions{Resolver: s.types}.Unmarshal(data, message)
	case text:
		err = prototext.UnmarshalOptions{Resolver: s.types}.Unmarshal(data, message)
	}
	return message, err
}

func (s *schema) write(message proto.Message, form byte) ([]byte, error) {
	switch form {
	case json:
		return protojson.MarshalOptions{Resolver: s.types}.Marshal(message)
	case text:
		return prototext.MarshalOptions{Resolver: s.types}.Marshal(message)
	}
	return nil, nil
}

// outcome appends what came of a call.
func outcome(out []byte, call func() ([]byte, error)) (_ []byte, ok bool) {
	data, err := func() (data []byte, err error) {
		defer func() {
			if panicked := recover(); panicked != nil {
				err = fmt.Errorf("panic: %v", panicked)
			}
		}()
		return call()
	}()
	status := byte(1)
	if err != nil {
		status, data = 0, []byte(err.Error())
	}
	out = append(out, status)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
	return append(out, data...), err == nil
}

func (s *schema) answers(frame []byte) (out []byte) {
	for rest := frame[1:]; len(rest) > 0; {
		kind, reads, writes := rest[0], rest[1], rest[2]
		size := binary.LittleEndian.Uint32(rest[3:])
		data := rest[7 : 7+size]
		rest = rest[7+size:]
		var message proto.Message
		var ok bool
		out, ok = outcome(out, func() (bytes []byte, err error) {
			if message, err = s.read(kind, reads, data); err != nil {
				return nil, err
			}
			return proto.MarshalOptions{Deterministic: true}.Marshal(message)
		})
		if ok {
			out, _ = outcome(out, func() ([]byte, error) { return s.write(message, writes) })
		}
	}
	return out
}

func main() {
	input, output := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	var current *schema
	for {
		var size uint32
		if binary.Read(input, binary.LittleEndian, &size) != nil {
			return
		}
		frame := make([]byte, size)
		if _, err := io.ReadFull(input, frame); err != nil {
			return
		}
		var answer []byte
		if frame[0] == 0 {
			loaded, err := load(frame)
			if err != nil {
				answer = []byte(err.Error())
			}
			current = loaded
		} else {
			answer = current.answers(frame)
		}
		binary.Write(output, binary.LittleEndian, uint32(len(answer)))
		output.Write(answer)
		output.Flush()
	}
}
