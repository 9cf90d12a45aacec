module pool

go 1.26.0

tool (
	github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto
	google.golang.org/protobuf/cmd/protoc-gen-go
)

require google.golang.org/protobuf v1.36.12

require github.com/planetscale/vtprotobuf v0.6.0 // indirect
