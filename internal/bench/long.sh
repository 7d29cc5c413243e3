#!/usr/bin/env bash
# Runs the tests of damage, kills and properties with all their cases, as
# MUNIMENT_LONG asks for, and prints what they count: internal/bench/long.sh [PACKAGE...].
# Without packages it also looks for races of the commands that start goroutines, links every
# program, builds for systems that .ci/run leaves out, and asks programs of older commits what
# they make of today's files.
# The last line counts packages and failures.
set -u
cd "$(dirname "$0")/../.." || exit 6
export MUNIMENT_LONG=1
failed=0
if [ $# = 0 ]; then
  CGO_ENABLED=1 go test ./cmd/muniment -race -short -count=1 -run 'Interrupt|Writers' || failed=1
  # Not tests that replay the same work thousands of times, or kill a process at each operation.
  CGO_ENABLED=1 go test -race -short -skip 'PowerCut|DiskFault|EveryByte|ReceiveDamaged|PacksStayFew|OutsideRepack|Fault|RootSteps|KillAtEveryOperation|CheckLarge|Crawler|Pepys|Million' \
    ./accession ./accession/web ./custody ./custody/remote ./audit ./objects ./snapshot || failed=1
  internal/bench/mixed.sh || failed=1
  CGO_ENABLED=0 go build ./... || failed=1
  for program in muniment muniment-verify; do
    CGO_ENABLED=0 GOOS=windows GOARCH=arm64 go build -o /dev/null ./cmd/$program || failed=1
    CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 go build -o /dev/null ./cmd/$program || failed=1
  done
  # The packages whose tests ask package casecount.
  set -- $(go list -f '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... | awk '{ for (i = 2; i <= NF; i++) if ($i ~ /internal\/casecount$/) { print $1; break } }')
fi
for package in "$@"; do
  out=$(go test "$package" -count=1 -v -timeout 3h 2>&1) || failed=$((failed + 1))
  printf '%s\n' "$out" | grep -aE '^(ok|FAIL)|^ *--- FAIL|_test\.go:[0-9]+: .*[0-9]'
done
printf '%d packages, %d failed\n' $# "$failed"
[ "$failed" = 0 ]
