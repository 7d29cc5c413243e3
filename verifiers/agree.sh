#!/bin/sh
# Makes bundles, good and bad, and lets the library, verify.py, verify.js in Node
# and verify.html in Chromium judge each: agree.sh [how many] [first]. The last
# lines say how many there were and on how many they disagree.
cd "$(dirname "$0")/.." || exit 6
MUNIMENT_AGREE=${1:-10000} MUNIMENT_AGREE_FROM=${2:-0} exec go test ./verifiers -run '^TestAgree$' -count=1 -v -timeout 4h
