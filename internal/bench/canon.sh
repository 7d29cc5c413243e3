#!/bin/sh
# Prints one table of all forms: how many damaged files of each type were tried,
# how many of them had a text, were kept as bytes, were refused as empty, or
# failed (panicked, hung, or took more memory than they may); and in MB/s on one
# core how fast sound files are read, from their bytes to artifact ID,
# paragraphs, lines and the roots over both. Plain text from bytes to ID and
# paragraphs, without the roots, is to reach 100 MB/s. Then one text in many
# encodings, and the time to take in a whole diary as text and as web pages, if
# MUNIMENT_DIARY names its folder (1660/ and so on, and html/).
#
# usage: internal/bench/canon.sh [TIME]    TIME is that of each benchmark, 1s if not given
set -eu
cd "$(dirname "$0")/../.."
time=${1:-1s}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

MUNIMENT_LONG=1 go test -count=1 -v -run '^TestDamage$' ./canon/forms >"$work/damage" 2>&1 || true
GOMAXPROCS=1 go test -run '^$' -bench . -benchtime "$time" ./canon/forms >"$work/speed" 2>&1 || true
echo "damaged files, and sound ones on one core, $(go version | cut -d' ' -f3,4), $time for each"
awk 'FNR == 1 { file++ }
	file == 1 && /^Benchmark/ {
		for (i = 3; i < NF; i++) if ($(i + 1) == "MB/s") mbs = $i
		name = $1
		sub(/^Benchmark/, "", name)
		if (name ~ /^TextToUnits\//) { sub(/^TextToUnits\//, "", name); units[name] = mbs }
		else { sub(/^[^\/]*\//, "", name); speed[name] = mbs; order[++n] = name }
	}
	file == 2 && /damage_test.go:[0-9]*: / {
		sub(/.*damage_test.go:[0-9]*: /, "")
		if ($1 == "type") next
		name = $1; at = 2
		if ($2 == "text") { name = $1 " entry"; at = 3 }
		if ($at !~ /^[0-9]+$/ || NF < at + 6) { failed++; print; next } # an error of the test
		files[name] = $at; text[name] = $(at + 1); kept[name] = $(at + 2); empty[name] = $(at + 3); longest[name] = $(at + 5)
		damaged[++m] = name
		all += $at
	}
	/^panic|^--- FAIL|^FAIL|SKIP|skipped/ { bad[++b] = $0 }
	END {
		printf "%-26s %7s %7s %7s %7s %9s %9s\n", "type", "files", "text", "bytes", "empty", "longest", "MB/s"
		for (i = 1; i <= m; i++) {
			name = damaged[i]
			printf "%-26s %7d %7d %7d %7d %9s %9s\n", name, files[name], text[name], kept[name], empty[name], longest[name], ((name in speed) ? speed[name] : "-")
			seen[name] = 1
		}
		for (i = 1; i <= n; i++) if (!(order[i] in seen)) {
			name = order[i]
			without = name in units
			printf "%-26s %7s %7s %7s %7s %9s %9s%s\n", name, "-", "-", "-", "-", "-", speed[name], without ? sprintf("  without roots %.1f, 100 or more: %s", units[name], (units[name] >= 100 ? "yes" : "no")) : ""
		}
		printf "%d damaged files, %d failures\n", all, failed + b
		for (i = 1; i <= b; i++) print bad[i]
	}' "$work/speed" "$work/damage"
go test -count=1 -v -run '^TestOne' ./canon/forms | sed -n 's/^ *encodings_test.go:[0-9]*: //p' | cut -c1-100

diary=${MUNIMENT_DIARY:-}
if [ -z "$diary" ]; then
	echo "skipped: MUNIMENT_DIARY does not name the folder of the diary"
	exit 0
fi
go build -o "$work/muniment" ./cmd/muniment
export MUNIMENT_HOME="$work/keys"

# add NAME PATH…: the time to take in the paths, into an archive of their own.
add() {
	name=$1
	shift
	"$work/muniment" init "$work/$name" --subject 'A diarist' >/dev/null 2>&1
	bytes=$(find "$@" -type f -exec cat {} + | wc -c)
	files=$(find "$@" -type f | wc -l)
	begin=$(date +%s%N)
	code=0
	"$work/muniment" -C "$work/$name" add "$@" >/dev/null 2>"$work/err" || code=$?
	end=$(date +%s%N)
	awk -v ns=$((end - begin)) -v bytes="$bytes" -v files="$files" -v name="$name" -v code="$code" \
		'BEGIN { printf "add the diary as %-5s %6d files, %5.1f MB in %5.2f s, %5.1f MB/s, exit %d: ", name, files, bytes / 1e6, ns / 1e9, bytes / 1e6 / (ns / 1e9), code }'
	grep '^added' "$work/err"
}

add text "$diary"/1*
add html "$diary/html"
