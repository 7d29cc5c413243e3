#!/usr/bin/env bash
# Measures the ledger with a million citations, or as many as are given, on
# SQLite and on a PostgreSQL server of its own: what cite waits for, and what
# the lists take, in milliseconds.
set -euo pipefail
cd "$(dirname "$0")/../.."
n=${1:-1000000}
go test ./ledger -run 'TestMillion$' -v -count 1 -timeout 60m -million "$n" | grep -aE 'sqlite:|postgres:|FAIL|panic' | sed 's/^ *million_test.go:[0-9]*: //'

# Sixteen writers on PostgreSQL, 500 citations each, the server killed four times; then
# snapshots that bind and seal 100,000 waiting citations.
go test ./ledger -run 'TestServerKilledBesideWriters$' -v -count 1 -timeout 10m -keyed 500 | grep -aE 'none doubled|FAIL|panic'
go test ./engine -run 'TestWaiting$' -v -count 1 -timeout 30m -waiting 100000 | grep -aE 'sqlite:|postgres:|FAIL|panic'
