#!/usr/bin/env bash
# Makes a release twice, in two clones of the same commit, and compares the bytes.
#
#   internal/release/same.sh [SYSTEM/PROCESSOR…]     linux/amd64 without arguments
set -euo pipefail
[ $# -gt 0 ] || set -- linux/amd64
from=$(cd "$(dirname "$0")/../.." && pwd)
commit=$(git -C "$from" rev-parse HEAD)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
ssh-keygen -q -t ed25519 -N '' -C release@example.org -f "$work/key"
for n in one another; do
  git clone -q "$from" "$work/clone-$n"
  git -C "$work/clone-$n" checkout -q --detach "$commit" # commits may come meanwhile
  "$work/clone-$n/internal/release/release.sh" "$work/$n" -k "$work/key" "$@" > "$work/$n.txt"
done
diff -r -x proofs "$work/one" "$work/another"
printf 'release@example.org %s\n' "$(cut -d' ' -f1,2 "$work/key.pub")" > "$work/allowed_signers"
ssh-keygen -Y verify -f "$work/allowed_signers" -I release@example.org -n file -s "$work/one/SHA256SUMS.sig" < "$work/one/SHA256SUMS"
cat "$work/one/SHA256SUMS"
echo "two releases of $commit are the same"
