#!/bin/sh
# Adds and verifies a large recording and prints MB/s and the largest resident
# memory of each; then inserts one byte into a recording of 1 GiB and prints how
# many chunks are new; then kills an add with signal 9 midway and prints what the
# next one takes over. Memory is to stay within 128 MB.
#
# usage: internal/bench/large.sh [BYTES [FOLDER]]    10 GiB, in $TMPDIR, if not given
# It needs twice BYTES of free disk, GNU time, and openssl for the noise.
set -eu
cd "$(dirname "$0")/../.."
bytes=${1:-10737418240}
place=${2:-${TMPDIR:-/tmp}}
small=1073741824
[ "$bytes" -lt "$small" ] && small=$bytes
for tool in openssl /usr/bin/time; do
	command -v "$tool" >/dev/null || { echo "missing: $tool"; exit 1; }
done
work=$(mktemp -d "$place/large.XXXXXX")
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
export MUNIMENT_HOME="$work/keys"

# noise SEED BYTES: bytes that no compression shrinks, the same for one seed.
noise() { openssl enc -aes-128-ctr -nosalt -pbkdf2 -pass "pass:$1" </dev/zero 2>/dev/null | head -c "$2"; }

# measured NAME BYTES COMMAND…: runs it, and prints speed and memory.
measured() {
	name=$1 size=$2
	shift 2
	code=0
	/usr/bin/time -f '%e %U %S %M' -o "$work/time" "$@" >"$work/out" 2>"$work/err" || code=$?
	awk -v name="$name" -v size="$size" -v code="$code" '$1 + 0 == $1 {
		printf "%-22s %8.1f MB/s  %6.1f s, cpu %6.1f s, %6.1f MB resident%s, exit %d\n",
			name, size / 1e6 / $1, $1, $2 + $3, $4 * 1024 / 1e6, ($4 * 1024 > 128e6 ? " (above 128)" : ""), code }' "$work/time"
}

chunks() { tr -d '\n ' <"$work/out" | grep -o '"chunks":{[^}]*}'; }

m="$work/muniment -C $work/a"
"$work/muniment" key new >/dev/null 2>&1 || true
"$work/muniment" init "$work/a" >/dev/null 2>&1
echo "$bytes bytes, $(go version | cut -d' ' -f3,4), $(nproc) cores"
noise long "$bytes" >"$work/long.raw"
measured "add" "$bytes" $m add "$work/long.raw" --json
chunks
measured "snapshot" "$bytes" $m snapshot -m large
ls -l "$work"/a/archive.git/objects/pack/*.pack | awk '{ n++; if ($5 > most) most = $5 } END { printf "%d packs, the largest %d bytes\n", n, most }'
rm "$work/long.raw"
measured "verify" "$bytes" $m verify
tail -n 1 "$work/out"
measured "cat" "$bytes" sh -c "$m cat long.raw >/dev/null"
rm -rf "$work/a"

"$work/muniment" init "$work/a" >/dev/null 2>&1
noise short "$small" >"$work/one.raw"
measured "add $small" "$small" $m add "$work/one.raw" --json
chunks
{ head -c "$((small / 2))" "$work/one.raw"; printf x; tail -c "+$((small / 2 + 1))" "$work/one.raw"; } >"$work/two.raw"
rm "$work/one.raw"
measured "one byte inserted" "$small" $m add "$work/two.raw" --json
chunks

rm -rf "$work/a"
"$work/muniment" init "$work/a" >/dev/null 2>&1
"$work/muniment" -C "$work/a" add "$work/two.raw" >/dev/null 2>&1 &
pid=$!
until [ "$(cat "$work"/a/archive.git/incoming/*.journal 2>/dev/null | wc -l)" -gt "$((small / 2 / 5000000))" ]; do
	kill -0 $pid 2>/dev/null || break
	sleep 0.02
done
kill -9 $pid 2>/dev/null || true
wait $pid 2>/dev/null || true
echo "killed after $(cat "$work"/a/archive.git/incoming/*.journal 2>/dev/null | grep -c '^[0-9a-f]\{40\} ' || true) chunks"
measured "add after the kill" "$small" $m add "$work/two.raw" --json
chunks
$m snapshot -m resumed >/dev/null 2>&1
$m cat two.raw | cmp - "$work/two.raw" && echo "the bytes are the same"
