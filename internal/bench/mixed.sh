#!/usr/bin/env bash
# Says what programs of older commits make of what today's program writes, and the
# reverse: internal/bench/mixed.sh [COMMIT...]. Without commits it takes the last ones of
# 21, 22 and 23 November 2026. It prints the rows of the table in docs/formats.md, and
# fails where a program does not call INVALID what is damaged, or where today's program
# calls anything INVALID that an older one wrote and did not damage.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- e369c2c1 df1553f9 29b1cb41
work=$(mktemp -d)
trap 'git worktree remove -f "$work/tree" 2>/dev/null || true; chmod -R u+w "$work"; rm -rf "$work"' EXIT
GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE)
export GOCACHE GOMODCACHE CGO_ENABLED=0 HOME="$work/home"
mkdir -p "$HOME"

# build COMMIT NAME builds the program of a commit, or of the checkout for "today".
build() {
  if [ "$1" = today ]; then
    go build -trimpath -o "$work/$2" ./cmd/muniment
    return
  fi
  git worktree add -q --detach "$work/tree" "$1"
  (cd "$work/tree" && GOFLAGS=-mod=readonly go build -trimpath -o "$work/$2" ./cmd/muniment)
  git worktree remove -f "$work/tree"
}

# verdict PROGRAM FILE... prints the first word of a verification, the exit code where it
# has none, and the first reason.
verdict() {
  local out code=0
  out=$("$work/$1" "${@:2}" 2>&1 </dev/null) || code=$?
  local word
  word=$(printf '%s\n' "$out" | grep -aoE '^(VALID, reduced|VALID|INVALID|INCOMPLETE)' | head -n 1)
  [ -n "$word" ] || word="exit $code: $(printf '%s\n' "$out" | grep -a 'error:' | head -n 1 | cut -c 1-70)"
  printf '%s' "$word"
}

# damaged FILE changes the byte in the middle of a copy of a zip, and prints its name.
damaged() {
  cp "$1" "$1.damaged.zip"
  printf '\001' | dd of="$1.damaged.zip" bs=1 seek=$(($(stat -c %s "$1") / 2)) conv=notrunc status=none
  printf '%s' "$1.damaged.zip"
}

build today today
"$work/today" demo --dir "$work/new" >/dev/null
"$work/today" -C "$work/new/archive" snapshot -m "seal the citations" --key "$work/new/keys/archivist" >/dev/null 2>&1
"$work/today" bundle export "$work/new/display.zip" --html "$work/new/answer.html" >/dev/null 2>&1
MUNIMENT_NEWER="$work/new/newer.zip" MUNIMENT_NEWER_TRUST="$work/new/newer.trust" go test ./verifiers -count=1 -run '^TestWriteNewer$' >/dev/null
spoilt=$(damaged "$work/new/display.zip") spoiltnewer=$(damaged "$work/new/newer.zip")
failed=0
row() { # PROGRAM LABEL
  local a b c d e f
  a=$(verdict "$1" -C "$work/new/archive" verify --trust "$work/new/allowed_signers")
  b=$(verdict "$1" verify "$work/new/display.zip" --trust "$work/new/allowed_signers")
  c=$(verdict "$1" verify "$work/new/answer.html" --trust "$work/new/allowed_signers")
  d=$(verdict "$1" verify "$work/new/newer.zip" --trust "$work/new/newer.trust")
  e=$(verdict "$1" verify "$spoilt" --trust "$work/new/allowed_signers")
  f=$(verdict "$1" verify "$spoiltnewer" --trust "$work/new/newer.trust")
  printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$2" "$a" "$b" "$c" "$d" "$e" "$f"
  [ "$e$f" = INVALIDINVALID ] || failed=1
}
printf '| program | archive of today | bundle of today | page of today | bundle with a newer leaf | damaged bundle | damaged newer bundle |\n|---|---|---|---|---|---|---|\n'
reverse=''
for commit in "$@"; do
  build "$commit" "old-$commit"
  row "old-$commit" "$(git log -1 --format='%as' "$commit") $commit"
  mkdir -p "$work/of-$commit"
  if "$work/old-$commit" demo --dir "$work/of-$commit/demo" >/dev/null 2>&1; then
    old="$work/of-$commit/demo"
    a=$(verdict today -C "$old/archive" verify --trust "$old/allowed_signers")
    b=$(verdict today verify "$old/display.zip" --trust "$old/allowed_signers")
    case "$a$b" in *INVALID*) failed=2 ;; esac
    reverse="$reverse$(printf '| %s %s | %s | %s |' "$(git log -1 --format='%as' "$commit")" "$commit" "$a" "$b")
"
  else
    reverse="$reverse$(printf '| %s %s | its demo failed | |' "$(git log -1 --format='%as' "$commit")" "$commit")
"
  fi
done
row today today
printf '\n| written by | its archive, today | its bundle, today |\n|---|---|---|\n%s' "$reverse"
case "$failed" in
  1) echo "something damaged was not called INVALID" >&2; exit 1 ;;
  2) echo "something that an older program wrote was called INVALID" >&2; exit 1 ;;
esac
