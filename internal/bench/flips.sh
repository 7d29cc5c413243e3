#!/bin/sh
# Turns every bit of a valid bundle, first in its zip, then in each of its files
# with the zip made anew around it, and requires that it is never VALID. The
# sealed files are in the zip only. Takes some minutes.
cd "$(dirname "$0")/../.." || exit 6
MUNIMENT_LONG=1 exec go test ./bundle -run '^TestFlips$' -count=1 -v -timeout 2h
