#!/usr/bin/env bash
# Makes a release of the commit that is checked out: one archive for each system,
# with both programs, the independent verifiers, manual pages, completions, documents
# and the licences of everything linked; a bill of materials (CycloneDX) beside each;
# for Linux a package for Debian and one for Red Hat, made by nfpm, which is fetched
# (NFPM=none leaves them out); SHA256SUMS of all. Where a key is given it signs
# SHA256SUMS, and a muniment archive of SHA256SUMS and the bills, whose proofs of each
# lie in proofs/. The archives of programs are in it by their hashes: what is packed
# would be taken apart.
#
#   internal/release/release.sh OUT [-k KEY] [SYSTEM/PROCESSOR…]
#   internal/release/release.sh ../out -k ~/.ssh/id_ed25519 linux/amd64
#
# The same commit, with the same tags, and the same Go give the same bytes:
# internal/release/same.sh shows it. The signature is checked with
#
#   ssh-keygen -Y verify -f allowed_signers -I NAME -n file -s SHA256SUMS.sig < SHA256SUMS
#
# or, by its proof, with
#
#   muniment verify proofs/SHA256SUMS.proof.json --trust allowed_signers
#
# An archive has an identity of its own: proofs/ and release.bundle are the two things
# that differ from one release of a commit to the next.
set -euo pipefail
export LC_ALL=C TZ=UTC CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off
unset GOAMD64 GOARM64 GOEXPERIMENT GOGCFLAGS || true

out=${1:?usage: internal/release/release.sh OUT [-k KEY] [SYSTEM/PROCESSOR…]}; shift
mkdir -p "$out"; out=$(cd "$out" && pwd)
key=""
if [ "${1:-}" = -k ]; then key=$(realpath "${2:?-k wants a private key}"); shift 2; fi
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

cd "$(dirname "$0")/../.."
[ -z "$(git status --porcelain)" ] || { echo "release: the clone has changes; a release is made of a commit" >&2; exit 1; }
[ -z "$(ls -A "$out")" ] || { echo "release: $out is not empty" >&2; exit 1; }
epoch=$(git log -1 --format=%ct)
version=$(git describe --tags --exact-match 2>/dev/null || git log -1 --format=%cd-%h --date=format:%Y%m%d --abbrev=12)

work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
# build SYSTEM PROCESSOR FOLDER
build() {
  for program in muniment muniment-verify; do
    suffix=""; [ "$1" != windows ] || suffix=.exe
    GOOS=$1 GOARCH=$2 go build -trimpath -buildvcs=true -ldflags='-s -w' -o "$3/$program$suffix" "./cmd/$program"
  done
}
# licences SYSTEM PROCESSOR FOLDER copies the licence texts of the modules linked.
licences() {
  GOOS=$1 GOARCH=$2 go list -deps -f '{{with .Module}}{{if .Version}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/muniment ./cmd/muniment-verify |
    sort -u | while read -r module dir; do
      mkdir -p "$3/$module"
      find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) -exec cp {} "$3/$module/" \;
      [ -n "$(ls -A "$3/$module")" ] || { echo "release: $module has no licence text" >&2; exit 1; }
    done
  mkdir -p "$3/go"; cp "$(go env GOROOT)/LICENSE" "$3/go/"
}
# materials PROGRAM writes the modules that Go recorded in a program as CycloneDX.
materials() {
  go version -m "$1" | awk -F'\t' -v version="$version" -v time="$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)" '
    BEGIN {
      printf "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n"
      printf "  \"metadata\": {\"timestamp\": \"%s\", \"component\": {\"type\": \"application\", \"name\": \"muniment\", \"version\": \"%s\"}},\n  \"components\": [", time, version
    }
    NR == 1 { n = split($0, w, " "); sub(/^go/, "", w[n])
      printf "\n    {\"type\": \"library\", \"name\": \"std\", \"version\": \"%s\", \"purl\": \"pkg:golang/std@%s\"}", w[n], w[n] }
    $2 == "dep" { printf ",\n    {\"type\": \"library\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"pkg:golang/%s@%s\", \"properties\": [{\"name\": \"go.sum\", \"value\": \"%s\"}]}", $3, $4, $3, $4, $5 }
    END { printf "\n  ]\n}\n" }'
}

# manual FOLDER writes the manual pages of both programs.
manual() {
  "$work/host/muniment" -q help --man "$1" > /dev/null
  { printf '.TH "MUNIMENT-VERIFY" 1 "" "Muniment" "Muniment manual"\n.SH NAME\nmuniment\\-verify \\- verify the bundle of an answer, or a proof, offline\n.SH DESCRIPTION\n.nf\n'
    "$work/host/muniment-verify" --help | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
    printf '.fi\n.SH SEE ALSO\nmuniment(1)\n'; } > "$1/muniment-verify.1"
}
# packages FOLDER PROCESSOR makes a package for Debian and one for Red Hat.
packages() {
  case $version in v[0-9]*) number=${version#v} ;; *) number=0~$(echo "$version" | tr - .) ;; esac
  for kind in deb rpm; do
    FOLDER=$1 PROCESSOR=$2 VERSION=$number MAINTAINER="$(git log -1 --format='%an <%ae>')" SOURCE_DATE_EPOCH=$epoch \
      $nfpm package -f internal/release/nfpm.yaml -p "$kind" -t "$out/$(basename "$1").$kind" >&2
  done
}
# prove makes a muniment archive of the sums and the bills, and writes a proof of each.
prove() {
  local m="$work/host/muniment -q -C $work/archive" files
  files=$(cd "$out" && ls SHA256SUMS *.cdx.json)
  "$work/host/muniment" -q init "$work/archive" --name muniment-releases --subject Muniment --no-auditor > /dev/null
  (cd "$out" && $m add $files > /dev/null)
  $m snapshot -m "release $version" --key "$key" > /dev/null
  mkdir "$out/proofs"
  for file in $files; do $m show "$file" --proof > "$out/proofs/$file.proof.json"; done
  $m export --git-bundle "$out/proofs/release.bundle" > /dev/null
}

nfpm=${NFPM:-go run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.44.2} # its version decides the bytes of the packages
mkdir "$work/host"
go build -trimpath -buildvcs=true -o "$work/host/" ./cmd/muniment ./cmd/muniment-verify
manual "$work/man"
for target in "$@"; do
  system=${target%/*} processor=${target#*/}
  name=muniment-$version-$system-$processor
  dir=$work/$name
  mkdir -p "$dir/completions" "$dir/licences"
  build "$system" "$processor" "$dir"
  licences "$system" "$processor" "$dir/licences"
  for shell in bash zsh fish powershell; do "$work/host/muniment" completion "$shell" > "$dir/completions/muniment.$shell"; done
  cp -r "$work/man" "$dir/man"
  cp verifiers/verify.py verifiers/verify.js verifiers/verify.html internal/release/Dockerfile LICENSE README.md docs/CHANGELOG.md "$dir/"
  cp -r docs "$dir/docs"
  materials "$(ls "$dir"/muniment "$dir"/muniment.exe 2>/dev/null)" > "$out/$name.cdx.json"
  find "$dir" -type d -exec chmod 755 {} +; find "$dir" -type f -exec chmod 644 {} +
  chmod 755 "$dir"/muniment "$dir"/muniment-verify 2>/dev/null || chmod 755 "$dir"/*.exe
  find "$dir" -exec touch -h -d "@$epoch" {} +
  tar -C "$work" --format=ustar --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -n -9 > "$out/$name.tar.gz"
  [ "$system" != linux ] || [ "$nfpm" = none ] || packages "$dir" "$processor"
done
(cd "$out" && sha256sum -- * > SHA256SUMS)
if [ -n "$key" ]; then
  ssh-keygen -q -Y sign -n file -f "$key" "$out/SHA256SUMS"
  prove
fi
cat "$out/SHA256SUMS"
