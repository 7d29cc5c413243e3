#!/usr/bin/env bash
# Times muniment ask, as a command from its start to its exit, in an archive of N letters
# that nobody wrote: a question made of a name and words of each of 100 letters, from a
# requestor of its own. 150 ms at the median are wanted for 50,000 letters.
#
# usage: internal/bench/ask.sh [N]    50000 if not given: four minutes, 2 GB of TMPDIR
set -euo pipefail
cd "$(dirname "$0")/../.."
n=${1:-50000}
work=$(mktemp -d "${TMPDIR:-/tmp}/ask.XXXXXX")
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
go run ./internal/bench/letters -n "$n" -bytes $((n * 2720)) "$work/letters"
export MUNIMENT_HOME="$work/keys" GIT_CONFIG_NOSYSTEM=1 HOME="$work"
m="$work/muniment -q -C $work/a"
"$work/muniment" key new >/dev/null 2>&1
"$work/muniment" init "$work/a" --subject 'A writer of letters' >/dev/null 2>&1
$m add "$work/letters" >/dev/null
$m snapshot -m all >/dev/null
from=$EPOCHREALTIME
$m index >/dev/null
awk -v n="$n" -v from="$from" -v to="$EPOCHREALTIME" 'BEGIN { printf "%d letters, indexed in %.0f s\n", n, to - from }'

# A question for every so many letters: their longest words between the first and the last line.
find "$work/letters" -type f | sort | awk -v each=$((n / 100)) 'NR % each == 1' | head -n 100 | while read -r f; do
	tr -cs '[:alpha:]' '\n' <"$f" | awk 'length > 6 && !seen[$0]++' | head -n 4 | paste -sd ' '
done >"$work/words"
i=0
while read -r words; do
	i=$((i + 1))
	from=$EPOCHREALTIME
	code=0
	$m ask "What was written of $words?" --requestor "reader-$i" >"$work/out" 2>"$work/err" || code=$?
	to=$EPOCHREALTIME
	[ "$code" -lt 2 ] || [ "$code" = 3 ] || { cat "$work/err" >&2; exit 1; }
	awk -v from="$from" -v to="$to" -v first="$(head -n 1 "$work/out" | cut -d ' ' -f 1)" 'BEGIN { printf "%.0f %s\n", 1000 * (to - from), first }'
done <"$work/words" >"$work/times"
sort -n "$work/times" | awk '{ t[NR] = $1; kinds[$2]++ } END {
	printf "ask, %d questions: p50 %d ms, p95 %d ms, longest %d ms;", NR, t[int((NR + 1) / 2)], t[int(.95 * NR + .5)], t[NR]
	for (k in kinds) printf " %s %d", k, kinds[k]
	print ""
}'
