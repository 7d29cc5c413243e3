#!/usr/bin/env bash
# Times muniment examine, as a command from its start to its exit, over N passages in letters that nobody wrote: a brief of ten pages with
# forty quotations, and a book of 600 pages with 2,400. A quarter of the quotations has a word changed, a quarter names another letter.
# Wanted are 1 s after opening for the brief, and 30 s and 256 MB for the book.
#
# usage: internal/bench/examine.sh [N]    100000 if not given: three minutes
set -euo pipefail
cd "$(dirname "$0")/../.."
n=${1:-100000}
work=$(mktemp -d "${TMPDIR:-/tmp}/examine.XXXXXX")
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
# A letter of 2,720 bytes has about ten paragraphs.
letters=$(((n + 9) / 10))
go run ./internal/bench/letters -n "$letters" -bytes $((letters * 2720)) "$work/letters"
passages=$(find "$work/letters" -type f -print0 | xargs -0 cat | awk 'NF && !in_ { k++ } { in_ = NF > 0 } END { print k }')
export MUNIMENT_HOME="$work/keys" GIT_CONFIG_NOSYSTEM=1
m="$work/muniment -q -C $work/a"
"$work/muniment" key new >/dev/null 2>&1
"$work/muniment" init "$work/a" --subject 'A writer of letters' >/dev/null 2>&1
$m add "$work/letters" >/dev/null
$m snapshot -m all >/dev/null
$m index >/dev/null
echo "$letters letters, $passages passages"

# document QUOTATIONS WORDS: that many quotations, each of a sentence of a letter that is named by writer and day, with words of the writer's own between.
document() {
	find "$work/letters" -type f | sort | awk -v each="$((letters > $1 ? letters / $1 : 1))" -v most="$1" 'NR % each == 0 && n++ < most' | xargs awk '
		FNR == 1 { if (NR > 1) print by "\t" day "\t" text; day = $0; sub(/^[^,]*, /, "", day); text = ""; n = 0 }
		FNR > 5 { text = text " " $0 }
		NF { by = $0 }
		END { print by "\t" day "\t" text }' | awk -F '\t' -v words="$2" '{
		m = split($3, all, /\. /)
		for (i = 2; i < m && (length(all[i]) < 60 || all[i] ~ /"|  /); i++);
		k = split(all[i], w, " ")
		if (NR % 4 == 0) w[int(k / 2)] = "harbour"
		s = w[1]
		for (i = 2; i <= k; i++) s = s " " w[i]
		name = NR % 4 == 1 && NR > 1 ? last : $1 " in the letter of " $2
		printf "There is more of it. So wrote %s: “%s.”", name, s
		for (i = 0; i < words; i += 12) printf " It was the common opinion of the time and nobody doubted it."
		print "\n"
		last = $1 " in the letter of " $2
	}'
}

# time WHAT FILE: time from start to exit, processor time, most memory, and the verdicts.
time_of() {
	code=0
	command time -f '%e %U %S %M' -o "$work/time" $m examine --json "$2" >"$work/out" 2>"$work/err" || code=$?
	[ "$code" = 1 ] || [ "$code" = 3 ] || [ "$code" = 0 ] || { cat "$work/err" >&2; exit 1; }
	awk -v what="$1" '/^[0-9.]+ / { printf "%-44s %6.2f s, processor %6.2f s, %4.0f MB;", what, $1, $2 + $3, $4 / 1024 }' "$work/time"
	grep -o '"verdict": *"[a-z]*"' "$work/out" | sort | uniq -c | awk '{ gsub(/"verdict": *|"/, ""); printf " %s %d", $2, $1 } END { print "" }'
}

document 1 10 >"$work/one.md"
document 40 90 >"$work/brief.md"
document 80 90 >"$work/brief80.md"
document 2400 75 >"$work/book.md"
time_of 'one quotation, first: opens' "$work/one.md"
time_of 'one quotation' "$work/one.md"
time_of "brief, $(wc -w <"$work/brief.md") words" "$work/brief.md"
time_of "twice as many quotations" "$work/brief80.md"
time_of "book, $(wc -w <"$work/book.md") words" "$work/book.md"
