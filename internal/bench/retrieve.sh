#!/bin/sh
# Retrieval at a million passages, or the number given: seconds to build, milliseconds to grow
# by one letter, to open, and to answer a thousand questions. Usage: internal/bench/retrieve.sh [PASSAGES]
set -eu
cd "$(dirname "$0")/../.."
n=${1:-1000000}
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/passages" ./internal/bench/passages
command -v /usr/bin/time >/dev/null || { apt-get install -y -qq time >/dev/null; }
/usr/bin/time -f 'processor %U s, most memory %M KB' "$bin/passages" -n "$n"
