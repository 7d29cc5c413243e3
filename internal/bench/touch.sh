#!/bin/sh
# Prints what a command that touches one artifact costs in archives of several
# sizes: the least processor time of three and the most memory, and the same of
# git on a repository of the same letters where git has such a command. At a
# million artifacts 0.15 s and 100 MB are wanted for each but the first index.
#
# usage: internal/bench/touch.sh [N…]    10000 and 100000 if not given; 1000000 takes 15
#                               minutes and 8 GB of TMPDIR
set -eu
cd "$(dirname "$0")/../.."
command -v git >/dev/null || { echo "skipped: git is missing"; exit 0; }
[ -x /usr/bin/time ] || { echo "skipped: GNU time is missing: apt-get install time"; exit 0; }
[ $# -gt 0 ] || set -- 10000 100000
work=$(mktemp -d "${TMPDIR:-/tmp}/touch.XXXXXX")
trap 'rm -rf "$work"' EXIT
go build -o "$work/muniment" ./cmd/muniment
go build -o "$work/million" ./internal/bench/million
export MUNIMENT_HOME="$work/keys" GIT_CONFIG_NOSYSTEM=1 HOME="$work"
mkdir "$MUNIMENT_HOME"
"$work/muniment" key new >/dev/null 2>&1

# least TIMES BEFORE COMMAND…: processor seconds and MB; BEFORE runs first, untimed.
least() {
	times=$1 before=$2
	shift 2
	: >"$work/times"
	for round in $(seq "$times"); do
		$before
		/usr/bin/time -a -o "$work/times" -f '%U %S %M' "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	done
	awk '{ cpu = $1 + $2; if (NR == 1 || cpu < least) least = cpu; if ($3 > most) most = $3 } END { printf "%.2f s %4.0f MB", least, most / 1024 }' "$work/times"
}

# row WHAT TIMES BEFORE GIT COMMAND…: a line of the table; GIT is a command line or -.
row() {
	what=$1 times=$2 before=$3 counterpart=$4
	shift 4
	ours=$(least "$times" "$before" "$@")
	theirs=-
	[ "$counterpart" = - ] || theirs=$(least 3 true sh -c "$counterpart")
	printf '%-30s %-18s %s\n' "$what" "$ours" "$theirs"
}

unstage() { git --git-dir="$a/archive.git" update-ref -d refs/muniment/staged; }

for n in "$@"; do
	a="$work/a$n" g="$work/g$n"
	"$work/muniment" init "$a" --subject 'A writer of letters' >/dev/null 2>&1
	"$work/million" make "$a" "$n" >/dev/null
	m="$work/muniment -q -C $a"
	$m snapshot -m 'all of them' >/dev/null
	# The same letters in git, under the same names.
	git init -q -b main "$g"
	awk -v n="$n" 'BEGIN {
		print "commit refs/heads/main\ncommitter A <a@archive.invalid> 0 +0000\ndata 3\nall"
		for (i = 0; i < n; i++) {
			text = sprintf("Dear Ada,\n\nthis is letter %d of very many.\nIt says that the year was %d.\n\nBen\n", i, 1600 + i % 400)
			printf "M 100644 inline letters/%07d.txt\ndata %d\n%s\n", i, length(text), text
		}
	}' | git -C "$g" fast-import --quiet
	git -C "$g" reset -q --hard
	git -C "$g" status >/dev/null # its index is fresh then
	one=letters/$(printf %07d $((n / 2))).txt
	id=$($m cat "$one" --json | grep -o '"id": *"baf[a-z2-7]*"' | head -1 | cut -d '"' -f 4)
	rm -rf "$a/archive.local/holdings"
	printf '\n%-30s %-18s %s\n' "$n artifacts" muniment "$(git --version)"
	row 'first index, with cat' 1 true - $m cat "$one"
	row 'cat by name' 3 true "git -C $g cat-file blob HEAD:$one" $m cat "$one"
	row 'cat by file name' 3 true "git -C $g ls-files '*/${one##*/}'" $m cat "${one##*/}"
	row 'cat by id' 3 true "git -C $g cat-file blob $(git -C "$g" rev-parse "HEAD:$one")" $m cat "$id"
	row 'cat by prefix of the id' 3 true - $m cat "$(printf %.20s "$id")"
	row 'show' 3 true - $m show "$one"
	row 'status' 3 true "git -C $g status" $m status
	row 'cite' 3 true - $m cite --artifact "$one" --quote 'of very many' --claim 'They were very many.'
	row 'consent' 3 unstage - $m consent "$one" --display off --reason 'a wish'
	row 'withdraw' 3 unstage "rm -f $g/$one && git -C $g rm -q --cached $one && git -C $g reset -q --hard" $m withdraw "$one" --reason asked --authority board
	unstage
	row 'log' 3 true "git -C $g log -1" $m log
	rm -rf "$a" "$g"
done
