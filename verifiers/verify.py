#!/usr/bin/env python3
"""Verify Muniment bundles as docs/spec/bundle.md says. Decided are integrity (steps 1 to 9), signer threshold and archive (10), log inclusion and
cosignatures (11), what the log proof shows of the log before (12), display completeness (14) and gate re-evaluation (17); every other axis
is reported NOT-CHECKED, and so are witnesses and consistency where nothing fails. Verify evidence of two histories as
docs/spec/evidence.md says. Standard library only."""
import argparse, base64, datetime, functools, hashlib, json, os, re, stat, struct, sys, zlib
AXES = ("integrity,signer threshold,archive,revocation,expiry,log inclusion,witnesses,consistency,request binding,display completeness,sealed layer,artifact and span,gate re-evaluation,truth").split(",")
NAMESPACE, REVIEWS, MAX_BUNDLE, MAX_INT = b"answer@muniment", b"review@muniment", 64 << 20, 2**53 - 1
HEX64, NUM, SCOPE, SUBSET = r"[0-9a-f]{64}", r"(?:0|[1-9][0-9]{0,18})", r"[a-z][a-z0-9-]{0,30}", r"[1-5](?:-[1-5]){1,4}"
NAMES = re.compile(rf"statement|SHA256SUMS|log\.proof|sigs/{HEX64}\.sshsig|leaves/[0-9]{{5}}\.json|sealed/{SCOPE}(?:\.{SUBSET})?\.age")
def need(holds, why):
    if not holds: raise ValueError(why)
def sha256(*parts): return hashlib.sha256(b"".join(parts)).digest()
def unbase64(text):
    raw = base64.b64decode(text, validate=True)
    need(base64.b64encode(raw).decode() == text, "base64 has another form")
    return raw # Ed25519: RFC 8032 5.1, without the cofactor, points in extended coordinates.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)
def add(p, q):
    a, b, c, d = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0]), 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P
def times(n, p): return functools.reduce(lambda q, bit: add(add(q, q), p) if bit == "1" else add(q, q), bin(n)[2:], (0, 1, 1, 0))
def point(raw):
    y, sign = int.from_bytes(raw, "little") & (2**255 - 1), raw[31] >> 7 if len(raw) == 32 else 2
    xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    x = x if x * x % P == xx else x * ROOT % P
    need(sign < 2 and y < P and x * x % P == xx and (x or not sign), "a point is not on the curve, or not canonical")
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P
BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
def ed25519(key, signature, message):
    s, (x, y, z, t) = int.from_bytes(signature[32:], "little"), point(key)
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    x, y, z, _ = add(times(s % L, BASE), times(k, (P - x, y, z, P - t)))
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return len(signature) == 64 and s < L and (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32] # OpenSSH: keys, signatures (PROTOCOL.sshsig), allowed_signers.
def fields(raw, n):  # n length-prefixed fields, and what is behind them
    end = 4 + int.from_bytes(raw[:4], "big")
    need(not n or 4 <= len(raw) and end <= len(raw), "a field is cut off")
    return (raw[4:end], *fields(raw[end:], n - 1)) if n else (raw,)
def ssh_key(blob):
    kind, key, rest = fields(blob, 2)
    application, rest = fields(rest, 1) if kind == b"sk-ssh-ed25519@openssh.com" else (b"", rest)
    need((kind == b"ssh-ed25519" or re.fullmatch(rb"[!-~]{1,255}", application)) and not rest and times(8, point(key))[0] != 0, "a key is not Ed25519, or of a small order")
    return kind, key, application
def ssh_signature(text):  # the key's blob and point, whether it is plain, and a function that verifies a message
    armor = re.fullmatch(rb"-----BEGIN SSH SIGNATURE-----\n((?:[^\n]{70}\n)*[^\n]{1,70}\n)-----END SSH SIGNATURE-----\n", text)
    need(armor and len(text) <= 2048, "it is not armored as ssh-keygen does")
    raw = unbase64(armor[1].replace(b"\n", b"").decode())
    blob, namespace, reserved, hashed, inner, behind = fields(raw[10:], 5)
    (kind, key, application), (signed, signature, rest) = ssh_key(blob), fields(inner, 2)
    need(raw[:10] == b"SSHSIG\0\0\0\1" and re.fullmatch(rb"[!-~]{1,255}", namespace) and not reserved + behind and hashed in (b"sha256", b"sha512") and signed == kind and len(signature) == 64 and int.from_bytes(signature[32:], "little") < L
         and (len(rest) == 5 and rest[0] & 0xC1 == 1 if application else not rest), "its fields have another form")
    def verifies(message, wanted=NAMESPACE):
        parts = wanted, b"", hashed, hashlib.new(hashed.decode(), message).digest()
        message = b"SSHSIG" + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        message = sha256(application) + rest + sha256(message) if application else message
        return namespace == wanted and ed25519(key, signature, message)
    return blob, key, not application, verifies
OPTION = r'(?:(?ai:cert-authority)|(?ai:namespaces)="[!#-\[\]-~]*"|(?ai:valid-(?:after|before))="[0-9]{8}(?:[0-9]{4}(?:[0-9]{2})?)?Z?")'
SIGNERS = re.compile(rf'(?:"([^"\\]*)"|([^ \t"\\]+))[ \t]+(?:({OPTION}(?:,{OPTION})*)[ \t]+)?(ssh-ed25519|sk-ssh-ed25519@openssh\.com)[ \t]+([A-Za-z0-9+/=]+)([ \t].*)?')
def patterns(text): return all(re.fullmatch(rb"!.{1,255}|[^!].{0,254}", p, re.S) for p in text.encode().split(b","))
def moment(time):  # the digits of a real time, and whether it has a Z; the calendar repeats after 400 years
    digits = time.rstrip("Z").ljust(14, "0")
    return datetime.datetime.strptime(f"{2000 + int(digits[:4]) % 400}{digits[4:]}", "%Y%m%d%H%M%S") and (digits, time[-1] == "Z")
def allowed_signers(raw):  # for each namespace the keys that may sign under it, each with the archive that its line names, or ""; for "" all keys
    text, keys = raw.decode(), {NAMESPACE: set(), b"git": set(), REVIEWS: set(), b"": set()}
    need(not re.search(r"[\0-\x08\x0b-\x1f\x7f]", text), "it has another line end, or a control character")
    for line in filter(lambda s: s and s[0] != "#", (s.strip(" \t") for s in text.split("\n"))):
        m = SIGNERS.fullmatch(line)
        need(m and patterns(m[1] or m[2] or ""), "a line has another form")
        listed = [(name.lower(), value) for name, value in re.findall(r'([A-Za-z-]+)(?:="([^"]*)")?', m[3] or "")]
        options, blob = {"namespaces": "*", **dict(listed)}, unbase64(m[5])
        need(len(dict(listed)) == len(listed) and patterns(options["namespaces"]), "an option is there twice, or has another form")
        after, before = (moment(options[name]) if name in options else ("", name) for name in ("valid-after", "valid-before"))
        named = [word.partition("=")[2] for word in re.split("[ \t]+", m[6] or "") if word.startswith("muniment-archive=")]
        need(len(named) < 2 and all(is_id(name, JSON) for name in named), "its archive is named twice, or is no ID")
        need(ssh_key(blob)[0] == m[4].encode() and (after[1] != before[1] or after < before), "a key is of another kind, or its times are reversed")
        for wanted in keys:
            hits = {p[0] == "!" for p in options["namespaces"].split(",") if re.fullmatch(re.escape(p[p[0] == "!":]).replace(r"\*", ".*").replace(r"\?", "."), wanted.decode())}
            keys[wanted] |= {(blob, "".join(named))} if not wanted or hits == {False} and "cert-authority" not in options else set()
    return keys # Merkle trees (RFC 6962), and the proof of a log (C2SP tlog-proof, tlog-checkpoint, signed-note).
def tree(hashes):
    half = 1 << max(len(hashes) - 1, 0).bit_length() >> 1
    return sha256(b"\1", tree(hashes[:half]), tree(hashes[half:])) if half else hashes[0] if hashes else sha256()
def climb(node, index, size, path):  # the root to which the path leads (RFC 6962 2.1.1), or None
    if size <= 1 or not path: return node if index == 0 and size == 1 and not path else None
    half = 1 << (size - 1).bit_length() - 1
    below = climb(node, index, half, path[:-1]) if index < half else climb(node, index - half, size - half, path[:-1])
    return below and (sha256(b"\1", below, path[-1]) if index < half else sha256(b"\1", path[-1], below))
HASH, RAW, JSON = r"[A-Za-z0-9+/]{43}=", b"\x01\x55\x12\x20", b"\x01\x80\x04\x12\x20"
PROOF = re.compile(rf"c2sp\.org/tlog-proof@v1\nindex ({NUM})\n((?:{HASH}\n){{0,63}})\n" rf"(([!-*,-~]{{1,255}})\n({NUM})\n({HASH})\n)\n((?:\u2014 (?:\4|muniment/witness/{HEX64}|(?!muniment/witness/)[^+\0-\x20\x7f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+) [A-Za-z0-9+/=]+\n){{1,100}})")
def log_proof(raw):
    m = PROOF.fullmatch(raw.decode())
    need(m and len(raw) - len(raw[:m.start(3)]) <= 65536 and max(int(m[1]), int(m[5])) < 2**63, "it is not a tlog-proof")
    index, size, root, path = int(m[1]), int(m[5]), unbase64(m[6]), [unbase64(h) for h in m[2].split()]
    lines = [(line.split(" ")[1], unbase64(line.split(" ")[2])) for line in m[7].split("\n")[:-1]]
    foreign = [line for line in m[7].encode().split(b"\n")[:-1] if not line[4:].startswith((m[4].encode() + b" ", b"muniment/witness/"))]
    need(len(foreign) <= 16 and sum(map(len, foreign)) + len(foreign) <= 4096, "it has too many lines of witnesses that nobody here knows")
    need((size or root == sha256()) and all(len(s) > 4 for _, s in lines) and len({(n, s[:4]) for n, s in lines}) == len(lines) and m[7].count(f"\u2014 {m[4]} ") < 2, "its root or its signatures")
    return index, path, m[3].encode(), m[4], size, root, lines # What is newer than this verifier (docs/spec/versions.md): the versions that it reads, and why it does not read one.
READ = {"muniment/answer": 1, "muniment/leaf": 3, "muniment/gate": 1, "rank": 4, "muniment/citation": 3, "muniment/record": 2, "muniment/evidence": 1, "muniment/log-conflict": 2, "muniment/snapshot-form": 1}
LATER, KEYS = re.compile("[a-z][a-z0-9-]{0,30} [ -~]+"), "archive,id,issued,request,outcome,leaves,root,sums,display,sealed,policy,trust,after".split(",")
@functools.lru_cache(99)
def newer(name, *bases):
    m = re.fullmatch("([a-z/-]+)/v([1-9][0-9]{0,5})", str(name))
    return f"made by a newer program; version {m[2]} of {m[1]} reads it" if m and m[1] in bases and int(m[2]) > READ[m[1]] else "" # The statement and the leaves.
STATEMENT = re.compile(rf"muniment/answer/v1\narchive (b[a-z2-7]{{60}})\nid ([0-9a-f]{{32}})\nissued ([0-9-]{{10}}T[0-9:]{{8}})Z\n" rf"request {HEX64}\noutcome (answer|partial|refusal)\nleaves (64|256|1024|4096)\nroot ({HEX64})\nsums ({HEX64})\n"
    rf"display ({NUM})\n((?:sealed {SCOPE} (?:-|{SUBSET}) {HEX64}\n){{1,16}})policy {HEX64}\ntrust {HEX64}\n" rf"after (muniment/(b[a-z2-7]{{60}})/answers/({HEX64})/({NUM})) ({NUM}) ({HEX64})\n")
def is_id(text, *codecs):
    raw = base64.b32decode(text[1:].upper() + "=" * (-(len(text) - 1) % 8)) if form("b[a-z2-7]{58}|b[a-z2-7]{60}")(text) else b""
    return raw[:-32] in codecs and text[1:] == base64.b32encode(raw).decode().lower().rstrip("=")
def read_statement(raw):
    text, (head, *lines, end) = raw.decode("ascii"), [*raw.decode("ascii").split("\n"), ""][:-1] if b"\n" in raw else ("", "")
    late = newer(head, "muniment/answer")
    need(not late or not end and all(map(LATER.fullmatch, lines)), "a line has another form")
    m = STATEMENT.fullmatch("\n".join(["muniment/answer/v1", *(line for line in lines if line.split(" ")[0] in KEYS), ""]) if late else text)
    need(m and len(raw) <= 4096, "it has another form")
    issued, (display, epoch, size) = datetime.datetime.fromisoformat(m[3]), map(int, m.group(8, 13, 14))
    keys = [(scope, subset.strip("-")) for scope, subset in re.findall(r"sealed (\S+) (\S+)", m[9])]
    need(keys == sorted(set(keys)) and all(list(u) == sorted(set(u)) for u in (u.replace("-", "") for _, u in keys)) and not any(subset and (scope, "") in keys for scope, subset in keys), "sealed is not in order, or a scope is sealed as a whole and to subsets")
    need(issued.isoformat() == m[3] and issued.year >= 1970 and is_id(m[1], JSON) and m[11] == m[1] and display < int(m[5]) and 1 <= epoch <= MAX_INT and size <= MAX_INT and (size or m[15] == sha256().hex()), "a time, an ID or a number is out of range")
    sealed = {f"sealed/{s}{u and '.' + u}.age": h for (s, u), h in zip(keys, re.findall(rf"({HEX64})\n", m[9]))}
    return dict(id=m[2], outcome=m[4], leaves=int(m[5]), root=m[6], sums=m[7], display=display, archive=m[1], issued=m[3] + "Z", after=m[10], key=m[12], size=size, before=m[15], sealed=sealed, newer=late)
def form(pattern): return lambda v: isinstance(v, str) and re.fullmatch(pattern, v, re.S) is not None
def number(low, high=MAX_INT): return lambda v: type(v) is int and low <= v <= high
def many(check): return lambda v: isinstance(v, list) and all(map(check, v))
def group(line, **more):
    checks = {**{name: CHECKS[check] for name, check in (part.split(":") for part in line.split())}, **more}
    return lambda v: isinstance(v, dict) and v.keys() == checks.keys() and all(check(v[name]) for name, check in checks.items())
LABELS = dict(direct_quote="their words", paraphrase="paraphrased", inference_from="interpreted from", metadata_fact="record of the archive", aggregation="counted from")
NO_INPUTS = dict(aligned=False, entailed="", inputs_resolve=False, marker=False, match="", narrowed=False, relation="", span_resolves=False)
RUNG, REFUSED = "supported|narrowed|labeled|refused", "category|retrieval|coverage|consent|assembly"
CHECKS = dict(id=form("[0-9a-f]{32}"), text=form(".*"), some=form(".+"), flag=lambda v: isinstance(v, bool), int=number(-MAX_INT), count=number(1),
              from0=number(0), index=number(0, 4095), indexes=lambda v: many(CHECKS["index"])(v) and len(set(v)) == len(v), texts=lambda v: many(form(".*"))(v) and len(v) <= 100,
              hash=form(HEX64), hashes=many(form(HEX64)), rung=form(RUNG), gated=form("|" + RUNG), refused=form(REFUSED), true=form("|" + REFUSED),
              stage=form("category|coverage|consent"), verdict=form("yes|no|doubt"), role=form("answer|nearest"), handle=form("Source [A-Z]{1,3}"), relation=form("|".join(LABELS)),
              raw=lambda v: is_id(v, RAW), json=lambda v: is_id(v, JSON), any=lambda v: is_id(v, RAW, JSON))
LINE = group("digest:text index:int inner:texts path:text")
PROVED = group("absent:text count:int outer:texts shard:text shard_root:text", lines=many(lambda v: isinstance(v, dict) and v.get("inner") != [] and LINE({"inner": [], **v})))
KINDS_PROOF = lambda v: isinstance(v, dict) and v.get("absent") != "" and v.get("lines") != [] and PROVED({"absent": "", "lines": [], **v})
KINDS = {kind: group("answer:id index:index kind:text salt:hash type:text " + line, **more) for kind, line, more in (("claim", "claim:count text:some rung:rung restricted:flag cites:indexes gate:index", {}),
    ("cite", "claim:count handle:handle relation:relation label:text contradicts:flag restricted:flag chunks:indexes source:index", {}),
    ("chunk", "text:some", {}), ("removed", "topic:some reason:some", {}), ("pad", "", {}),
    ("source", "citation:json citation_json:text artifact:any record:json snapshot:raw seq:int span:text quote_sha256:hash prefix:text suffix:text "
     "quote:text record_json:text commit:text", dict(paragraphs=many(group("kind:text ordinal:int text:text proof:hashes")),
        record_proof=KINDS_PROOF)),
    ("gate", "stage:stage claim:from0 query:text rung:gated table:text true_kind:true notes:texts", dict(failed=many(group("rung:text test:text")),
        inputs=group(" ".join(f"{name}:{'flag' if value is False else 'text'}" for name, value in NO_INPUTS.items())))), ("refusal", "refusal_kind:refused message:some suggestions:texts topic:text", {}),
    ("display", "shown:indexes keep:indexes outcome_rung:rung requestor_tier:some", {}))}
HEAD, GATE = "answer:id index:index kind:text salt:hash type:text ", KINDS["gate"]
RANKED = group("table:some score:int high:int low:int", features=lambda v: many(group("name:text value:int"))(v) and len(v) <= 100)
JUDGED = group("model:some prompt_sha256:hash reply_sha256:hash verdict:verdict")
KINDS2 = {  # leaves of the second version
    "claim": group(HEAD + "claim:count text:some rung:gated role:role restricted:flag cites:indexes gate:index"),
    "cite": lambda v: isinstance(v, dict) and KINDS["cite"]({k: x for k, x in v.items() if k not in ("title", "date")}) and all(v.get(k) is None or CHECKS["some"](v[k]) for k in ("title", "date")),
    "gate": lambda v: isinstance(v, dict) and GATE({name: "consent" if (name, value) == ("stage", "rank") else value for name, value in v.items() if name not in ("role", "rank", "judge")})
        and ("rank" in v) == (v["stage"] == "rank") and ("role" not in v or v["stage"] == "rank" and CHECKS["role"](v["role"])) and ("rank" not in v or RANKED(v["rank"]))
        and ("judge" not in v or v["stage"] == "coverage" and JUDGED(v["judge"])), "question": group(HEAD + "text:some")}
# Reviews of persons (docs/spec/review.md), in leaves of the third version.
REASONS = {"follows": {"meaning": "the words say it in other words", "same": "the words say it as the claim does", "computed": "it can be counted or computed from the words"},
    "not": {"missing": "the words do not say it", "contradicts": "the words say the opposite or something else", "scope": "the words say it only as a report, a condition or a fiction",
            "restriction": "the claim leaves out a limit that the words set", "referent": "somebody or something else is meant", "misread": "the text is not what the original says"},
    "unsure": {"context": "more of the paper is needed", "language": "the language is not understood well enough", "expertise": "it takes knowledge of the subject", "illegible": "the words cannot be read"}}
def day(text):  # the words for it: 3 May 2026
    m = re.fullmatch("([0-9]{4})-([0-9]{2})-([0-9]{2})", text, re.A)
    need(m, "a day has another form")
    at = datetime.date(2000 + int(m[1]) % 400, int(m[2]), int(m[3]))
    return f"{at.day} {'January February March April May June July August September October November December'.split()[at.month - 1]} {m[1]}"
def canonical(v): return json.dumps(v, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
@functools.lru_cache(999)
def read_review(text):  # its members, with the key's blob and point, its ID, and who wrote it
    raw, r = text.encode(), json.loads(text)
    need(len(raw) <= 4096 and isinstance(r, dict) and plain(r) and raw == canonical(r) and r.get("type") == "muniment/review/v1", "a review is not canonical, or of another type")
    need(all(map(form(".+"), r.values())) and {"artifact", "day", "reason", "signature", "subject", "surroundings", "type", "verdict"} <= r.keys() <= {"artifact", "day", "name", "reason", "replaces", "signature", "subject", "surroundings", "type", "verdict"}
         and CHECKS["any"](r["artifact"]) and CHECKS["hash"](r["subject"]) and CHECKS["hash"](r["surroundings"]) and r["reason"] in REASONS.get(r["verdict"], ()) and ("replaces" not in r or is_id(r["replaces"], JSON)), "a review has other members")
    name = r.get("name", "")
    need(len(name.encode()) <= 100 and name.isprintable() and name == name.strip(" ") and day(r["day"]), "the name of a reviewer is no line")
    blob, key, _, verifies = ssh_signature(r["signature"].encode())
    need(verifies(canonical({k: v for k, v in r.items() if k != "signature"}), REVIEWS), "the signature of a review is wrong")
    return {**r, "blob": blob, "key": key, "id": "b" + base64.b32encode(JSON + sha256(raw)).decode().lower().rstrip("="), "by": name or "reviewer " + sha256(blob).hex()[:8]}
def reviewed(leaf):  # the reviews in a leaf, which are all of its claim, span and quote
    out = [{**kept, **read_review(kept["review"])} for kept in leaf["reviews"]]
    for r in out:
        of_what = {"type": "muniment/review-subject/v1", "artifact": r["artifact"], "claim": leaf["text"], "span": leaf["span"], "words": leaf["quote"], "surroundings": r["surroundings"]}
        need(sha256(canonical(of_what)).hex() == r["subject"] and r["artifact"] == out[0]["artifact"], "a review is of another claim or of other words")
    need(len({r["id"] for r in out}) == len(out) and re.search("[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]", leaf["text"]), "a review is there twice, or its claim is empty")
    return out
def weigh(leaf):  # what persons make of a citation, and the words for it
    all_of, who = reviewed(leaf), lambda r: r["by"] + (r["organisation"] and " of " + r["organisation"])
    counted = [r for r in all_of if not r["not"] and not any(o.get("replaces") == r["id"] and o["key"] == r["key"] for o in all_of)]
    yes, no = ([r for r in counted if r["verdict"] == verdict] for verdict in ("follows", "not"))
    checked = ", and ".join(f"{who(r)} checked it on {day(r['day'])}" for r in yes)
    denied = "; ".join(f"{who(r)} said on {day(r['day'])} that it does not follow: {REASONS['not'][r['reason']]}" for r in no)
    have = len({r["organisation"] for r in yes})
    if yes and no: return "disputed", f"disputed: {checked}, {denied}"
    if no: return ("contradicted", "contradicted: " + denied) if any(r["reason"] == "contradicts" for r in no) else ("not_shown", "unverified: " + denied)
    if have >= leaf["needed"]: return "follows", "verified: " + checked
    return "", "unverified: " + (f"{leaf['needed'] - have} more of another organisation must check it" if have else f"{leaf['needed']} of different organisations must check it first") + ", as the profile asks for it"
KINDS3 = {"reviews": group(HEAD + "cite:index claim:count quote:text span:some text:some", needed=number(1, 8), outcome=form("|follows|not_shown|contradicted|disputed"),
    reviews=lambda v: isinstance(v, list) and 1 <= len(v) <= 8 and all(map(group("commit:text not:text organisation:text review:text seq:count snapshot:raw", proof=KINDS_PROOF), v)))}
def plain(v, depth=1):
    if not isinstance(v, (dict, list)): return isinstance(v, (str, bool)) or number(-MAX_INT)(v)
    names, inner = (v, v.values()) if isinstance(v, dict) else ((), v)
    return depth <= 8 and all(map(form("[a-z][a-z0-9_]*"), names)) and all(plain(i, depth + 1) for i in inner)
def read_leaf(raw):
    leaf = json.loads(raw.decode()) if len(raw) <= 65536 else None
    need(isinstance(leaf, dict) and plain(leaf) and raw == json.dumps(leaf, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(), "it is not canonical")
    late = newer(leaf.get("type"), "muniment/leaf")
    need(not late or all(CHECKS[check](leaf.get(name)) for name, check in dict(answer="id", index="index", kind="some", salt="hash").items()), "it has not the members of every leaf")
    if late: return {"answer": leaf["answer"], "index": leaf["index"], "newer": late}
    kind, coverage, kinds = str(leaf.get("kind")), leaf.get("stage") == "coverage", {"muniment/leaf/v1": KINDS, "muniment/leaf/v2": KINDS2, "muniment/leaf/v3": KINDS3}.get(str(leaf.get("type")), {})
    need(kind in kinds and kinds[kind](leaf), "its members are not those of its kind")
    if kind == "reviews": reviewed(leaf)
    need(kind != "claim" or (leaf["rung"] == "") == (leaf.get("role") == "nearest"), "its rung and its role disagree")
    need(kind != "cite" or leaf["label"] == LABELS[leaf["relation"]] and not (leaf["restricted"] and leaf["chunks"]), "its members disagree")
    need(kind != "source" or is_id(leaf["artifact"], JSON if leaf["span"].startswith("meta:") else RAW), "its artifact is of another codec")
    need(kind != "gate" or (not leaf["query"] or leaf["stage"] == "category") and (leaf["rung"] and leaf["table"] if coverage else
         not (leaf["rung"] or leaf["table"] or leaf["failed"]) and leaf["inputs"] == NO_INPUTS), "it has the members of another stage")
    need(kind != "display" or sorted({*leaf["keep"]} & {*leaf["shown"]}) == leaf["keep"] and leaf["index"] not in leaf["shown"], "keep or shown is wrong")
    return leaf
# Files: a folder, or a zip of exactly one form.
def zipped(files):
    out, directory = bytearray(), bytearray()
    for name, data in sorted((name.encode(), data) for name, data in files.items()):
        same = struct.pack("<HHHHIIIH", 0, 0, 0, 33, zlib.crc32(data), len(data), len(data), len(name))
        directory += b"PK\1\2" + struct.pack("<HH", 0x314, 10) + same + struct.pack("<HHHHII", 0, 0, 0, 0, 0o100644 << 16, len(out)) + name
        out += b"PK\3\4" + struct.pack("<H", 10) + same + b"\0\0" + name + data
    return out + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), len(out), 0)
def contents(path, most=MAX_BUNDLE, cut=False):
    need(stat.S_ISREG(os.stat(path).st_mode), "it is not a regular file")
    with open(path, "rb") as f: raw = f.read(most + 1)
    need(cut or len(raw) <= most, "it is too large")
    return raw
PAGE_BEGIN, PAGE_DATA, PAGE_END = b'<!doctype html>\n<html lang="en" data-muniment="', b'<script type="application/zip;base64" id="bundle">\n', b"</script>\n"
def read_files(path):  # and the page that holds them, or None
    files, most, folder, page = {}, MAX_BUNDLE, os.path.isdir(path), None
    walk = os.walk(path, onerror=lambda e: need(False, "a folder cannot be read")) if folder else ()
    for full in (os.path.join(top, name) for top, folders, names in walk for name in folders + names):
        name, mode = os.path.relpath(full, path).replace(os.sep, "/"), os.lstat(full).st_mode
        need(stat.S_ISREG(mode) and NAMES.fullmatch(name) or stat.S_ISDIR(mode) and name in ("sigs", "leaves", "sealed"), f"{name}: no such name")
        if stat.S_ISREG(mode): files[name] = contents(full, most)
        most -= len(files.get(name, b""))
    raw = b"" if folder else contents(path)
    if raw.startswith(PAGE_BEGIN):
        need(len(raw) <= 8 << 20, "page: it is too large")
        page, raw = raw, of("page", unbase64, raw.partition(PAGE_DATA)[2].partition(PAGE_END)[0].replace(b"\n", b"").decode("latin-1"))
    rest = memoryview(raw)
    while rest[:4] == b"PK\3\4":
        size, named = struct.unpack("<IH", rest[22:28])
        files[bytes(rest[30:30 + named]).decode()], rest = bytes(rest[30 + named:30 + named + size]), rest[30 + named + size:]
    need(folder or zipped(files) == raw and all(map(NAMES.fullmatch, files)), "zip: another form, or a name that no bundle has")
    return files, page and (page, raw)
def of(name, read, raw):
    try: return read(raw)
    except (ValueError, RecursionError) as e: raise ValueError(f"{name}: {e}")
def references(leaves, leaf, limit):
    to = {"claim": [("cite", j) for j in leaf.get("cites", ())] + [("gate", leaf.get("gate"))], "display": [(None, j) for j in leaf.get("shown", ())],
          "reviews": [("cite", leaf.get("cite"))], "cite": [("chunk", j) for j in leaf.get("chunks", ())] + [("source", leaf.get("source"))]}.get(leaf["kind"], ())
    for kind, j in to:
        other = leaves.get(j, {})
        need(leaf.get("role") != "nearest" or other.get("relation") in (None, "direct_quote"), f"leaf {leaf['index']}: one of the nearest passages is no direct quote")
        own = leaf["kind"] not in ("claim", "reviews") or not other or (other.get("claim"), other.get("stage", "coverage")) == (leaf["claim"], "coverage")
        need(own and j < limit and kind in (None, other.get("kind", kind)), f"leaf {leaf['index']}: leaf {j} is no {kind} of it")
def integrity(path):
    files, page = read_files(path)
    names = {kind: sorted(n for n in files if n.startswith(kind)) for kind in ("sigs/", "leaves/", "sealed/")}
    need({"statement", "SHA256SUMS", "log.proof"} <= files.keys() and 1 <= len(names["sigs/"]) <= 16 and sum(len(files[n]) for n in names["leaves/"]) <= 4 << 20, "a file is missing, or too many")
    s, sums, leaves = of("statement", read_statement, files["statement"]), files["SHA256SUMS"], {}
    commitments = [line[:64].decode("latin-1") for line in sums.split(b"\n")[:-1]]
    need(sums == b"".join(f"{c}  leaves/{i:05}.json\n".encode() for i, c in enumerate(commitments)) and all(map(form(HEX64), commitments))
         and sha256(sums).hex() == s["sums"] and len(set(commitments)) == len(commitments) == s["leaves"], "SHA256SUMS: another form, number or sha256")
    need(tree([sha256(b"\0", bytes.fromhex(c)) for c in commitments]).hex() == s["root"], "SHA256SUMS: another root")
    for name, i in ((name, int(name[7:12])) for name in names["leaves/"]):
        need(i < s["leaves"] and sha256(files[name]).hex() == commitments[i], f"{name}: SHA256SUMS has another sha256")
        leaves[i] = of(name, read_leaf, files[name])
        need((leaves[i]["answer"], leaves[i]["index"]) == (s["id"], i), f"{name}: it is of another answer or index")
    late = {i: leaves.pop(i)["newer"] for i in [i for i, leaf in leaves.items() if "newer" in leaf]}
    need([i for i, leaf in leaves.items() if leaf["kind"] == "display"] == [i for i in (s["display"],) if i not in late], "the display leaf is missing, or not the only one")
    for leaf in leaves.values(): references(leaves, leaf, s["leaves"])
    ordinals = [leaf["claim"] for leaf in leaves.values() if leaf["kind"] == "claim"]
    need(len(set(ordinals)) == len(ordinals), "two claims have one ordinal")
    scored = [leaf["claim"] for leaf in leaves.values() if leaf.get("stage") == "rank" and leaf["claim"]]
    need(len(set(scored)) == len(scored) and sum(leaf["kind"] == "question" for leaf in leaves.values()) < 2, "a claim is scored twice, or there are two questions")
    said, cited = [leaf for leaf in leaves.values() if leaf["kind"] == "reviews"], {leaf["claim"]: leaf["cites"] for leaf in leaves.values() if leaf["kind"] == "claim"}
    need(len({r["cite"] for r in said}) == len(said) and sum(len(r["reviews"]) for r in said) <= 256 and all(r["cite"] in cited.get(r["claim"], [r["cite"]]) for r in said), "reviews are of no citation of their claim, or too many")
    for name in names["sealed/"]: need(sha256(files[name]).hex() == s["sealed"].get(name), f"{name}: the statement does not name it so")
    signatures = {name[5:-7]: of(name, ssh_signature, files[name]) for name in names["sigs/"]}
    need(all(sha256(signature[0]).hex() == name for name, signature in signatures.items()), "sigs/: a signature lies under another key's name")
    proof = of("log.proof", log_proof, files["log.proof"])
    if page: need(not late and not said and not s["newer"] and not names["sealed/"] and page[0] == page_of(s, leaves, signatures, *page), "page: it is not the page of the bundle in it")
    return files["statement"], s, leaves, late, signatures, proof
# What a requestor is shown, and the page of it (docs/spec/page.md).
UNSAFE = re.compile("[\0-\t\x0b-\x1f\x7f-\x9f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
                    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\udc80-\udcff]")
def safe(text):  # a line break stays one; a byte of a file's name that is not UTF-8 is \x{FF}
    return UNSAFE.sub(lambda m: " " if m[0] == "\t" else f"\\x{{{ord(m[0]) - 0xDC00:02X}}}" if "\ud800" < m[0] < "\ue000" else f"\\u{{{ord(m[0]):04X}}}", text)
def one_line(text): return safe(text).replace("\n", " ")
def excerpt(leaves, chunks):  # texts, and None where words are withheld
    pieces = []
    for text in (leaves[i]["text"] if i in leaves else None for i in chunks):
        if pieces and (pieces[-1] is None) == (text is None): pieces[-1] = text and pieces[-1] + text
        else: pieces.append(text)
    return pieces
def view(s, leaves):  # the claims, each with its cites and how many of these are left out; the topics removed; the refusals
    shown = leaves[s["display"]]["shown"]
    here = {kind: [leaves[i] for i in shown if i in leaves and leaves[i]["kind"] == kind] for kind in ("claim", "removed", "refusal", "question")}
    cites = [[leaves[i] for i in c["cites"] if i in leaves] for c in here["claim"]]
    lost = [sum(i in shown and i not in leaves for i in c["cites"]) for c in here["claim"]]
    return list(zip(here["claim"], cites, lost)), here["removed"], here["refusal"], here["question"]
EXAMINED = re.compile(r"Examination of ([^\n]+), sha256 ([0-9a-f]{64}), ([0-9]{1,5}) quotations")
def examination(s, leaves):  # what the bundle says of a text whose quotations were examined (docs/spec/examination.md); None where it is of a question
    _, removed, _, asked = view(s, leaves)
    m = EXAMINED.fullmatch(safe(asked[0]["text"])) if asked else None
    found = [(leaf, re.match("(altered|cut|stitched|elsewhere|nowhere|contradicted|uncheckable): ", safe(leaf["reason"]))) for leaf in removed]
    items = [{"verdict": v[1], "text": one_line(leaf["topic"]), "reason": one_line(leaf["reason"])[v.end():]} for leaf, v in found if v]
    unclear = sum(i["verdict"] == "uncheckable" for i in items)
    return m and {"name": m[1], "sha256": m[2], "quotations": int(m[3]), "wrong": len(items) - unclear, "not_checkable": unclear, "items": items}
def examined_lines(e):
    good = max(0, e["quotations"] - len(e["items"]))
    return [f"examination of {e['name']}, sha256 {e['sha256']}, {e['quotations']} quotations: {e['wrong']} wrong, {e['not_checkable']} not checkable, {good} as the papers have them"] + \
        [f" - {i['verdict']}: “{i['text']}”: {i['reason']}" for i in e["items"]]
RESTRICTED = "Supported by archived material (source restricted by the person's instructions)."
FORMS = {"muniment/page/v1": (  # sha256 of the style, of the verifier and of the script of a form
    "4daf6a5fe493ade8aaf1cbf4cb9dcc9c866e5a3baac94f14b1240394c5a480d4", "1985fdb771387bb672231f4a9a62cbff45366a3a4dd195e17b070fe662d9405f",
    "154f022309cfab12f0937b066ec2f376e540ccbe0c4cb4ee56bbe2dcb1b06d24"), "muniment/page/v2": (
    "4daf6a5fe493ade8aaf1cbf4cb9dcc9c866e5a3baac94f14b1240394c5a480d4", "0484c0944f80948343c595be9c94d40ccd44f837bc1a2334f4d11de02682cd83",
    "c7adaa3201df2de52ac99062f7e954327dcfbd46550911ed763cf03cfb637473"), "muniment/page/v3": (
    "5662031cd2de320243ff76dbf88e3766668908b45fa849cc17feca0480d09df8", "089e8ad750b4a0d858be0d9efac44f2e75a55e2494e3dab5bb37a5116b07182d", "15db90299916ed332023ff271eca84c1737e3336a52153e269b63aef4a19c11b")}
PLAIN = {"answer": "Answered", "partial": "Answered in part", "refusal": "Not answered", "supported": "Supported: the evidence says it", "narrowed": "Narrowed: said as far as the evidence goes",
         "labeled": "Labelled: inferred from the evidence", "nearest": "Nearest: nobody has checked that it answers"}  # the words of the third form
FIRST_PROOF = """<p>Compare the fingerprint with the one in your trust root, on paper if you can. A page cannot vouch for its own signer.</p>
<h2>What this proves, and what it does not</h2>
<ul>
<li>A script in this page checks the bundle in it: that its parts are those that were signed, that the rungs follow from what the gates saw, that nothing the answer may not lose was left out, and that the page shows what the bundle says. Whoever changes the page can change the script too. Print what you see, but check the file with a program of your own.</li>
<li>It does not show that a claim is true, when the answer was made, that nothing was withdrawn since, or that the signer is who you think.</li>
<li>To check it with your own trust file, on a computer without a network: <code>muniment-verify FILE.html --trust FILE</code>. The page is read strictly: one changed byte is INVALID.</li>
"""
PLAIN_PROOF = """<h2>How to check it</h2>
<ol>
<li>Compare the fingerprint above with the one that the archive publishes, on paper or by telephone. A page cannot vouch for its own signer.</li>
<li>Check this file with a program that did not come with it; no network is needed: <code>muniment verify FILE.html --trust allowed_signers</code>. Or drop it on <code>verify.html</code>, or give it to <code>verify.py</code> or <code>verify.js</code>, which share no code with that program.</li>
<li>VALID says that nothing was changed since that key signed it. One changed byte gives INVALID.</li>
</ol>
<h2>What this proves, and what it does not</h2>
<ul>
<li>It proves what the archive answered: the claims, the words they rest on, and how far the words carry each claim.</li>
<li>It does not show that a claim is true, when the answer was made, that nothing was withdrawn since, or that the signer is who you think.</li>
<li>Claims wear badges only after the script in this page found that the page shows what was signed. Whoever changes the page can change the script too.</li>
"""
def bare(text): return safe(text).replace("[…]", "…").strip("“”\" …")
def page_of(s, leaves, signatures, page, packed):
    def t(text): return functools.reduce(lambda u, c: u.replace(*c), (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ('"', "&#34;")), safe(text))
    text = page.decode()
    name = text[len(PAGE_BEGIN):].partition('"')[0]
    need(name in FORMS, "page: a form that this verifier does not know, " + name[:40])
    style, rest = text.partition("<style>")[2].partition("</style>")[0], text.partition(PAGE_DATA.decode())[2].partition(PAGE_END.decode())[2]
    verifier, _, rest = rest[len("<script>"):].partition(PAGE_END.decode())
    script = rest[len("<script>"):].partition("</script>")[0]
    need(tuple(sha256(part.encode()).hex() for part in (style, verifier, script)) == FORMS[name], "page: another style or script than its form has")
    css, one, two = (f"'sha256-{base64.b64encode(bytes.fromhex(h)).decode()}'" for h in FORMS[name])
    display, (claims, removed, refused, asked), second, out = leaves[s["display"]], view(s, leaves), name != "muniment/page/v1", []
    third = name == "muniment/page/v3"
    missing, rung, tier = len([i for i in display["shown"] if i not in leaves]), display["outcome_rung"], t(one_line(display["requestor_tier"]))
    head = f'{s["outcome"]}, {rung}, for the tier {tier}. It says it was issued {s["issued"]}.'
    if third: head = f'{PLAIN[s["outcome"]]}; made for the tier {tier}. It says it was made on {s["issued"][:10]} at {s["issued"][11:19]} UTC.'
    out.append(f"""{PAGE_BEGIN.decode()}{name}">
<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {one} {two}; style-src {css}; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">\n<title>Answer {s["id"]}</title>\n<style>{style}</style>\n</head>\n<body>\n<header>\n<h1>Answer from an archive</h1>
<p class="dim">{head}</p>
</header>\n<main>\n<p id="check" class="box" role="status">Not checked by this page: its script did not run. It can be read and printed all the same; see below how to check it.</p>
<section id="answer" aria-label="Answer">
""")
    if missing: out.append(f'<p><span class="gap">reduced copy</span> {missing} parts of the answer as shown are left out.</p>\n')
    out += [f'<p class="label">Asked: <span class="said" data-said>{t(q["text"])}</span></p>\n' for q in asked if second and not third]
    out += [f'<h2>The question</h2>\n<p class="said" data-said>{t(q["text"])}</p>\n' for q in asked if third]
    if third and not asked: out.append('<p class="label">The question is not disclosed in this copy.</p>\n')
    first = next((c["claim"] for c, _, _ in claims if second and c.get("role") == "nearest"), None)
    for c, cites, lost in claims:
        rung = c["rung"] or "nearest" * second
        out.append("<h2>Nearest passages; nobody has checked that they answer</h2>\n" if c["claim"] == first else "")
        out.append(f"""<article aria-labelledby="claim{c["claim"]}"><h2 id="claim{c["claim"]}">Claim {c["claim"]}</h2>
<p class="said" data-said>{t(c["text"])}</p><p><span class="rung" data-said>{PLAIN.get(rung, rung) if third else rung}</span></p>\n""")
        if c["rung"] == "labeled": out.append('<p class="label">This is an inference, not something the archive says.</p>\n')
        if c["restricted"]: out.append('<p class="label">Some of its evidence may not be shown.</p>\n')
        for q in cites:
            against, says = (" against", ", speaks against the claim") if q["contradicts"] else ("", "")
            pieces, names = excerpt(leaves, q["chunks"]), [q[name] for name in ("title", "date") if second and q.get(name)]
            quote = RESTRICTED if q["restricted"] else "".join((" […] " if i else "[…] ") if p is None else p for i, p in enumerate(pieces)).strip()
            out.append(f'<figure><figcaption><strong data-said>{q["handle"]}</strong>, <span class="label{against}" data-said>{q["label"]}{says}</span>')
            out += [f", <span data-said>{t(one_line(name))}</span>" for name in names] + ["</figcaption>"]
            if second and quote and bare(c["text"]) == bare(quote): out.append("</figure>\n")
            else: out += ["\n<blockquote>", f'<span class="gap">{t(RESTRICTED)}</span>' if q["restricted"] else "", *(
                ' <span class="gap">words withheld</span> ' if p is None else f"<span data-said>{t(p)}</span>" for p in pieces), "</blockquote></figure>\n"]
        out.append((f'<p><span class="gap">{lost} citations of this claim are not in this copy</span></p>\n' if lost else "") + "</article>\n")
    out.append("<h2>Removed topics</h2>\n" if removed else "")
    out += [f'<article><p class="said" data-said>{t(r["topic"])}</p><p class="label" data-said>{t(r["reason"])}</p></article>\n' for r in removed]
    out.append("<h2>Refused</h2>\n" if refused else "")
    for r in refused:
        out.append(f'<article><p><span class="rung" data-said>{r["refusal_kind"]}</span></p><p class="said" data-said>{t(r["message"])}</p>\n')
        items = "".join(f'<li class="said" data-said>{t(i)}</li>' for i in r["suggestions"])
        out.append((f'<p class="label">What may help:</p><ul>{items}</ul>\n' if items else "")
                   + (f'<p class="label">About: <span class="said" data-said>{t(r["topic"])}</span></p>\n' if r["topic"] else "") + "</article>\n")
    keys = ", ".join("SHA256:" + base64.b64encode(bytes.fromhex(key)).decode().rstrip("=") for key in signatures)
    data = base64.b64encode(packed).decode()
    out.append(f"""</section>
<h2>Who signed it</h2>\n<dl>\n<dt>Signatures by the keys</dt><dd{' id="signers"' * third}><code>{keys}</code></dd>
<dt>Archive</dt><dd><code>{s["archive"]}</code></dd>
<dt>Answer log</dt><dd><code>{s["after"]}</code></dd>
<dt>Parts disclosed here</dt><dd>{len(leaves)} of {s["leaves"]}; the others are sealed or left out</dd>
</dl>
{PLAIN_PROOF if third else FIRST_PROOF}</ul>\n</main>\n<footer><p>Muniment, one answer in one file. It asks nothing from the network.</p></footer>
""")
    lines = "".join(data[i:i + 100] + "\n" for i in range(0, len(data), 100))
    out.append(f"{PAGE_DATA.decode()}{lines}</script>\n<script>{verifier}</script>\n<script>{script}</script>\n</body>\n</html>\n")
    return "".join(out).encode()
# Evidence of two histories (docs/spec/evidence.md): the steps give the archive, its namespace, the keys and what is proved.
EVIDENCE = b"PK\3\4\x14\0\x08\0" + bytes(18) + b"\x0a\0\0\0SHA256SUMS"
MEMBERS = ["SHA256SUMS", "evidence.json"] + [f"{side}.{part}" for side in ("ours", "theirs") for part in ("commit", "payload", "sshsig")]
SPACE = " \n\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
WHO = rf"(?![{SPACE}])[^<>\0-\x1f\x7f-\x9f]+(?<![{SPACE}])"
COMMIT = re.compile(rf"tree ([0-9a-f]{{40}})\n((?:parent [0-9a-f]{{40}}\n){{0,2}})author ({WHO}) <({WHO.replace('<>', '<> ')})> ({NUM}) \+0000\n"
    rf"committer Muniment <({HEX64})@archive\.invalid> \5 \+0000\n\n((?![{SPACE}])[^\0-\x09\x0b-\x1f\x7f-\x9f]+(?<![{SPACE}]))\n\n"
    rf"Muniment-Archive: (b[a-z2-7]{{60}})\nMuniment-Seq: ({NUM})\nMuniment-Root: sha256:{HEX64}\nMuniment-Entries: ({NUM})\nMuniment-Prev: (none|b[a-z2-7]{{58}})\n(?:Muniment-Join: (b[a-z2-7]{{58}})\n)?"
    r"(?:Muniment-Version: ([1-9][0-9]{0,5})\n(?:Muniment-[A-Z][A-Za-z-]*: [^\0-\x1f\x7f-\x9f]+\n)*)?")
def read_snapshot(commit):
    head, _, message = commit.partition(b"\n\n")
    head, _, armored = head.partition(b"\ngpgsig ")
    payload, armored = head + b"\n\n" + message, armored.replace(b"\n ", b"\n") + b"\n"
    need(len(commit) <= 16384 and commit == head + b"\ngpgsig " + armored[:-1].replace(b"\n", b"\n ") + b"\n\n" + message, "it is not signed, or has another form")
    m = COMMIT.fullmatch(payload.decode())
    need(m and all(len(m[i].encode()) <= most for i, most in ((3, 256), (4, 256), (7, 4096))) and not re.search("^(?:Muniment-|-----BEGIN)", m[7], re.M), "it is no snapshot")
    tree_of, parents, seq, prev, join = m[1], m[2].split("\n")[:-1], int(m[9]), m[11], m[12]
    late = newer(f"muniment/snapshot-form/v{m[13]}", "muniment/snapshot-form")
    need((late or not m[13]) and int(m[5]) <= 253402300799 and 1 <= seq < 2**63 and 1 <= int(m[10]) < 2**63 and is_id(m[8], JSON) and base64.b32decode(m[8][1:].upper() + "====")[5:].hex() == m[6]
         and len(parents) == (0 if seq == 1 else 2 if join else 1) == len(set(parents)) and (seq == 1) == (prev == "none") and not (seq == 1 and join) and "0" * 40 not in (tree_of, *(p[7:] for p in parents))
         and all(is_id(i, RAW) for i in (prev, join) if i not in ("none", None)) and join != prev, "what ties it to its archive and history is wrong")
    blob, key, _, verifies = ssh_signature(armored)
    need(verifies(payload, b"git"), "its signature is wrong")
    name = "b" + base64.b32encode(RAW + sha256(commit)).decode().lower().rstrip("=")
    return dict(archive=m[8], seq=seq, id=name, blob=blob, point=key, commit=commit, payload=payload, sshsig=armored, newer=late)
def packed(files):  # as Go's archive/zip writes stored files
    out, directory = bytearray(), bytearray()
    for name, data in files.items():
        sizes = struct.pack("<III", zlib.crc32(data), len(data), len(data))
        directory += b"PK\1\2" + struct.pack("<HHHHHH", 20, 20, 8, 0, 0, 0) + sizes + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, len(out)) + name.encode()
        out += b"PK\3\4" + struct.pack("<HH18xHH", 20, 8, len(name), 0) + name.encode() + data + b"PK\7\x08" + sizes
    return out + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), len(out), 0)
def two_snapshots(raw, keys):
    need(len(raw) <= 131072 and raw[-22:-18] == b"PK\5\6", "it is too large, or cut off")
    files, at = {}, int.from_bytes(raw[-6:-2], "little")
    while raw[at:at + 4] == b"PK\1\2":
        size, named, begin = struct.unpack("<20xIIH", raw[at:at + 30])[1:] + struct.unpack("<I", raw[at + 42:at + 46])
        files[raw[at + 46:at + 46 + named].decode()], at = raw[begin + 30 + named:begin + 30 + named + size], at + 46 + named
    need(list(files) == MEMBERS and packed(files) == raw, "it is no evidence, or has another form")
    ours, theirs = (of(f"{side}.commit", read_snapshot, files[f"{side}.commit"]) for side in ("ours", "theirs"))
    note = json.loads(files["evidence.json"].decode())
    late = isinstance(note, dict) and newer(note.get("type"), "muniment/evidence")
    need(not late or plain(note) and files["evidence.json"] == json.dumps(note, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(), "evidence.json: it is not canonical")
    need(isinstance(note, dict) and all(isinstance(note.get(name), str) for name in ("kind", "remote", "seen"))
         and re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", note["seen"]) and moment(re.sub("[-T:]", "", note["seen"])), "evidence.json: another form")
    heads = {side: dict(archive=s["archive"], key=f"{fields(s['blob'], 1)[0].decode()} {base64.b64encode(s['blob']).decode()}", seq=s["seq"], snapshot=s["id"]) for side, s in (("ours", ours), ("theirs", theirs))}
    again = json.dumps({"kind": note["kind"], "remote": note["remote"], "seen": note["seen"], "type": "muniment/evidence/v1", **heads}, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    need((heads == {name: note.get(name) for name in heads} if late else again == files["evidence.json"]) and all(files[f"{side}.{part}"] == s[part] for side, s in (("ours", ours), ("theirs", theirs)) for part in ("payload", "sshsig")), "its parts are not those of its commits")
    need(files["SHA256SUMS"] == b"".join(f"{sha256(files[name]).hex()}  {name}\n".encode() for name in MEMBERS[1:]), "SHA256SUMS: another form")
    if late or ours["newer"] or theirs["newer"]: return ours["archive"], b"git", {ours["blob"], theirs["blob"]}, None, late or ours["newer"] or theirs["newer"]
    one, differ, a, b = ours["archive"] == theirs["archive"], ours["payload"] != theirs["payload"], ours["seq"], theirs["seq"]
    holds = {"equivocation": one and differ and a == b and ours["point"] == theirs["point"], "fork": one and differ, "rollback": one and differ and b < a, "unrelated": not one}
    proves = f"the key {fingerprint(ours['blob'])} signed two histories of archive {ours['archive']}: two different snapshots {a}" if note["kind"] == "equivocation" else \
        f"there are two archives, {ours['archive']} and {theirs['archive']}; it shows nothing against a key" if not one else \
        f"two snapshots of archive {ours['archive']} are genuine, {a} by {fingerprint(ours['blob'])} and {b} by {fingerprint(theirs['blob'])}; it shows nothing against a key"
    return ours["archive"], b"git", {ours["blob"], theirs["blob"]}, holds.get(note["kind"], False), proves
CHECKPOINT = rf"([!-*,-~]{{1,255}})\n({NUM})\n({HASH})\n\n((?:\u2014 [^+\0-\x20\x7f\x85{SPACE}]+ [A-Za-z0-9+/=]+\n){{1,100}})"
CONFLICT = re.compile(rf"muniment/log-conflict/v(?:1|2\nkey ssh-ed25519 ([A-Za-z0-9+/=]+))\nprefix ({HASH})\n((?:{HASH}\n){{0,126}})\n({CHECKPOINT})\n({CHECKPOINT})")
def grew(first, second, old, new, path):  # RFC 9162 2.1.4.2
    if first == second or not path: return first == second and not path and old == new
    path = path if first & first - 1 else [old] + path
    f, s, fr, sr = first - 1, second - 1, path[0], path[0]
    while f & 1: f, s = f >> 1, s >> 1
    for c in path[1:]:
        if not s: return False
        if f & 1 or f == s:
            fr, sr = sha256(b"\1", c, fr), sha256(b"\1", c, sr)
            while f and not f & 1: f, s = f >> 1, s >> 1
        else: sr = sha256(b"\1", sr, c)
        f, s = f >> 1, s >> 1
    return not s and fr == old and sr == new
def two_checkpoints(raw, keys):
    (head, cut, rest), late = raw.decode().partition("\n\n"), newer(raw.partition(b"\n")[0].decode(), "muniment/log-conflict")
    if late: head = "\n".join(["muniment/log-conflict/v2", *(line for line in head.split("\n")[1:] if line.split(" ")[0] in ("key", "prefix") or not LATER.fullmatch(line))])
    m = CONFLICT.fullmatch(head + cut + rest) if len(raw) <= 147456 else None
    need(m, "it is no evidence, or has another form")
    prefix, path, points = unbase64(m[2]), [unbase64(h) for h in m[3].split()], []
    origin = re.fullmatch(rf"muniment/(b[a-z2-7]{{60}})/answers/([^/]+)/[^/]+", m[5])
    need(origin and is_id(origin[1], JSON), "it is of no answer log")
    found = {unbase64(m[1])} if m[1] else {blob for blob, _ in keys}
    blob = next((blob for blob in found if ssh_key(blob)[0] == b"ssh-ed25519" and sha256(blob).hex() == origin[2]), None)
    need(blob or not m[1], "its key is not that of the log")
    for whole, name, size, root, lines in (m.groups()[3:8], m.groups()[8:13]):
        signed = [(line.split(" ")[1], unbase64(line.split(" ")[2])) for line in lines.split("\n")[:-1]]
        need(len(whole.encode()) <= 65536 and int(size) < 2**63 and (int(size) or unbase64(root) == sha256()) and all(len(s) > 4 for _, s in signed) and len({(n, s[:4]) for n, s in signed}) == len(signed), "a checkpoint has another form")
        mine = [s[4:] for n, s in signed if blob and (n, s[:4]) == (name, sha256(name.encode(), b"\n\1", ssh_key(blob)[1])[:4])]
        need(not blob or any(ed25519(ssh_key(blob)[1], s, f"{name}\n{size}\n{root}\n".encode()) for s in mine), "a checkpoint is not signed by the key of the log")
        points.append((name, int(size), unbase64(root)))
    (log, first, old), (other, second, new) = points
    if not blob: return origin[1], NAMESPACE, set(), None, "the key with the ID " + origin[2] + " is not in the file, and in no trust file that was given"
    holds = log == other and 1 <= first <= second and grew(first, second, prefix, new, path) and prefix != old
    need(not late or holds, "the two do not disagree")
    return origin[1], NAMESPACE, {blob}, None if late else holds, late or f"the key {fingerprint(blob)} signed two histories of its answer log {log}"
def fingerprint(blob): return "SHA256:" + base64.b64encode(sha256(blob)).decode().rstrip("=")
def verify_evidence(path, raw, trust, require, pinned):
    axes, proves = {"integrity": ("PASS", "two signed heads in the one form of evidence"), "disagreement": ("NOT-CHECKED", "the signatures were not checked")}, ""
    try:
        read = two_snapshots if raw.startswith(EVIDENCE) else two_checkpoints
        archive, namespace, keys, holds, proves = read(raw, (trust or {b"": ()})[b""])
        if holds is None: axes["integrity"] = "NOT-CHECKED", proves
        else: axes["disagreement"] = ("PASS", "the two cannot both be of one honest history, as far as the kind says") if holds else ("FAIL", "the two do not disagree in the way of their kind")
        if holds:
            known = trust and {blob for blob, own in trust[namespace] if own in ("", archive)}
            axes["signer threshold"] = ("NOT-CHECKED", "no trust file says whose key it is") if trust is None else ("PASS", "the trust file knows the key") if keys <= known else ("FAIL", "the trust file gives a key no right to sign that")
            axes["archive"] = of_archive({"archive": archive}, {blob: [blob] for blob in keys}, trust and trust[namespace], pinned)
    except Exception as e: axes["integrity"] = "FAIL", f"{type(e).__name__}: {e}"
    axes.update({name: ("NOT-CHECKED", "evidence says nothing of it") for name in require if name not in axes})
    results = [result for result, _ in axes.values()]
    verdict = "INVALID" if "FAIL" in results else "INCOMPLETE" if any(axes[name][0] == "NOT-CHECKED" for name in ("integrity", "disagreement", *require)) else "VALID"
    return {"file": path, "verdict": verdict, "axes": [{"name": name, "result": result, "reason": reason} for name, (result, reason) in axes.items()],
            "proves": proves if verdict != "INVALID" and axes["disagreement"][0] == "PASS" else ""}
# The axes: each gives a result and a reason.
def signers(signatures, signed, trust):
    if signed != signatures.keys(): return "FAIL", "a signature is not one of this statement"
    counted = {key for blob, key, _, _ in signatures.values() if blob in (trust or ())}
    return ("NOT-CHECKED" if trust is None else "PASS" if counted else "FAIL"), f"{len(counted)} of the signing keys are allowed; 1 is needed"
def of_archive(s, signatures, trust, pinned):  # trust with the archive of every line
    named = {archive for blob, archive in trust or () if blob in {signature[0] for signature in signatures.values()}}
    if pinned not in (None, s["archive"]) or not pinned and named and not named & {"", s["archive"]}: return "FAIL", f"it is of the archive {s['archive']}, and another is meant"
    return ("PASS" if pinned or s["archive"] in named else "NOT-CHECKED"), f"it says that it is of the archive {s['archive']}"
def logged(statement, s, signatures, signed, trust, proof):
    index, path, body, origin, size, root, lines = proof
    if s["key"] not in signed or signed != signatures.keys() or not signatures[s["key"]][2]: return "FAIL", "the key of the log has not signed the statement, or a signature is wrong"
    key, node = signatures[s["key"]][1], sha256(b"\0", sha256(statement))
    mine = [line[4:] for name, line in lines if (name, line[:4]) == (s["after"], sha256(s["after"].encode(), b"\n\1", key)[:4])]
    holds = origin == s["after"] and index >= s["size"] and climb(node, index, size, path) == root and any(ed25519(key, line, body) for line in mine)
    if holds and trust is not None and signatures[s["key"]][0] not in trust: return "NOT-CHECKED", "the log is of a key that is not allowed"
    return ("PASS", f"entry {index} of {size}") if holds else ("FAIL", "log.proof is of another log, or place, or does not lead to its root")
def witnesses(proof):  # every cosignature must be right; whether it counts, only a trust root says
    _, _, body, _, _, _, lines = proof
    cosigned = [(name, bytes.fromhex(name[17:]), line) for name, line in lines if re.fullmatch("muniment/witness/" + HEX64, name)]
    def right(name, key, line):
        try: good = times(8, point(key))[0] != 0
        except ValueError: return False
        time = int.from_bytes(line[4:12], "big")
        return good and len(line) == 76 and line[:4] == sha256(name.encode(), b"\n\4", key)[:4] and time <= 253402300799 and ed25519(key, line[12:], b"cosignature/v1\ntime %d\n" % time + body)
    wrong = [name for name, key, line in cosigned if not right(name, key, line)]
    return ("FAIL", f"the cosignature of {wrong[0]} is wrong") if wrong else ("NOT-CHECKED", f"{len(cosigned)} cosignatures are right; no trust root says whether they count")
def consistent(s, proof):  # of the last entry, the path is the subtrees before it
    index, path, _, _, size, _, _ = proof
    before = functools.reduce(lambda node, left: sha256(b"\1", left, node), path[1:], path[0]) if path else sha256()
    if index == size - 1 == s["size"] and before.hex() != s["before"]: return "FAIL", "log.proof shows another root before the answer than the statement says"
    return "NOT-CHECKED", "no earlier checkpoint of the log was given"
def shown(s, leaves, late):  # late are the leaves that are newer
    if s["display"] in late: return "NOT-CHECKED", late[s["display"]]
    display, here = leaves[s["display"]], {i: leaf for i, leaf in leaves.items() if i != s["display"]}
    kept = {i for i, leaf in here.items() if leaf["kind"] in ("refusal", "removed") or leaf.get("contradicts")}
    rungs, kinds = [leaf["rung"] for leaf in here.values() if leaf["kind"] == "claim"], {leaf["kind"] for leaf in here.values()}
    cut, missing = bool(kinds & {"refusal", "removed"} or {"narrowed", ""} & {*rungs}), sorted(set(display["shown"]) - here.keys() - late.keys())
    rung = "refused" if not rungs else "labeled" if "labeled" in rungs else "narrowed" if cut else "supported"
    outcome = "refusal" if not rungs else "partial" if cut else "answer"
    wrong = [why for bad, why in ((here.keys() - set(display["shown"]) | late.keys() - set(display["shown"]), "a leaf is disclosed that was not shown"),
        (kept != set(display["keep"]) - late.keys(), "a leaf is missing that may not be, or the list of these is not right"), ("refused" in rungs or "pad" in kinds, "a refused claim or a pad is shown"),
        (not missing and not late and not (rungs or "refusal" in kinds), "neither a claim nor a refusal is shown"),
        (not missing and not late and (rung, outcome) != (display["outcome_rung"], s["outcome"]), f"what is shown is {outcome}, {rung}")) if bad]
    if wrong or not missing: return ("FAIL", wrong[0]) if wrong else ("NOT-CHECKED", [*late.values()][0]) if late else ("PASS", "nothing that was shown is missing")
    return "NOT-CHECKED", f"{len(missing)} of {len(display['shown'])} shown parts are missing: " + ", ".join(f"leaves/{i:05}.json" for i in missing)
BOTH = ("relation_supports", "span_resolves", "quote_matches", "not_contradicted", "entailed_or_aligned", "inputs_resolve")
TABLE = {"supported": BOTH + ("whole_claim",), "narrowed": BOTH + ("cut_claim",), "labeled": ("relation_infers", "span_resolves", "quote_not_absent", "not_contradicted", "marked"), "refused": ()}
def judge(i):  # the rung that the table muniment/gate/v1 gives, and the first failed test of every higher one
    relation, match, entailed = i["relation"], i["match"], i["entailed"]
    tests = dict(relation_supports=relation in LABELS and relation != "inference_from", relation_infers=relation == "inference_from",
        span_resolves=i["span_resolves"], quote_matches=match in ("exact", "normalized") or match == "" and relation != "direct_quote",
        quote_not_absent=match in ("exact", "normalized", "fuzzy", "ambiguous", ""), not_contradicted=entailed in ("", "yes", "no"),
        entailed_or_aligned=relation != "paraphrase" or entailed == "yes" or entailed == "" and i["aligned"],
        inputs_resolve=relation != "aggregation" or i["inputs_resolve"], whole_claim=not i["narrowed"], cut_claim=i["narrowed"], marked=i["marker"])
    failed = {rung: next((name for name in names if not tests[name]), None) for rung, names in TABLE.items()}
    reached = list(failed.values()).index(None)
    return list(failed)[reached], [{"rung": rung, "test": test} for rung, test in list(failed.items())[:reached]]
RANK = {"rank/v1": (8000000, 650358, dict(lead=2000, sentence=800, around=700), dict(sentence=2194, passage=2517, around=1443, bigrams=2140, proximity=1893, surprise=504, typed=730, untyped=-975, absent=-1051, unknown=-2127, size=-425, contrary=-154, intended=0, first=437, length=-436, untold=-1500, pair=0, lead=0)), "rank/v2": (9000000, 1083243, dict(lead=500, sentence=800, around=700), dict(sentence=1736, passage=2061, around=520, bigrams=2170, proximity=1905, surprise=486, typed=704, untyped=-975, absent=-1002, unknown=-2045, size=-434, contrary=-138, intended=0, first=466, length=-535, untold=-1500, pair=143, document=1715, beside=651, alike=1795, kin=2170, focus=467, lead=0)), "rank/v3": (9000000, 1083243, dict(lead=500, sentence=800, around=700), dict(sentence=1736, passage=2061, around=520, bigrams=2170, proximity=1905, surprise=486, typed=704, untyped=-975, absent=-1002, unknown=-2045, size=-434, contrary=-138, intended=0, first=466, length=-535, untold=-1500, pair=143, document=1715, beside=651, alike=1795, kin=2170, focus=467, verbless=0, apart=0, slotless=0, opposed=0, papers=0, sources=0, lead=0)), "rank/v4": (9000000, -1000000000, dict(lead=500, sentence=800, around=700), dict(sentence=1736, passage=2061, around=520, bigrams=2170, proximity=1905, surprise=486, typed=704, untyped=-975, absent=-1002, unknown=-2045, size=-434, contrary=-138, intended=0, first=466, length=-535, untold=-1500, pair=143, document=1715, beside=651, alike=1795, kin=2170, focus=467, verbless=0, apart=0, slotless=0, opposed=0, papers=0, sources=0, lead=0))}  # by version: high, low, the least of an answer, the weights
BARS = ("contrary", "intended", "absent", "untold", "verbless", "apart", "slotless", "opposed")  # what is 0 in an answer
def role(r):  # the role that a score gives, "" for none; None where the score does not follow from its features
    (high, low, least, weights), features = RANK[r["table"]], [(f["name"], f["value"]) for f in r["features"]]
    score = sum(value * weight for (_, value), weight in zip(features, weights.values()))
    if [name for name, _ in features] != list(weights) or any(abs(value) > 1 << 20 for _, value in features) or (r["high"], r["low"], r["score"]) != (high, low, score): return None
    return "answer" if score >= high and all(value >= least.get(name, value) and not (value and name in BARS) for name, value in features) else "nearest" if score >= low else ""
def misjudged(leaf, leaves):  # whether persons said something else of a claim than the leaf, or the claim, or its source
    claims, (outcome, _) = [c for c in leaves.values() if c.get("claim") == leaf["claim"]], weigh(leaf)
    source, first = leaves.get(leaves.get(leaf["cite"], {}).get("source")), read_review(leaf["reviews"][0]["review"])
    def differs(c):
        if c["kind"] == "claim": return c["text"] != leaf["text"] if outcome == "follows" else outcome and c["rung"] in ("supported", "narrowed")
        return c["kind"] == "gate" and c["stage"] == "coverage" and outcome == "follows" and c["inputs"]["entailed"] != "yes"
    return outcome != leaf["outcome"] or any(map(differs, claims)) or source and (source["artifact"], source["span"], source["quote"]) != (first["artifact"], leaf["span"], leaf["quote"])
def judged_by(leaves):  # for each claim who judged it, where persons judged one
    said = {}
    for leaf in leaves.values():
        if leaf["kind"] == "reviews" and (leaf["claim"] not in said or leaf["outcome"] != "follows"): said[leaf["claim"]] = weigh(leaf)[1]
    def words(claim):
        judge = leaves.get(claim["gate"], {}).get("judge", {})
        if claim.get("role") != "nearest" and judge.get("verdict") == "yes": return ("unverified" if claim["rung"] == "labeled" else "verified") + f": the model {judge['model']} says that it follows; no person checked it"
        return "unverified: nobody judged it" if claim.get("role") == "nearest" or claim["rung"] == "labeled" else "verified: the rules found it in the words; no person checked it"
    return [{"number": c["claim"], "judged": one_line(said.get(c["claim"]) or words(c))} for c in sorted(leaves.values(), key=lambda c: c.get("claim", 0)) if c["kind"] == "claim"] if said else []
def gates(s, leaves, reviewers):
    coverage, ranked = ([leaf for leaf in leaves.values() if leaf.get("stage") == stage] for stage in ("coverage", "rank"))
    judged, scored = [g for g in coverage if g["table"] == "muniment/gate/v1"], [g for g in ranked if g["rank"]["table"] in RANK]
    claims, unknown = [(leaf, leaves.get(leaf["gate"])) for leaf in leaves.values() if leaf["kind"] == "claim"], len(judged + scored) < len(coverage + ranked)
    roles, whole = {g["claim"]: role(g["rank"]) for g in scored}, len(leaves) == s["leaves"]
    def holds(claim, gate):
        given, said = roles.get(claim["claim"]), claim.get("role")
        fits = given == said or given and said == "nearest" if claim["claim"] in roles else said != "nearest" or not whole or unknown
        return fits and (not gate or gate["rung"] == (claim["rung"] or "supported"))
    if any(judge(g["inputs"]) != (g["rung"], g["failed"]) for g in judged) or any(role(g["rank"]) != g.get("role", "") for g in scored) or not all(holds(*c) for c in claims):
        return "FAIL", "a gate's inputs give another rung, a score another role, or a claim says another than its gates"
    said = [leaf for leaf in leaves.values() if leaf["kind"] == "reviews"]
    if any(misjudged(leaf, leaves) for leaf in said): return "FAIL", "persons said something else of a claim than its bundle says"
    unknown = unknown or any(not kept["not"] and r["blob"] not in (reviewers or ()) for leaf in said for kept, r in zip(leaf["reviews"], reviewed(leaf)))
    known, hidden = all(gate for _, gate in claims) and not unknown and (judged or whole), not whole and any(c.get("role") and c["claim"] not in roles for c, _ in claims)
    return ("PASS", f"{len(judged)} gates judged again{'; scores are sealed' * hidden}") if known else ("NOT-CHECKED", "a table is unknown, a reviewer is not in the trust file, or gates are not at hand")
def newer_review(leaf):  # the same of the snapshots that hold reviews
    for kept in leaf["reviews"]:
        if "\nMuniment-Version: " not in kept["commit"]: continue
        try: late, name = read_snapshot(kept["commit"].encode())["newer"], "b" + base64.b32encode(RAW + sha256(kept["commit"].encode())).decode().lower().rstrip("=")
        except ValueError: late, name = "", ""
        return ("NOT-CHECKED", late) if late and name == kept["snapshot"] else ("FAIL", "a snapshot with a review has not the name that the leaf gives it, or is not signed")
def newer_source(leaf):  # the axis of a source with a part that is newer, which must have the name that the leaf gives it; else None
    named, late = {"citation": JSON, "record": JSON, "commit": RAW}, [newer(m, "muniment/" + part) for part in ("citation", "record") for m in re.findall('"type":"(muniment/[a-z-]+/v[0-9]+)"', leaf[part + "_json"])]
    if not any(late) and "\nMuniment-Version: " not in leaf["commit"]: return None
    try: late = [*filter(None, late), read_snapshot(leaf["commit"].encode())["newer"]]
    except ValueError: named = {}
    same = [leaf["snapshot" if p == "commit" else p] == "b" + base64.b32encode(c + sha256(leaf[p if p == "commit" else p + "_json"].encode())).decode().lower().rstrip("=") for p, c in named.items()]
    return ("NOT-CHECKED", late[0]) if same and all(same) else ("FAIL", "a part of a source has not the name that the leaf gives it, or is not signed")
def axis(words):  # the axis that begins with these words
    found = [a for a in AXES if (a.replace("-", " ") + " ").startswith(words.replace("-", " ") + " ")]
    if not found or not words: raise argparse.ArgumentTypeError("the axes are " + ", ".join(AXES))
    return found[0]
def verify(path, trust, require=(), pinned=None):
    axes, reduced, text, claims, reviewers = dict.fromkeys(AXES, ("NOT-CHECKED", "this verifier does not decide it, or the bundle could not be read")), "", None, [], None
    try:
        raw = b"" if os.path.isdir(path) else contents(path, 262144, cut=True)
        if raw.startswith((EVIDENCE, b"muniment/log-conflict/")): return verify_evidence(path, raw, trust, require, pinned)
        trust, reviewers = trust and trust[NAMESPACE], trust and trust[REVIEWS]
        statement, s, leaves, late, signatures, proof = integrity(path)
        allowed = None if trust is None else {blob for blob, archive in trust if archive in ("", s["archive"])}
        signed = {name for name, (_, _, _, verifies) in signatures.items() if verifies(statement)}
        axes.update({"integrity": ("NOT-CHECKED", next(filter(None, [s["newer"], *late.values()]))) if late or s["newer"] else ("PASS", f"{len(leaves)} of {s['leaves']} leaves are disclosed, and each is the one signed"),
                     "signer threshold": signers(signatures, signed, allowed), "archive": of_archive(s, signatures, trust, pinned), "log inclusion": logged(statement, s, signatures, signed, allowed, proof),
                     "display completeness": shown(s, leaves, late), "gate re-evaluation": gates(s, leaves, {blob for blob, archive in reviewers or () if archive in ("", s["archive"])})})
        claims = judged_by(leaves)
        tables = [newer(leaf["table"], "muniment/gate") or newer(leaf.get("rank", {}).get("table"), "rank") for leaf in leaves.values() if leaf["kind"] == "gate"]
        text = examination(s, leaves) if s["display"] in leaves else None
        if any(tables) and axes["gate re-evaluation"][0] != "FAIL": axes["gate re-evaluation"] = "NOT-CHECKED", next(filter(None, tables))
        axes.update({"artifact and span": found for found in [newer_source(leaf) for leaf in leaves.values() if leaf["kind"] == "source"] + [newer_review(leaf) for leaf in leaves.values() if leaf["kind"] == "reviews"] if found})
        if axes["log inclusion"][0] != "FAIL": axes.update({"witnesses": witnesses(proof), "consistency": consistent(s, proof)})
        if axes["display completeness"][0] == "NOT-CHECKED" and not late: reduced = ", reduced: " + axes["display completeness"][1].split(":")[0]
    except Exception as e:  # whatever goes wrong with a bundle, it is not one that verifies
        axes["integrity"] = "FAIL", f"{type(e).__name__}: {e}"
    failed, unchecked = (any(axes[a][0] == r for a in names) for r, names in (("FAIL", AXES), ("NOT-CHECKED", [*AXES[:2], *require, *(a for a in AXES if axes[a][1].startswith("made by a newer program; "))])))
    return {"file": path, "verdict": "INVALID" if failed else "INCOMPLETE" if unchecked else "VALID" + reduced,
            "axes": [{"name": name, "result": result, "reason": reason} for name, (result, reason) in axes.items()], **({"examination": text} if text and not failed else {}), **({"claims": claims} if claims and not failed else {})}
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="+", metavar="FILE.zip|FILE.html|DIR")
    parser.add_argument("--trust", metavar="allowed_signers", help="whose signatures count; without it no verdict is VALID")
    parser.add_argument("--archive", metavar="ID", help="the archive that is meant")
    parser.add_argument("--require", metavar="AXIS", type=axis, action="append", default=[], help="an axis that must be checked; its first words do")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each bundle")
    args = parser.parse_args()
    if args.archive is not None and not is_id(args.archive, JSON): parser.error("--archive is no ID of an archive")
    try: trust = of(args.trust, allowed_signers, contents(args.trust, 1 << 20)) if args.trust is not None else None
    except (ValueError, OSError) as e: parser.error(str(e))
    results = [verify(path, trust, args.require, args.archive) for path in args.path]
    for r in results:
        lines = [f"{r['verdict']}  {r['file']}"] + [f"{a['result']:11} {a['name']}: {a['reason']}" for a in r["axes"]] + [f"claim {c['number']}: {c['judged']}" for c in r.get("claims", ())] + (["proves: " + r["proves"]] if r.get("proves") else []) + (examined_lines(r["examination"]) if r.get("examination") else [])
        print(json.dumps(r) if args.json else "\n".join(map(one_line, lines)), flush=True)
    return min(({"INVALID": 1, "INCOMPLETE": 3}.get(r["verdict"], 9) for r in results)) % 9
if __name__ == "__main__": sys.exit(main())
