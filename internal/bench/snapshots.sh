#!/bin/sh
# Prints what commands cost in an archive of few snapshots and of many: the least
# processor time of three, and the second by the first. At most 1.5 is wanted for
# every command but log, verify, clone, export and repair.
#
# usage: internal/bench/snapshots.sh [FEW [MANY]]    10 and 10000 if not given, which takes
#                                           20 minutes
set -eu
cd "$(dirname "$0")/../.."
[ -x /usr/bin/time ] || { echo "skipped: GNU time is missing: apt-get install time"; exit 0; }
few=${1:-10} many=${2:-10000}
work=$(mktemp -d "${TMPDIR:-/tmp}/snapshots.XXXXXX")
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
go build -o "$work/million" ./internal/bench/million
export MUNIMENT_HOME="$work/keys" GIT_CONFIG_NOSYSTEM=1 HOME="$work"
mkdir "$MUNIMENT_HOME"
"$work/muniment" key new >/dev/null 2>&1

# Both archives hold the same number of letters, so that only snapshots differ.
for n in "$few" "$many"; do
	"$work/muniment" init "$work/a$n" --subject 'A writer of letters' >/dev/null 2>&1
	"$work/million" make "$work/a$n" $((1000 + many - n)) >/dev/null
	"$work/muniment" -q -C "$work/a$n" snapshot -m 'all of them' >/dev/null
	"$work/million" sign "$work/a$n" "$n" "$MUNIMENT_HOME/default"
	git init -q --bare "$work/r$n.git"
	"$work/muniment" -q -C "$work/a$n" remote add copy "$work/r$n.git" >/dev/null
	"$work/muniment" -q -C "$work/a$n" push copy >/dev/null 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	"$work/muniment" -q clone "$work/r$n.git" "$work/c$n" >/dev/null
	"$work/muniment" -q -C "$work/a$n" ask 'What does letter 7 say of the year?' >/dev/null 2>&1 || true
done

# least N BEFORE COMMAND…: processor seconds of a command in the archive of N snapshots,
# or in its clone where that is set.
clone=
least() {
	n=$1 before=$2
	shift 2
	a="$work/a$n"
	: >"$work/times"
	for round in 1 2 3; do
		$before
		code=0
		/usr/bin/time -q -a -o "$work/times" -f '%U %S' "$work/muniment" -q -C "$work/${clone:-a}$n" "$@" >"$work/out" 2>"$work/err" || code=$?
		case $code in 0 | 3 | 5) ;; *) cat "$work/err" >&2; exit 1 ;; esac
	done
	awk '{ cpu = $1 + $2; if (NR == 1 || cpu < least) least = cpu } END { print least }' "$work/times"
}

# row BEFORE COMMAND…: a line of the table.
row() {
	before=$1
	shift
	x=$(least "$few" "$before" "$@")
	y=$(least "$many" "$before" "$@")
	awk -v what="$1${clone:+ of one}" -v x="$x" -v y="$y" 'BEGIN { printf "%-12s %6.2f s %6.2f s  %5.2f\n", what, x, y, y / (x > 0.01 ? x : 0.01) }'
}

unstage() { git --git-dir="$a/archive.git" update-ref -d refs/muniment/staged; }
letter() { date +%N >"$work/letter.txt"; }
push() { add; "$work/muniment" -q -C "$a" snapshot -m 'one more' >/dev/null; "$work/muniment" -q -C "$a" push copy >/dev/null; }
add() { letter; "$work/muniment" -q -C "$a" add "$work/letter.txt" >/dev/null; }

one=letters/0000007.txt
printf '%-12s %8s %8s  ratio\n' command "$few" "$many"
row true status
row true cat "$one"
row true show "$one"
row true ls
row true cite --artifact "$one" --quote 'of very many' --claim 'This is letter 7 of very many.'
row true citations
row true why 1
row true ask 'What does letter 7 say of the year?'
row true search 'letter 7'
row unstage consent "$one" --display off --reason 'a wish'
row unstage withdraw "$one" --reason asked --authority board
row letter add "$work/letter.txt"
a="$work/a$few" && unstage && a="$work/a$many" && unstage
row add snapshot -m 'one more'
row true push copy
row true fetch copy
clone=c
row push fetch origin
clone=
row true diff 1 2
row true doctor
