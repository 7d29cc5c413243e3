#!/usr/bin/env python3
"""Recompute the Muniment-Root of a snapshot from a git clone, nothing trusted.
Usage: python3 root.py [REPOSITORY [COMMIT]]     exit 1 when the snapshot says another root"""
import hashlib, os, re, subprocess, sys

repo, commit = (sys.argv[1:] + [".", "HEAD"][len(sys.argv) - 1:])[:2]
git = ["git", "-C", repo]
os.environ["GIT_NO_REPLACE_OBJECTS"] = "1"

def sha(data): return hashlib.sha256(data).digest()

def tree(leaves):  # RFC 6962 over leaf hashes
    if len(leaves) < 2:
        return leaves[0] if leaves else sha(b"")
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\x01" + tree(leaves[:k]) + tree(leaves[k:]))

def root(lines): return tree([sha(b"\x00" + line) for line in lines])

listing = subprocess.run(git + ["ls-tree", "-r", "-z", commit], check=True, capture_output=True).stdout
files = [entry.split(b"\t", 1) for entry in listing.split(b"\0") if entry]
if any(not head.startswith(b"100644 blob ") for head, _ in files):
    sys.exit("a file has another mode than 100644")
shards = {name: [] for name in [b"%02x" % i for i in range(256)] + [b"--"]}
cat = subprocess.Popen(git + ["cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for head, path in sorted(files, key=lambda f: f[1]):
    cat.stdin.write(head.split()[2] + b"\n")
    cat.stdin.flush()
    data = cat.stdout.read(int(cat.stdout.readline().split()[2]) + 1)[:-1]
    shard = re.match(rb"[^/]+/([0-9a-f]{2})/[0-9a-f]{2}/.", path)
    shards[shard[1] if shard else b"--"].append(sha(data).hex().encode() + b"  " + path + b"\n")
got = root([b"%s %d %s\n" % (s, len(lines), root(lines).hex().encode()) for s, lines in shards.items()]).hex()
message = subprocess.run(git + ["cat-file", "commit", commit], check=True, capture_output=True).stdout.decode()
said = re.findall(r"^Muniment-(?:Root: sha256:|Entries: )(\w+)$", message, re.M)[-2:]
print(f"sha256:{got}  {len(files)} entries")
if said != [got, str(len(files))]:
    sys.exit(f"the snapshot says {said}")
