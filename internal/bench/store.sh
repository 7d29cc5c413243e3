#!/bin/sh
# Compares, in one run on one machine, how long 50,000 letters (136 MB) take to
# be kept by git, restic, borg and muniment, and to be checked by git and
# muniment, with the most memory each used. Each is run three times, in turn and
# into a new repository, and the least time of each counts. Installs the peers
# from Debian where they are missing. Run it on a quiet machine: the ratios are of
# wall time.
#
# usage: internal/bench/store.sh [N] [BYTES] [FOLDER] [ROUNDS]
set -eu
cd "$(dirname "$0")/../.."
n=${1:-50000}
bytes=${2:-136000000}
work=$(mktemp -d "${3:-${TMPDIR:-/tmp}}/store.XXXXXX")
trap 'rm -rf "$work"' EXIT

need=
for p in git restic borgbackup time; do
	dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || need="$need $p"
done
if [ -n "$need" ]; then
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo apt-get update -qq
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $need >/dev/null
fi

go build -o "$work/muniment" ./cmd/muniment
go run ./internal/bench/letters -n "$n" -bytes "$bytes" "$work/letters"
export MUNIMENT_HOME="$work/keys" RESTIC_PASSWORD=bench BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes
export BORG_BASE_DIR="$work/borg-home" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_NO_REPLACE_OBJECTS=1
mkdir "$MUNIMENT_HOME"

# run NAME COMMAND…: adds a line "NAME wall processor MB" to the figures; exit
# code 3 is a verdict (nobody is trusted without --trust) and no failure. All
# read the letters from memory: borg drops what it has read from the page cache,
# which the next one would pay for.
run() {
	name=$1
	shift
	sync
	find "$work/letters" "$work/git" -type f -exec cat {} + >/dev/null
	code=0
	command time -f "$name %e %U %S %M" -o "$work/time" "$@" >"$work/out" 2>"$work/err" || code=$?
	[ "$code" = 0 ] || [ "$code" = 3 ] || { cat "$work/out" "$work/err"; exit 1; }
	tail -n 1 "$work/time" >>"$work/figures"
}

"$work/muniment" key new >/dev/null 2>&1

round=0
while [ "$round" -lt "${4:-3}" ]; do
	round=$((round + 1))
	rm -rf "$work/git" "$work/restic" "$work/borg" "$work/borg-home" "$work/a"
	mkdir "$BORG_BASE_DIR"
	cp -r "$work/letters" "$work/git"
	git -C "$work/git" init -q
	git -C "$work/git" config user.name bench
	git -C "$work/git" config user.email bench@archive.invalid
	git -C "$work/git" config gc.auto 0
	restic init -q -r "$work/restic"
	borg init -e none "$work/borg"
	"$work/muniment" init "$work/a" --subject 'A writer of letters' >/dev/null 2>&1

	m="$work/muniment -q -C $work/a"
	run git-add sh -c "git -C '$work/git' add -A && git -C '$work/git' commit -qm letters"
	run restic restic -q -r "$work/restic" backup "$work/letters"
	run borg borg create "$work/borg::letters" "$work/letters"
	run muniment-add $m add "$work/letters"
	run muniment-snapshot $m snapshot -m letters
	run fsck git -C "$work/a/archive.git" fsck --full
	run verify $m verify
	run fixity $m fixity
done

awk '{
	if (!($1 in wall)) { order[++n] = $1; wall[$1] = $2; cpu[$1] = $3 + $4 }
	if ($2 < wall[$1]) wall[$1] = $2
	if ($3 + $4 < cpu[$1]) cpu[$1] = $3 + $4
	if ($5 / 1024 > mb[$1]) mb[$1] = $5 / 1024
	all[$1] = all[$1] " " $2
} END {
	for (i = 1; i <= n; i++) printf "%-18s %6.2f s wall (%s ), %6.2f s processor, %4.0f MB\n", order[i], wall[order[i]], all[order[i]], cpu[order[i]], mb[order[i]]
	kept = wall["muniment-add"] + wall["muniment-snapshot"]
	printf "\nadd + snapshot / git add + commit  %.2f  (0.40 is wanted)\n", kept / wall["git-add"]
	printf "add + snapshot / restic backup     %.2f  (0.60 is wanted)\n", kept / wall["restic"]
	printf "add + snapshot / borg create       %.2f\n", kept / wall["borg"]
	printf "verify / git fsck --full           %.2f  (1.00 is wanted)\n", wall["verify"] / wall["fsck"]
	printf "fixity / git fsck --full           %.2f  (1.00 is wanted)\n", wall["fixity"] / wall["fsck"]
	most = mb["muniment-add"]; if (mb["muniment-snapshot"] > most) most = mb["muniment-snapshot"]
	printf "most memory of add and snapshot    %.0f MB  (256 is wanted)\n", most
}' "$work/figures"
du -sm "$work/git/.git" "$work/restic" "$work/borg" "$work/a/archive.git" | awk '{ sub(".*/store[^/]*/", "", $2); print $1 " MB in " $2 }'
