// vanguard-go in front of a gRPC server: `vanguard HOST:PORT`. Its first line says where it listens.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"

	"connectrpc.com/vanguard"

	library "gateway/gen/library/v1"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: vanguard HOST:PORT")
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: os.Args[1]})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	proxy.Transport = &http.Transport{Protocols: protocols}
	service := vanguard.NewService(library.Library_ServiceDesc.ServiceName, proxy,
		vanguard.WithTargetProtocols(vanguard.ProtocolGRPC), vanguard.WithTargetCodecs(vanguard.CodecProto))
	// The JSON of tobu: defaults are not written.
	json := vanguard.WithCodec(func(types vanguard.TypeResolver) vanguard.Codec {
		codec := vanguard.NewJSONCodec(types)
		codec.MarshalOptions.EmitUnpopulated = false
		return codec
	})
	transcoder, err := vanguard.NewTranscoder([]*vanguard.Service{service}, json)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	log.Fatal(http.Serve(listener, transcoder))
}
