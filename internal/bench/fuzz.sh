#!/bin/sh
# Runs every native fuzz target of the verification core, or of the packages
# given, each for the time given: internal/bench/fuzz.sh [20s [PACKAGE...]]. The last line
# counts targets, failures, executions and hours. Inputs that are new are made
# smaller by at most 50 trials: by default go test spends up to a minute on each,
# which for seeds of some kilobytes takes all the time there is.
cd "$(dirname "$0")/../.." || exit 6
each=${1:-20s}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ./cid ./cid/jcs ./cid/merkle ./objects ./objects/pack ./objects/flate ./canon ./snapshot/record ./sign ./sign/trust ./cite ./cite/locator ./snapshot ./bundle
execs=0 targets=0 failed=0 begun=$(date +%s)
for pkg in $(go list "$@"); do
	for target in $(go test "$pkg" -list '^Fuzz' | grep '^Fuzz'); do
		targets=$((targets + 1))
		if out=$(go test "$pkg" -run '^$' -fuzz "^$target\$" -fuzztime "$each" -fuzzminimizetime 50x -parallel 2 2>&1); then
			n=$(printf '%s\n' "$out" | grep -o 'execs: [0-9]*' | tail -n 1)
			done=${n#execs: }
			execs=$((execs + ${done:-0})) # none when the time went into the seeds
			printf 'ok    %-12s %-26s %s\n' "${pkg#muniment/}" "$target" "$n"
		else
			failed=$((failed + 1))
			printf 'FAIL  %-12s %-26s\n%s\n' "${pkg#muniment/}" "$target" "$out"
		fi
	done
done
awk -v n="$targets" -v f="$failed" -v e="$execs" -v s=$(($(date +%s) - begun)) 'BEGIN { printf "%d fuzz targets, %d failed, %d executions, %.2f hours\n", n, f, e, s / 3600 }'
[ "$failed" = 0 ]
