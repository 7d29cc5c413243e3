#!/bin/sh
# Makes an archive of a million artifacts, adds one more and signs it, and
# prints what that took, with the cost of opening the store and of looking up
# an object. Two adds and snapshots, as a first one may find a cold disk.
#
# usage: internal/bench/million.sh [N] [FOLDER]    N artifacts, 1000000 if not given
set -eu
cd "$(dirname "$0")/../.."
n=${1:-1000000}
work=$(mktemp -d "${2:-${TMPDIR:-/tmp}}/million.XXXXXX")
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
go build -o "$work/million" ./internal/bench/million
export MUNIMENT_HOME="$work/keys"
mkdir "$MUNIMENT_HOME"
m="$work/muniment -q -C $work/a"
"$work/muniment" key new >/dev/null 2>&1
"$work/muniment" init "$work/a" --subject 'A writer of letters' >/dev/null 2>&1

# ms WHAT COMMAND…: wall and processor time of a command.
ms() {
	what=$1
	shift
	command time -f '%e %U %S %M' -o "$work/time" "$@" >/dev/null 2>"$work/err" || { cat "$work/err"; exit 1; }
	awk -v what="$what" '{ printf "%-28s %7.0f ms, processor %7.0f ms, %4.0f MB\n", what, $1 * 1000, ($2 + $3) * 1000, $4 / 1024 }' "$work/time"
}

"$work/million" make "$work/a" "$n"
ms "first snapshot" $m snapshot -m 'all of them'
for i in 1 2 3; do
	echo "One more letter, number $i, on a Tuesday." >"$work/one-$i.txt"
	ms "add one" $m add "$work/one-$i.txt"
	ms "snapshot of it" $m snapshot -m 'one more'
done
"$work/million" look "$work/a"
du -sm "$work/a/archive.git" | awk '{ print "archive.git: " $1 " MB" }'
