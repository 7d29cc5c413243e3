#!/usr/bin/env bash
# Fifty agents cite over HTTP while the server is killed twice and started again, on
# SQLite and on a PostgreSQL server of its own; then a batch of 20,000 citations on
# SQLite. Prints citations a second, what an agent waits, and what was lost or doubled.
#
# usage: internal/bench/load.sh [SECONDS]    60 if not given
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
go build -o "$work/load" ./internal/bench/load
mkdir "$work/sqlite" "$work/postgres"
"$work/load" -muniment "$work/muniment" -dir "$work/sqlite" -for "${seconds}s"
"$work/load" -muniment "$work/muniment" -dir "$work/postgres" -for "${seconds}s" -postgres ||
	echo "postgres: not measured" # not installed, or it failed as said above

export MUNIMENT_HOME="$work/sqlite/keys" HOME="$work"
for i in $(seq 20000); do
	n=$((i % 200))
	echo "{\"artifact\":\"letter-$(printf %03d $n).txt\",\"quote\":\"There is flour for $n days.\",\"claim\":\"There is flour for $n days.\",\"reasoning\":\"batch $i\"}"
done >"$work/batch.jsonl"
start=$(date +%s.%N)
"$work/muniment" -C "$work/sqlite/archive" cite --batch - -q <"$work/batch.jsonl" >"$work/out.jsonl"
awk -v from="$start" -v to="$(date +%s.%N)" 'END { printf "batch: %d citations in %.1f s: %.0f a second\n", NR, to - from, NR / (to - from) }' "$work/out.jsonl"
