// grpc-gateway in front of a gRPC server: `gateway HOST:PORT`. Its first line says where it listens.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"

	library "gateway/gen/library/v1"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: gateway HOST:PORT")
	}
	// The JSON of tobu: defaults are not written. What grpc-gateway writes otherwise is longer.
	mux := runtime.NewServeMux(runtime.WithMarshalerOption(runtime.MIMEWildcard, &runtime.HTTPBodyMarshaler{
		Marshaler: &runtime.JSONPb{MarshalOptions: protojson.MarshalOptions{EmitUnpopulated: false}},
	}))
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if err := library.RegisterLibraryHandlerFromEndpoint(context.Background(), mux, os.Args[1], options); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	log.Fatal(http.Serve(listener, mux))
}
