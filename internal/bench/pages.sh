#!/usr/bin/env bash
# Times the pages that muniment serve makes of an archive of N letters that nobody wrote:
# 100 requests of each kind, one after the other, from the request to the last byte.
# 100 ms at the 95th percentile are wanted for 100,000 papers.
#
# usage: internal/bench/pages.sh [N]    100000 if not given: four minutes, 2 GB of TMPDIR
set -euo pipefail
cd "$(dirname "$0")/../.."
n=${1:-100000}
work=$(mktemp -d "${TMPDIR:-/tmp}/pages.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
go run ./internal/bench/letters -n "$n" -bytes $((n * 600)) "$work/letters"
export MUNIMENT_HOME="$work/keys" GIT_CONFIG_NOSYSTEM=1 HOME="$work"
m="$work/muniment -q -C $work/a"
"$work/muniment" key new >/dev/null 2>&1
"$work/muniment" init "$work/a" --subject 'A writer of letters' >/dev/null 2>&1
$m add "$work/letters" >/dev/null
$m snapshot -m all >/dev/null
$m index >/dev/null
address=127.0.0.1:18439
secret=$($m token new bench --role admin)
timeout 900 "$work/muniment" -C "$work/a" serve --listen $address >/dev/null 2>"$work/log" &
server=$!
for _ in $(seq 100); do curl -sf "http://$address/healthz" >/dev/null && break; sleep .2; done

# Words, one of each of 100 letters, and their names.
find "$work/letters" -type f | sort | awk -v each=$((n / 100)) 'NR % each == 1' | head -n 100 >"$work/files"
while read -r f; do tr -cs '[:alpha:]' '\n' <"$f" | awk 'length > 6' | head -n 3 | paste -sd ' '; done <"$work/files" >"$work/words"
ids=$($m ls --json | grep -o '"id": *"baf[a-z2-7]*"' | cut -d '"' -f 4 | awk -v each=$((n / 100)) 'NR % each == 1' | head -n 100)

# report NAME: reads seconds, a request each.
report() {
	sort -n | awk -v name="$1" '{ t[NR] = 1000 * $1 } END { printf "%-34s p50 %4.0f ms, p95 %4.0f ms, longest %4.0f ms, %d requests\n", name, t[int((NR + 1) / 2)], t[int(.95 * NR + .5)], t[NR], NR }'
}
get() { curl -sf -H "Authorization: Bearer $secret" -o /dev/null -w '%{time_total}\n' "$@"; }

echo "$n papers, $(nproc) processors"
get "http://$address/inventory" >/dev/null # what the server reads once
for _ in $(seq 100); do get "http://$address/"; done | report home
for i in $(seq 100); do get "http://$address/inventory?page=$((i * 7))"; done | report 'inventory, pages'
while read -r one _; do get -G --data-urlencode "words=$one" "http://$address/inventory"; done <"$work/words" | report 'inventory, words of the title'
for i in $(seq 100); do get "http://$address/inventory?year=$((1800 + i))&sort=title"; done | report 'inventory, a year by title'
for _ in $(seq 100); do get "http://$address/names"; done | report names
while read -r words; do get -G --data-urlencode "q=$words" "http://$address/search"; done <"$work/words" | report search
for id in $ids; do get "http://$address/a/$id"; done | report 'a paper'
while read -r words; do get -H "Origin: http://$address" --data-urlencode "question=What was written of $words?" "http://$address/ask"; done <"$work/words" | report 'ask, asked'
