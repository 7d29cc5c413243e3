#!/bin/sh
# Prints how fast canonical forms are made, in MB/s on one core: from a file's
# bytes to its artifact ID, its paragraphs and lines, and the roots over both.
# Plain text from bytes to ID and paragraphs, without the roots, is to reach
# 100 MB/s. Then the time to take in a whole diary as text and as web pages, if
# ../shared/data/pepys lies beside the checkout.
#
# usage: bench/canon.sh [TIME]    TIME is that of each benchmark, 1s if not given
set -eu
cd "$(dirname "$0")/.."
time=${1:-1s}

echo "one core, $(go version | cut -d' ' -f3,4), $time for each"
GOMAXPROCS=1 go test -run '^$' -bench . -benchtime "$time" ./canon/formstest |
	awk '/^Benchmark/ {
		for (i = 3; i < NF; i++) if ($(i + 1) == "MB/s") speed = $i
		name = $1
		sub(/^Benchmark/, "", name)
		note = ""
		if (name ~ /^TextToUnits/) note = speed >= 100 ? "  (100 or more: yes)" : "  (100 or more: no)"
		printf "%-34s %8.1f MB/s%s\n", name, speed, note
	}
	/SKIP|skipped|FAIL|panic/ { print }'

diary=$(dirname "$PWD")/shared/data/pepys
if [ ! -d "$diary" ]; then
	echo "skipped: the diary is missing: no folder ../shared/data/pepys beside the checkout"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
export MUNIMENT_HOME="$work/keys"

# add NAME PATH…: the time to take in the paths, into an archive of their own.
add() {
	name=$1
	shift
	"$work/muniment" init "$work/$name" --subject 'A diarist' >/dev/null 2>&1
	bytes=$(find "$@" -type f -exec cat {} + | wc -c)
	files=$(find "$@" -type f | wc -l)
	begin=$(date +%s%N)
	code=0
	"$work/muniment" -C "$work/$name" add "$@" >/dev/null 2>"$work/err" || code=$?
	end=$(date +%s%N)
	awk -v ns=$((end - begin)) -v bytes="$bytes" -v files="$files" -v name="$name" -v code="$code" \
		'BEGIN { printf "add the diary as %-5s %6d files, %5.1f MB in %5.2f s, %5.1f MB/s, exit %d: ", name, files, bytes / 1e6, ns / 1e9, bytes / 1e6 / (ns / 1e9), code }'
	grep '^added' "$work/err"
}

add text "$diary"/1*
add html "$diary/html"
