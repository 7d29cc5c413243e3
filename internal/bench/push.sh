#!/bin/sh
# Pushes N new artifacts over file:// with git push and with muniment push, from
# the same archive into empty bare repositories, and prints the wall time and
# CPU time of each and the largest resident set of muniment. Pushing 100,000
# artifacts is to take at most 1.2 times what git takes, in 64 MB.
#
# usage: internal/bench/push.sh [N]    N is the number of artifacts, 100000 if not given
set -eu
cd "$(dirname "$0")/../.."
n=${1:-100000}
[ -x /usr/bin/time ] || { echo "skipped: GNU time is missing: apt-get install time"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
go run ./internal/bench/letters -n "$n" -bytes $((n * 2720)) "$work/letters"
export MUNIMENT_HOME="$work/keys" GIT_CONFIG_NOSYSTEM=1 HOME="$work"
"$work/muniment" key new >/dev/null 2>&1
"$work/muniment" init "$work/a" >/dev/null 2>&1
"$work/muniment" -C "$work/a" add -q "$work/letters" >/dev/null
"$work/muniment" -C "$work/a" snapshot -q -m all >/dev/null
rm -rf "$work/letters"
objects=$(git -C "$work/a/archive.git" count-objects -v | awk '/^in-pack/ { print $2 }')
echo "$n artifacts, $objects objects, $(du -sm "$work/a/archive.git" | cut -f1) MB, $(git --version), $(nproc) processors"

# measure NAME COMMAND…: wall s, CPU s, MB.
measure() {
	name=$1
	shift
	/usr/bin/time -o "$work/$name" -f '%e %U %S %M' "$@" >/dev/null 2>"$work/err" || { cat "$work/err"; exit 1; }
	awk -v name="$name" '{ printf "%-14s wall %6.2f s   CPU %6.2f s   largest process %6.1f MB\n", name, $1, $2 + $3, $4 / 1024 }' "$work/$name"
}
for round in 1 2 3; do
	git init -q --bare -b main "$work/g$round.git"
	git init -q --bare -b main "$work/m$round.git"
	sync
	measure git$round git -C "$work/a/archive.git" push -q "file://$work/g$round.git" main
	measure muniment$round "$work/muniment" -C "$work/a" push "file://$work/m$round.git"
	git -C "$work/m$round.git" rev-parse -q --verify main >/dev/null
	rm -rf "$work/g$round.git" "$work/m$round.git"
done
# The sender alone: what it does while the receiver, which is git in both, waits.
awk 'FNR == 1 { kind = FILENAME; sub(/.*\//, "", kind); sub(/[0-9]+$/, "", kind); if (!(kind in best) || $1 < best[kind]) best[kind] = $1; if ($4 > mb[kind]) mb[kind] = $4 }
	END { printf "muniment / git = %.2f (best of three each, wall; 1.20 or less: %s); sender and receiver, the larger process %.1f MB (64 or less: %s)\n",
		best["muniment"] / best["git"], best["muniment"] / best["git"] <= 1.2 ? "yes" : "no", mb["muniment"] / 1024, mb["muniment"] / 1024 <= 64 ? "yes" : "no" }' \
	"$work"/git[0-9] "$work"/muniment[0-9]
