#!/bin/sh
# Finding a quote: an exact one at the end of 5 MB, and one of 200 code points in
# 10 million with other white space, with a twentieth or a fifth of it changed,
# in an alphabet of two bytes a letter, and nowhere. Prints milliseconds each,
# on one processor. Usage: internal/bench/quote.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/../.."
GOMAXPROCS=1 go test ./cite -run '^$' -bench '^BenchmarkFind$' -benchtime "${1:-10}x" |
	awk '/^BenchmarkFind/ { sub(/^BenchmarkFind\//, "", $1); printf "%-28s %7.1f ms\n", $1, $3 / 1e6; n++ } END { exit n != 6 }'
