#!/usr/bin/env bash
# Builds the servers and who asks them, lets them race, and prints tables; arguments go to `race`, see there.
# grpc-gateway and vanguard-go take part where there is a Go toolchain; their code is generated into the target directory.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/target}
export CARGO_TARGET_DIR=$target
go=$target/go

cargo build --release --locked
arguments=()
if command -v go >/dev/null; then
  mkdir -p "$go/bin" "$go/gen" "$go/vanguard"
  cp go/main.go go/go.mod go/go.sum "$go/"
  cp go/vanguard/main.go "$go/vanguard/"
  (cd "$go" && go build -o bin/ tool)
  google=google.golang.org/genproto/googleapis/api/annotations
  packages=Mlibrary/v1/library.proto=gateway/gen/library/v1
  for file in annotations http; do packages+=,Mgoogle/api/$file.proto=$google; done
  for plugin in go go-grpc grpc-gateway; do
    "$target/release/plugin" "$go/bin/protoc-gen-$plugin" "paths=source_relative,$packages" "$go/gen"
  done
  (cd "$go" && go build -o bin/gateway . && go build -o bin/vanguard ./vanguard)
  arguments+=(--grpc-gateway "$go/bin/gateway" --vanguard "$go/bin/vanguard")
else
  echo "grpc-gateway and vanguard-go do not take part: there is no Go toolchain" >&2
fi
# The servers share one processor and the client has another: so it is the servers that are measured.
if command -v taskset >/dev/null && [ "$(nproc)" -ge 2 ]; then
  exec taskset -c 0 "$target/release/race" "${arguments[@]}" --servers-on 1 "$@"
fi
exec "$target/release/race" "${arguments[@]}" "$@"
