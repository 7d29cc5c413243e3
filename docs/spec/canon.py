#!/usr/bin/env python3
"""Make canonical forms again from the page canonical-forms.md, nothing else.
Usage: python3 canon.py FORM [CODEC] < FILE      FORM: text@1 csv@1 json@1 jsonl@1 dbresult@1 srt@1 vtt@1
       python3 canon.py --lines < LINES          each LABEL, FORM, CODEC, NAME and the bytes in hex, between tabs
Prints form, artifact ID, p_count, p_root, l_count and l_root; "refused" with the reason where the
bytes have no such form; "-" where this Python's Unicode does not assign a code point of the text.
CODEC is Python's name of the charset, by default utf-8. Limits of size are not kept."""
import base64, hashlib, html, json, re, sys, unicodedata

class Refused(Exception): pass

# Text: text@1 and units

INVISIBLE = re.compile("[\0- \x7f-\xa0\xad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000"
                       "\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]*")

def breaks(s): return re.sub("\r\n|[\r\x85\u2028\u2029]", "\n", s)
def nfc(s): return unicodedata.normalize("NFC", s)
def visible(s): return not INVISIBLE.fullmatch(s)

def text(s):
    s = re.sub(r"[ \t]+(?=\n|\Z)", "", nfc(breaks(s)))
    s = s.lstrip("\ufeff\n").rstrip("\n") + "\n"
    if not visible(s):
        raise Refused("nothing visible")
    return s

def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()

def root(leaves):  # RFC 6962
    if len(leaves) < 2:
        return leaves[0] if leaves else sha(b"")
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return sha(b"\x01", root(leaves[:k]), root(leaves[k:]))

def follows(form, payload):
    body = payload[:-1]
    cid = "b" + base64.b32encode(b"\x01\x55\x12\x20" + sha(payload.encode())).decode().lower().rstrip("=")
    out = [form, cid]
    for units in re.split("\n\n+", body), body.split("\n"):
        out += [str(len(units)), root([sha(b"\0", u.encode()) for u in units]).hex()]
    return "\t".join(out)

# Tables: csv@1

def bare(s, i, delimiter):
    j = i
    while j < len(s) and s[j] not in delimiter + "\n":
        j += 1
    return s[i:j], j

def quoted(s, i, delimiter, lenient):  # behind the opening mark; the last result is false if it is never closed
    cell = ""
    while True:
        j = s.find('"', i)
        if j < 0:
            return cell + s[i:], len(s), False
        cell, i = cell + s[i:j], j + 1
        if i == len(s) or s[i] in delimiter + "\n":
            return cell, i, True
        if s[i] == '"':
            i += 1
        elif not lenient:
            return cell, i, False
        cell += '"'

def rows_of(s, delimiter, quoting):  # None where this quoting does not fit
    rows, i = [], 0
    while i < len(s):
        if s[i] == "\n":
            i += 1
            continue
        row = []
        while True:
            if s[i:i + 1] == '"' and quoting != "none":
                cell, i, closed = quoted(s, i + 1, delimiter, quoting == "lenient")
                if not closed:
                    return None
            else:
                cell, i = bare(s, i, delimiter)
                if '"' in cell and quoting == "rfc4180":
                    return None
            row.append(cell)
            i += 1
            if i > len(s) or s[i - 1] == "\n":
                break
        rows.append(row)
    return rows

def regular(rows):  # the share of rows that have the columns, and the columns
    counts = [len(r) for r in rows]
    if not counts:
        return 0, 0
    most, columns = max((counts.count(n), n) for n in set(counts))
    return most / len(rows), columns

def table(s, delimiter):
    rows = rows_of(s, delimiter, "rfc4180")
    if rows is None:
        rows, plain = rows_of(s, delimiter, "lenient"), rows_of(s, delimiter, "none")
        if rows is None or regular(plain)[0] > regular(rows)[0]:
            return plain
    return rows

def escaped(cell): return breaks(cell).replace("\\", "\\\\").replace("\t", "\\011").replace("\n", "\\012")

def line_of(cells):
    line = "\t".join(cells)
    return line + "\\" if line == "" or line[-1] in " \t" else line

def csv(s, name):
    s = breaks(s).lstrip("\ufeff")
    sample = s
    if len(s.encode()) > 65536:
        cut = s.encode()[:65536]
        sample = cut[:cut.rfind(b"\n") + 1 or len(cut)].decode(errors="replace")
    best, chosen = (0, 0), ","
    for d in "\t;,":
        share, columns = regular(table(sample, d))
        if columns > 1 and (share, columns) > best:
            best, chosen = (share, columns), d
        if columns > 1 and d == "\t" and name.lower().endswith(".tsv"):
            break
    rows = table(s, chosen)
    if not any(visible(c) for r in rows for c in r):
        raise Refused("no visible cell")
    rows[0][0] = rows[0][0].lstrip("\ufeff")
    return text("".join(line_of(map(escaped, r)) + "\n" for r in rows))

# JSON: json@1 and jsonl@1. A value is a dict, a list, a str, or a token.

class Token(str): pass

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false|null")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
SPACE = re.compile("[ \t\n\r]*")

def after(s, i): return SPACE.match(s, i).end()

def string(s, i):
    m = STRING.match(s, i)
    if not m:
        raise Refused("no string")
    v = json.loads(m[0])
    if re.search("[\ud800-\udfff]", v):
        raise Refused("a lone surrogate")
    return nfc(v), m.end()

def value(s, i, depth=0):
    i = after(s, i)
    if s[i:i + 1] == '"':
        return string(s, i)
    if s[i:i + 1] not in ("{", "["):
        m = NUMBER.match(s, i)
        if not m:
            raise Refused("no value")
        return Token(m[0]), m.end()
    if depth == 100:
        raise Refused("too deep")
    out, close = ({}, "}") if s[i] == "{" else ([], "]")
    i = after(s, i + 1)
    if s[i:i + 1] == close:
        return out, i + 1
    while True:
        if close == "}":
            name, i = string(s, after(s, i))
            i = after(s, i)
            if name in out or s[i:i + 1] != ":":
                raise Refused("two members of one name, or no colon")
            out[name], i = value(s, i + 1, depth + 1)
        else:
            v, i = value(s, i, depth + 1)
            out.append(v)
        i = after(s, i) + 1
        if s[i - 1:i] == close:
            return out, i
        if s[i - 1:i] != ",":
            raise Refused("no comma")

def alone(s):
    v, i = value(s, 0)
    if after(s, i) != len(s):
        raise Refused("more than one value")
    return v

SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

def units16(c): return "".join("\\u%04x" % int.from_bytes(c.encode("utf-16be")[i:i + 2], "big") for i in range(0, len(c.encode("utf-16be")), 2))

def written(s):
    out, behind = '"', False
    for c in s:
        behind = c in SHORT or c < " " or c in "\x85\u2028\u2029" or behind and unicodedata.combining(c) != 0
        out += SHORT.get(c) or (units16(c) if behind else c)
    return out + '"'

def dump(v, level=None):  # on one line without a level
    if isinstance(v, str):
        return v if isinstance(v, Token) else written(v)
    inner, pad, end = (None, "", "") if level is None else (level + 1, "\n" + "  " * (level + 1), "\n" + "  " * level)
    if isinstance(v, dict):
        parts = [written(k) + (":" if level is None else ": ") + dump(v[k], inner) for k in sorted(v)]
    else:
        parts = [dump(x, inner) for x in v]
    ends = "{}" if isinstance(v, dict) else "[]"
    return ends[0] + ",".join(pad + p for p in parts) + end + ends[1] if parts else ends

def json_(s, name): return text(dump(alone(s.removeprefix("\ufeff")), 0))

def jsonl(s, name):
    return text("".join(dump(alone(l)) + "\n" for l in s.removeprefix("\ufeff").split("\n") if l.strip(" \t\r")))

# Database results: dbresult@1

DATE, CLOCK = r"-?[0-9]{4,9}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", \
    r"([01][0-9]|2[0-4]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,12})?(Z|[+-][0-9]{2}:[0-5][0-9])?"
INTEGER = "-?(0|[1-9][0-9]*)"
TOKENS = {"boolean": "true|false", "bytes": "([0-9a-f]{2})*", "date": DATE, "decimal": INTEGER + r"(\.[0-9]+)?",
          "float": INTEGER + r"(\.[0-9]+)?([eE][+-]?[0-9]+)?|NaN|-?Infinity", "integer": INTEGER, "text": "(?s:.*)",
          "time": CLOCK, "timestamp": DATE + "T" + CLOCK}

def is_token(cell, kind):
    return cell is None or isinstance(cell, str) and "\0" not in cell and re.fullmatch(TOKENS[kind], cell) is not None

def dbresult(s, name):
    try:
        o = json.loads(s)
    except ValueError as e:
        raise Refused(str(e))
    if json.dumps(o, ensure_ascii=False, sort_keys=True, separators=(",", ":")) != s:
        raise Refused("not RFC 8785")
    if sorted(o) != ["columns", "ordered", "query", "rows", "type"] or o["type"] != "muniment/dbresult/v1":
        raise Refused("other members")
    columns, rows = o["columns"], o["rows"]
    if not columns or not visible(o["query"]) or any(c["type"] not in TOKENS for c in columns):
        raise Refused("no columns, no query, or an unknown type")
    if any(len(r) != len(columns) or not all(is_token(x, c["type"]) for x, c in zip(r, columns)) for r in rows):
        raise Refused("a row of other cells")
    lines = [nfc(line_of("\\N" if c is None else escaped(c) for c in r)) for r in rows]
    if not o["ordered"]:
        lines.sort(key=lambda l: l.encode())
    out = ["%d rows, %d columns, %s" % (len(rows), len(columns), "ordered" if o["ordered"] else "unordered"), ""]
    out += ["> " + l for l in text(o["query"])[:-1].split("\n")] + [""]
    out += [line_of(escaped(c[k]) for c in columns) for k in ("name", "type")] + [""] + lines
    return text("\n".join(out))

# Transcripts: srt@1 and vtt@1

ONE = r"(?:([0-9]{1,4}):)?([0-5]?[0-9]):([0-5][0-9])[.,]([0-9]{3})"
TIMES = re.compile(r"[ \t]*" + ONE + r"[ \t]*-->[ \t]*" + ONE + r"(?:[ \t].*)?")

def times(line):
    m = TIMES.fullmatch(line)
    stamp = lambda h, m, s, f: "%02d:%02d:%s.%s" % (int(h or 0), int(m), s, f)
    return m and stamp(*m.groups()[:4]) + " --> " + stamp(*m.groups()[4:])

def one_line(s): return re.sub("[ \t\n\f\r\v]+", " ", breaks(s)).strip(" ")

def cues(found):
    if not any(visible(words) for _, words in found):
        raise Refused("no cue with words")
    return text("".join(t + ("\t" + words if words else "") + "\n" for t, words in found))

def srt(s, name):
    blocks = [("", [])]  # times, and the lines up to the next times
    for line in breaks(s).lstrip("\ufeff").split("\n"):
        if times(line):
            words = blocks[-1][1]
            if words and re.fullmatch("[0-9]+", words[-1].strip(" \t\f\v")):
                words.pop()
            blocks.append((times(line), []))
        else:
            blocks[-1][1].append(line)
    style = re.compile(r"</?(?:b|i|u|s|font)(?:[ \t\n\f\r][^<>]*)?>|\{\\[^{}]*\}", re.I)
    return cues([(t, one_line(style.sub("", "\n".join(words)))) for t, words in blocks[1:]])

def vtt(s, name):
    lines = breaks(s).lstrip("\ufeff").split("\n")
    if not re.match(r"WEBVTT([ \t]|\Z)", lines[0]):
        raise Refused("no head")
    blocks, block = [], []
    for line in lines + [""]:
        begins = "-->" in line and (not blocks or len(block) > 1 or block and "-->" in block[0])
        if block and (line == "" or begins):
            blocks.append(block)
            block = []
        if line:
            block.append(line)
    found = []
    for b in blocks[1:]:
        at = next((i for i in range(min(2, len(b))) if times(b[i])), None)
        if at is not None:
            found.append((times(b[at]), spoken("\n".join(b[at + 1:]))))
    return cues(found)

def spoken(s):
    out = ""
    while s:
        words, _, s = s.partition("<")
        out += html.unescape(words)
        if not _:
            break
        tag, _, s = s.partition(">")
        kind, _, note = re.sub("[\t\n\f]", " ", tag).partition(" ")
        kind, who = kind.split(".")[0], one_line(html.unescape(note))
        out += {"rt": "(", "/rt": ")", "v": " " + who + ": " if who else ""}.get(kind, "")
    return one_line(out)

FORMS = {"text@1": lambda s, name: text(s), "csv@1": csv, "json@1": json_, "jsonl@1": jsonl, "dbresult@1": dbresult, "srt@1": srt, "vtt@1": vtt}

def answer(form, codec, name, data):
    try:
        s = data.decode(codec).removeprefix("\ufeff")
        if any(unicodedata.category(c) == "Cn" for c in s):
            return "-"
        return follows(form, FORMS[form](s, name))
    except (Refused, UnicodeDecodeError) as e:
        return "refused\t%s" % e

if __name__ == "__main__":
    if sys.argv[1:] == ["--lines"]:
        for line in sys.stdin:
            label, form, codec, name, data = line.rstrip("\n").split("\t")
            print(label, answer(form, codec, name, bytes.fromhex(data)), sep="\t")
    elif len(sys.argv) in (2, 3) and sys.argv[1] in FORMS:
        print(answer(sys.argv[1], (sys.argv + ["utf-8"])[2], "", sys.stdin.buffer.read()))
    else:
        sys.exit(__doc__)
