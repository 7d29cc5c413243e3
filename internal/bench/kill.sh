#!/bin/sh
# Kills real processes at random moments, many times: internal/bench/kill.sh [KILLS] [SEED].
# Prints the seed, how many of each command were killed, and how many snapshots
# were acknowledged and found again.
cd "$(dirname "$0")/../.." || exit 6
export MUNIMENT_KILLS="${1:-200}"
[ -z "${2:-}" ] || export MUNIMENT_KILL_SEED="$2"
go test ./cmd/muniment -run '^TestKilledAtRandom$' -v -count=1 -timeout 120m | grep -a 'SEED\|killed\|FAIL\|^ok\|_test.go'
