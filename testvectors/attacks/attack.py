#!/usr/bin/env python3
"""Attack a muniment program as somebody would who has stock git, ssh-keygen and no key, or the least privileged one.
Usage: python3 attack.py [MUNIMENT [ATTACK...]]     one line per attack; exit 1 when one of them is not held"""
import base64, glob, hashlib, os, re, shutil, subprocess, sys, tempfile

program, chosen = (sys.argv[1:2] or ["muniment"])[0], sys.argv[2:]
work = tempfile.TemporaryDirectory(prefix="muniment-attack-")
os.chdir(work.name)
clean = {name: value for name, value in os.environ.items() if not name.startswith(("MUNIMENT", "GIT_", "SSH_", "XDG_"))}
env = {**clean, "HOME": work.name, "MUNIMENT_HOME": work.name + "/keys", "MUNIMENT_INDEX": "ask", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "TZ": "UTC"}

def call(*args, data=None, more=None):
    r = subprocess.run(args, input=data, capture_output=True, env={**env, **(more or {})}, timeout=120)
    return r.returncode, r.stdout, r.stderr.decode(errors="replace")
def must(*args, **kw):
    code, out, err = call(*args, **kw)
    if code: sys.exit(f"{' '.join(args)}: exit {code}: {err}")
    return out
def muniment(*args): return must(program, *args)
def sha(data): return hashlib.sha256(data).digest()
def write(path, data):
    with open(path, "wb") as f: f.write(data)
    return path
def read(path):
    with open(path, "rb") as f: return f.read()

def new_key(name):
    must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", name)
    return name
def public(key): return " ".join(read(key + ".pub").decode().split()[:2])
def key_id(key): return sha(base64.b64decode(public(key).split()[1])).hex()
def signature(key, namespace, data): return must("ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", key, data=data)

def tree(leaves):  # RFC 6962 over leaf hashes
    if len(leaves) < 2: return leaves[0] if leaves else sha(b"")
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\1" + tree(leaves[:k]) + tree(leaves[k:]))
def root_of(git, name):  # the Muniment-Root of a git tree, and its number of files
    shards = {f"{i:02x}": [] for i in range(256)} | {"--": []}
    entries = sorted(e.split(b"\t", 1)[::-1] for e in must(*git, "ls-tree", "-r", "-z", name).split(b"\0") if e)
    for path, head in entries:
        shard = re.match(r"[^/]+/([0-9a-f]{2})/[0-9a-f]{2}/.", path.decode())
        data = must(*git, "cat-file", "blob", head.split()[2].decode())
        shards[shard[1] if shard else "--"].append(sha(data).hex().encode() + b"  " + path + b"\n")
    lines = [f"{s} {len(l)} {tree([sha(bytes(1) + x) for x in l]).hex()}\n".encode() for s, l in shards.items()]
    return tree([sha(bytes(1) + line) for line in lines]).hex(), len(entries)

def forge(archive, key, edits, text="An ordinary snapshot", first=None, second=None):
    """Sign a snapshot of an archive's newest one, or of first, as no honest program would; second makes it a join."""
    git = ("git", "--git-dir", archive + "/archive.git")
    first = first or must(*git, "rev-parse", "main").decode().strip()
    index = {"GIT_INDEX_FILE": os.path.abspath("forged.index")}
    if os.path.exists("forged.index"): os.remove("forged.index")
    must(*git, "read-tree", first, more=index)
    for path, data in edits.items():
        if data is None: must(*git, "update-index", "--index-info", data=f"0 {'0' * 40}\t{path}\n".encode(), more=index)
        else: must(*git, "update-index", "--add", "--cacheinfo", "100644," + must(*git, "hash-object", "-w", "--stdin", data=data).decode().strip() + "," + path, more=index)
    name = must(*git, "write-tree", more=index).decode().strip()
    parents = [must(*git, "cat-file", "commit", p) for p in (first, second) if p]
    field = lambda commit, name: re.findall(rf"^{name}: (.*)$", commit.decode(), re.M)[-1]
    cid = lambda commit: "b" + base64.b32encode(b"\1\x55\x12\x20" + sha(commit)).decode().lower().rstrip("=")
    when = int(re.search(rb"^committer .* (\d+) \+0000$", parents[0], re.M)[1]) + 60
    committer = re.search(rb"^committer (.*) \d+ \+0000$", parents[0], re.M)[1].decode()
    root, entries = root_of(git, name)
    seq = 1 + max(int(field(p, "Muniment-Seq")) for p in parents)
    head = f"tree {name}\n" + "".join(f"parent {p}\n" for p in (first, second) if p) + f"author Eve <eve@example.org> {when} +0000\ncommitter {committer} {when} +0000\n"
    body = (f"\n{text}\n\nMuniment-Archive: {field(parents[0], 'Muniment-Archive')}\nMuniment-Seq: {seq}\nMuniment-Root: sha256:{root}\n"
            f"Muniment-Entries: {entries}\nMuniment-Prev: {cid(parents[0])}\n" + (f"Muniment-Join: {cid(parents[1])}\n" if second else ""))
    armored = signature(key, "git", (head + body).encode()).decode().rstrip("\n").replace("\n", "\n ")
    commit = must(*git, "hash-object", "-t", "commit", "-w", "--stdin", data=f"{head}gpgsig {armored}\n{body}".encode()).decode().strip()
    must(*git, "update-ref", "refs/heads/main", commit)
    return commit
def copied(archive, name):
    muniment("clone", archive, name)
    return name
def fetched(archive, remote):  # whether a fetch takes what the remote shows
    return call(program, "-C", archive, "fetch", remote)[0] == 0

def owner_key(): return "keys/default"
def letters(name):  # an archive whose owner signs with the default key, and a helper who may sign snapshots only
    if not os.path.exists("keys"): muniment("key", "new")
    write("letter.txt", b"Tobias Lunt repaired the mill wheel in March.\n")
    muniment("init", name)
    muniment("-C", name, "add", "letter.txt")
    muniment("-C", name, "snapshot", "-m", "one")
    return name
def with_helper(name):
    letters(name)
    if not os.path.exists("helper"): new_key("helper")
    lines = must("git", "--git-dir", name + "/archive.git", "cat-file", "blob", "main:trust/allowed_signers") + f'helper namespaces="git" {public("helper")}\n'.encode()
    forge(name, owner_key(), {"trust/allowed_signers": lines}, "A helper")
    return name, lines

def first_root(archive, key, more="", owner=False):  # the text of version 1 of a trust root with one key for everything; the owner's for snapshots too
    commit = must("git", "--git-dir", archive + "/archive.git", "cat-file", "commit", "main").decode()
    of = re.findall(r"^Muniment-Archive: (.*)$", commit, re.M)[-1]
    lines = [f"key {role} eve {public(key)} {bounds}" for role, bounds in
             (("snapshot", "1 -"), ("withdraw", "1 -"), ("answer", "- -"), ("log", "- -"), ("policy", "1 -"))]
    if owner: lines.append(f"key snapshot owner {public(owner_key())} 1 -")
    return ("muniment/trust/v1\n" + f"archive {of}\nversion 1\nprev -\n" + more + "threshold snapshot 1 1\nthreshold withdraw 1 1\nthreshold answer 1 1\n"
            "threshold witness 0 0\nthreshold policy 1 1\n" + "\n".join(lines) + "\n")

def takeover():
    """A stranger introduces a trust root that gives it every role: fetch by the owner, and by a copy cloned with trust."""
    letters("ours")
    write("signers", must(program, "key", "trust"))
    muniment("clone", "ours", "pinned", "--trust", "signers")
    copied("ours", "evil")
    new_key("eve")
    text = first_root("evil", "eve", owner=True).encode()  # with the owner in it, whose old snapshots are to pass
    forge("evil", "eve", {"trust/root.txt": text, "trust/1/root.txt": text, f"trust/1/{key_id('eve')}.sshsig": signature("eve", "trust@muniment", text)})
    return [name for name in ("ours", "pinned") if fetched(name, os.path.abspath("evil"))]
def git_only_key():
    """A key for the namespace git alone changes the list of signers."""
    ours, lines = with_helper("shared")
    owner, helper = lines.decode().splitlines()[:2]
    new_key("friend")
    taken = []
    for name, text in {"empties the list": "", "removes the owner": helper + "\n", "admits a stranger": lines.decode() + f'friend namespaces="git" {public("friend")}\n',
                       "gives itself answers": owner + "\n" + helper.replace('"git"', '"git,answer@muniment"') + "\n", "drops the list": None}.items():
        evil, copy = copied(ours, "evil-" + name.split()[0]), copied(ours, "copy-" + name.split()[0])
        forge(evil, "helper", {"trust/allowed_signers": text if text is None else text.encode()})
        if fetched(copy, os.path.abspath(evil)): taken.append(name)
    return taken
def auditor_of_its_own():
    """A key for the namespace git alone adds a recipient of its own to the auditors, who open what later answers seal."""
    ours, _ = with_helper("audited")
    path = "policy/auditors.json"
    old = must("git", "--git-dir", ours + "/archive.git", "cat-file", "blob", "main:" + path)
    taken = []
    for name, data in {"adds itself": old.replace(b'"recipients":[', b'"recipients":["age1eve",'), "drops the auditors": None}.items():
        evil, copy = copied(ours, "evil-auditor-" + name[0]), copied(ours, "copy-auditor-" + name[0])
        forge(evil, "helper", {path: data})
        if fetched(copy, os.path.abspath(evil)): taken.append(name)
    return taken
def join_restores_trust():
    """The owner takes a helper's key away; the helper forks before that and joins, so that its own list of signers is kept."""
    ours, lines = with_helper("joined")
    evil = copied(ours, "evil-join")
    git = ("git", "--git-dir", evil + "/archive.git")
    before = must(*git, "rev-parse", "main").decode().strip()
    forge(ours, owner_key(), {"trust/allowed_signers": lines.splitlines(keepends=True)[0]}, "The helper has left")
    copy = copied(ours, "copy-join")
    must(*git, "fetch", "-q", os.path.abspath(ours) + "/archive.git", "main:refs/heads/theirs")
    theirs = must(*git, "rev-parse", "theirs").decode().strip()
    mine = forge(evil, "helper", {}, "A fork", first=before)
    forge(evil, "helper", {}, "A join", first=mine, second=theirs)
    must(*git, "update-ref", "-d", "refs/heads/theirs")
    return ["the join is taken"] if fetched(copy, os.path.abspath(evil)) else []
def proofs(archive):  # of a paragraph and of an artifact
    return [write(archive + ".paragraph.json", muniment("-C", archive, "cat", "letter.txt", "--span", "p1", "--proof")),
            write(archive + ".artifact.json", muniment("-C", archive, "show", "letter.txt", "--proof"))]
def verdict(proof, root): return call(program, "verify", proof, "--trust", root)[0]
def other_archive():
    """One key signs in two archives; a proof of the second is shown to a verifier with the trust root of the first."""
    letters("first"), letters("second")
    write("first-root", first_root("first", owner_key()).encode())
    return [p for p in proofs("second") if verdict(p, "first-root") == 0]
def ended_key():
    """A key that the root ends at snapshot 5 makes a proof and says that it is of snapshot 1."""
    letters("old")
    write("ended-root", first_root("old", owner_key()).replace(" 1 -\nkey withdraw", " 1 5\nkey withdraw").encode())
    return [p for p in proofs("old") if verdict(p, "ended-root") == 0]
def freeze():
    """A verifier is shown old things only. Its root can say that it must be replaced, and then it is not VALID."""
    letters("frozen")
    late = first_root("frozen", owner_key(), "expires 2020-01-01T00:00:00Z\n").replace("trust/v1", "trust/v2", 1)
    write("late-root", late.encode())
    write("good-root", late.replace("2020", "2999").encode())
    return [f"{p}: exit {verdict(p, 'good-root')} before the end, {verdict(p, 'late-root')} after" for p in proofs("frozen") if (verdict(p, "good-root"), verdict(p, "late-root")) != (0, 3)]

def shared(archive, repository):  # by sync, which copies the answer log to its ref
    must("git", "init", "-q", "--bare", repository)
    muniment("-C", archive, "remote", "add", "host", os.path.abspath(repository))
    muniment("-C", archive, "sync")
def junk_in_refs():
    """A mirror without a key adds files and parents to the countersignatures and to a log's ref; a copy that syncs stores none of it."""
    letters("mirrored")
    muniment("-C", "mirrored", "ask", "What did Tobias Lunt repair?")
    muniment("-C", "mirrored", "snapshot", "--countersign", "--key", new_key("cosigner"))
    shared("mirrored", "mirror.git")
    git = ("git", "--git-dir", "mirror.git", "-c", "user.name=x", "-c", "user.email=x@y")
    refs = must(*git, "for-each-ref", "--format=%(refname)", "refs/muniment/cosigs", "refs/muniment/log").decode().split()
    if len(refs) != 2: sys.exit(f"refs to spoil: {refs}")
    taken, junk, muniment_copy = [], sha(b"junk").hex(), copied("mirror.git", "before-junk")
    for ref in refs:
        tip, blob = must(*git, "rev-parse", ref).decode().strip(), must(*git, "hash-object", "-w", "--stdin", data=junk.encode()).decode().strip()
        listing = must(*git, "ls-tree", ref) + f"100644 blob {blob}\tjunk\n".encode()
        commit = lambda tree, text, *parents: must(*git, "commit-tree", "-m", text, tree, *(x for p in parents for x in ("-p", p))).decode().strip()
        spoiled = must(*git, "mktree", data=listing).decode().strip()
        for name, made in {"a file at the tip": commit(spoiled, "x", tip), "a file in a parent": commit(tip + "^{tree}", "x", commit(spoiled, "x", tip)),
                           "the text of a commit": commit(tip + "^{tree}", junk, tip)}.items():
            must(*git, "update-ref", ref, made)
            call(program, "-C", muniment_copy, "sync"), call(program, "clone", "mirror.git", "clone-of-junk")
            for copy in (muniment_copy, "clone-of-junk"):
                if junk.encode() in must("git", "--git-dir", copy + "/archive.git", "cat-file", "--batch-all-objects", "--batch"): taken.append(f"{ref}: {name} in {copy}")
                if call(program, "-C", copy, "verify")[0] == 1: taken.append(f"{ref}: {name} makes {copy} INVALID")
            shutil.rmtree("clone-of-junk")
            must(*git, "update-ref", ref, tip)
    return taken
def flipped_tile():
    """One byte of a tile of the answer log is changed on the disk of its owner; the copy of the log that others take stays true."""
    letters("logged")
    muniment("-C", "logged", "ask", "What did Tobias Lunt repair?")
    shared("logged", "log.git")
    before = must("git", "--git-dir", "log.git", "for-each-ref", "refs/muniment/log")
    if not before: sys.exit("the log is not shared")
    muniment("-C", "logged", "ask", "When was the mill wheel repaired?")
    files = [p for p in glob.glob("logged/archive.local/log/**/*", recursive=True) if os.path.basename(p) in ("entries", "hashes")]
    if not files: sys.exit("the log has no files to change")
    taken = []
    for path in files:
        good = read(path)
        write(path, bytes([good[0] ^ 1]) + good[1:])
        call(program, "-C", "logged", "sync")  # mends the byte, or sends nothing
        copied("log.git", "log-copy")
        shown = must("git", "--git-dir", "log.git", "for-each-ref", "refs/muniment/log"), must("git", "--git-dir", "log-copy/archive.git", "for-each-ref", "refs/muniment/log")
        if shown[0] != shown[1] or call(program, "-C", "log-copy", "log", "check")[0]: taken.append(os.path.basename(path) + ": a clone does not take the log")
        shutil.rmtree("log-copy")
        write(path, good)
    if call(program, "-C", "logged", "sync")[0] or must("git", "--git-dir", "log.git", "for-each-ref", "refs/muniment/log") == before: taken.append("the true log is not sent")
    return taken
def opened_by_helper():
    """A key for the namespace git alone opens a paper that the owner hides, or drops its consent."""
    ours, _ = with_helper("hiding")
    muniment("-C", ours, "consent", "letter.txt", "--preset", "hidden", "--reason", "family wish")
    muniment("-C", ours, "snapshot", "-m", "hidden")
    git = ("git", "--git-dir", ours + "/archive.git")
    path = must(*git, "ls-tree", "-r", "--name-only", "main").decode()
    path = next(p for p in path.split() if p.endswith(".consent.json"))
    closed = must(*git, "cat-file", "blob", "main:" + path)
    opened = closed.replace(b"false", b"true")
    if opened == closed: sys.exit("the consent closes nothing")
    taken = []
    for name, data in {"opens it": opened, "drops the consent": None}.items():
        evil, copy = copied(ours, "evil-consent-" + name[0]), copied(ours, "copy-consent-" + name[0])
        forge(evil, "helper", {path: data})
        if fetched(copy, os.path.abspath(evil)): taken.append(name)
    return taken
def main_lost():
    """The branch of an archive is lost; its owner's next snapshot would begin a second history with the same key."""
    letters("lost")
    os.remove("lost/archive.git/refs/heads/main")
    write("more.txt", b"The wheel broke again in May.\n")
    taken = []
    for args in (("add", "more.txt"), ("snapshot", "-m", "again")):
        if call(program, "-C", "lost", *args)[0] == 0: taken.append(" ".join(args) + " exits 0")
    if os.path.exists("lost/archive.git/refs/heads/main"): taken.append("there is another history")
    muniment("-C", "lost", "repair", "--yes")
    if call(program, "-C", "lost", "verify")[0] == 1: taken.append("repair does not bring it back")
    return taken

failed = 0
for attack in (takeover, git_only_key, auditor_of_its_own, join_restores_trust, other_archive, ended_key, freeze, junk_in_refs, flipped_tile, opened_by_helper, main_lost):
    if chosen and attack.__name__ not in chosen: continue
    broken = attack()
    failed += bool(broken)
    print(f"{'BROKEN' if broken else 'held':7} {attack.__name__:20} {attack.__doc__}" + "".join(f"\n{'':8}{b}" for b in broken), flush=True)
sys.exit(failed > 0)
