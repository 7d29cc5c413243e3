#!/bin/sh
# Speed of verification: in process (user and system time, so that a busy
# machine does not count), as a cold command, and the memory of the command on
# large input. Needs GNU time as /usr/bin/time.
cd "$(dirname "$0")/.." || exit 6
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
echo "in process, 256 leaves, three signers (the sum of read and verify counts):"
MUNIMENT_BENCH_BUNDLE="$dir" go test ./bundle -run '^$' -bench '^BenchmarkVerify$' -benchtime 300x -cpu 1 | grep ns/op
CGO_ENABLED=0 go build -o "$dir/muniment-verify" ./cmd/muniment-verify || exit 6
measure() { # name, arguments
	name=$1
	shift
	/usr/bin/time -f '%e %U %S %M' -o "$dir/time" "$dir/muniment-verify" "$@" >/dev/null 2>&1
	tail -n 1 "$dir/time" | awk -v n="$name" '{ printf "%-28s wall %4.0f ms, cpu %4.0f ms, %6.1f MB RSS\n", n, $1*1000, ($2+$3)*1000, $4/1024 }'
}
for i in 1 2 3; do measure "cold, 256 leaves" "$dir/256.zip"; done
measure "zip of 64 MiB, sealed" "$dir/sealed.zip"
measure "zip of 64 MiB, large leaves" "$dir/leaves.zip"
measure "64 MiB of nothing" "$dir/nothing.zip"
measure "deep JSON" "$dir/deep.zip"
