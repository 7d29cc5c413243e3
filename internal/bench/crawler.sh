#!/bin/sh
# What a crawler gets of a diary of 6 million characters, asking 100 questions a day
# for ten days and for more of every citation; what five get that work together; and
# whether 50 ordinary questions a day are answered in full. Takes about ten
# minutes. MUNIMENT_DIARY has to name the diary's folder, by its absolute path.
# Usage: internal/bench/crawler.sh
set -eu
: "${MUNIMENT_DIARY:?is not set: it names the folder of the diary}"
cd "$(dirname "$0")/../.."
MUNIMENT_LONG=1 go test ./answer -run '^TestPepys$/crawler' -count=1 -v -timeout 60m
