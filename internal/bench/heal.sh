#!/bin/sh
# Damages copies of a small archive at random, one to three files each, and repairs
# each from a remote: internal/bench/heal.sh [DAMAGES] [SEED]. Prints the seed, how many were
# healed, and of how many the repair listed what no copy has.
cd "$(dirname "$0")/../.." || exit 6
export MUNIMENT_DAMAGES="${1:-500}"
[ -z "${2:-}" ] || export MUNIMENT_DAMAGE_SEED="$2"
go test ./custody -run '^TestRepairAfterDamage$' -v -count=1 -timeout 60m | grep -a 'SEED\|damage\|FAIL\|^ok'
