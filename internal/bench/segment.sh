#!/bin/sh
# Cutting a text into sentences, on one processor: megabytes a second of prose,
# and milliseconds for lines of a megabyte. Usage: internal/bench/segment.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/../.."
GOMAXPROCS=1 go test ./text/segment -run '^$' -bench '^Benchmark(Sentences|Line)$' -benchtime "${1:-10}x" |
	awk '/^Benchmark/ { sub(/^Benchmark/, "", $1); printf "%-20s %7.1f MB/s  %6.1f ms\n", $1, $5, $3 / 1e6; n++ } END { exit n != 5 }'
