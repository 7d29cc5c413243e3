#!/usr/bin/env bash
# The long runs of the tests on crashes and damage: every power cut, every
# failing call, and a change of every byte of a small archive's repository.
# Prints how many states, calls and changes there were.
set -euo pipefail
cd "$(dirname "$0")/../.."
export MUNIMENT_LONG=1
go test ./objects/powercut -run TestPublish -v -count=1 -timeout 30m | grep -a 'states\|FAIL\|^ok'
go test ./audit -run 'TestPowerCut|TestDiskFaultAtEveryCall' -v -count=1 -timeout 30m | grep -a 'states\|calls\|FAIL\|^ok'
go test ./audit -run TestEveryByteFlipped -v -count=1 -timeout 60m | grep -a 'changes\|noticed\|FAIL\|^ok'
