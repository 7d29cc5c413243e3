#!/bin/sh
# Speed of verification: in process, as a cold command, and the memory of the
# command on the largest inputs. cpu is user and system time, so that a busy
# machine does not count. Needs GNU time as /usr/bin/time.
cd "$(dirname "$0")/../.." || exit 6
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
echo "in process: 256 leaves, three signers, log proof, three cosignatures (at most 1.5 ms)"
MUNIMENT_BENCH_BUNDLE="$dir" go test ./bundle -run '^$' -bench '^BenchmarkVerify$' -benchtime 500x -cpu 1 | grep ns/op || exit 1
CGO_ENABLED=0 go build -o "$dir/muniment-verify" ./cmd/muniment-verify || exit 6
cat > "$dir/cold.sh" <<'END'
i=0
while [ $i -lt 100 ]; do
	"$1/muniment-verify" --trust "$1/root.txt" "$1/256.zip" >/dev/null || exit 1
	i=$((i + 1))
done
END
/usr/bin/time -f '%e %U %S %M' -o "$dir/time" sh "$dir/cold.sh" "$dir" || { echo "the command does not say VALID"; exit 1; }
awk '{ printf "cold command, mean of 100: wall %.1f ms, cpu %.1f ms (at most 20 ms)\n", $1*10, ($2+$3)*10 }' "$dir/time"
echo "memory (at most 32 MB)"
mkdir "$dir/4096" && (cd "$dir/4096" && unzip -q ../4096.zip)
most=0
for f in 256.zip 4096.zip 4096 text.zip lists.zip again.zip words.zip page.html words.html sealed.zip leaves.zip nothing.zip deep.zip; do
	for form in "" --json; do
		/usr/bin/time -f '%e %U %S %M' -o "$dir/time" "$dir/muniment-verify" $form --trust "$dir/allowed" "$dir/$f" >"$dir/out" 2>&1
		verdict=$(grep -aowE 'VALID|INVALID|INCOMPLETE' "$dir/out" | tail -n 1)
		tail -n 1 "$dir/time" | awk -v n="$f $form" -v v="$verdict" '{ printf "%-20s %-8s wall %4.0f ms, cpu %4.0f ms, %5.1f MB\n", n, v, $1*1000, ($2+$3)*1000, $4*1024/1e6 }'
		now=$(tail -n 1 "$dir/time" | awk '{ print $4 }')
		[ "$now" -gt "$most" ] && most=$now
	done
done
awk -v m="$most" 'BEGIN { printf "most: %.1f MB\n", m*1024/1e6 }'
