#!/bin/sh
# Runs every native fuzz target of the verification core, each for the time
# given: bench/fuzz.sh [20s]. The last line counts targets, failures and hours.
cd "$(dirname "$0")/.." || exit 6
each=${1:-20s}
targets=0 failed=0 begun=$(date +%s)
for pkg in $(go list ./cid ./jcs ./merkle ./objects ./canon ./record ./sign ./trust ./cite ./cite/locator ./snapshot ./bundle); do
	for target in $(go test "$pkg" -list '^Fuzz' | grep '^Fuzz'); do
		targets=$((targets + 1))
		if out=$(go test "$pkg" -run '^$' -fuzz "^$target\$" -fuzztime "$each" -parallel 2 2>&1); then
			printf 'ok    %-12s %-26s %s\n' "${pkg#muniment/}" "$target" "$(printf '%s\n' "$out" | grep -o 'execs: [0-9]*' | tail -n 1)"
		else
			failed=$((failed + 1))
			printf 'FAIL  %-12s %-26s\n%s\n' "${pkg#muniment/}" "$target" "$out"
		fi
	done
done
awk -v n="$targets" -v f="$failed" -v s=$(($(date +%s) - begun)) 'BEGIN { printf "%d fuzz targets, %d failed, %.2f hours\n", n, f, s / 3600 }'
[ "$failed" = 0 ]
