#!/bin/sh
# The answer log at size: time of an append and of a proof, bytes per entry, and
# answers per second when many wait. Usage: internal/bench/log.sh [ENTRIES]
set -eu
cd "$(dirname "$0")/../.."
entries=${1:-10000000}
go test ./archive/answerlog -run '^TestSimulation$' -count=1 -v -timeout 30m -args -log-entries="$entries" | grep 'entries:'
go test ./archive/answerlog -run '^$' -bench 'Append|Waiting' -benchtime 3s | grep '^Benchmark'
