// Verifier of Muniment bundles (docs/spec/bundle.md) and evidence (docs/spec/evidence.md): plain JavaScript, no modules, no dependencies; Node 20 and browsers.
// It decides integrity, signer threshold, archive, log inclusion, display completeness and gate re-evaluation; witnesses and consistency it can only fail.
// node verify.js FILE.zip|FILE.html [--trust allowed_signers] [--archive ID] [--require AXIS] [--json] [more files]: exit code 0 VALID, 1 INVALID, 3 INCOMPLETE, 2 usage.
(function (root) {
  'use strict';
  const MiB = 1 << 20, EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', NS = 'answer@muniment'; class Malformed extends Error {}
  const fail = (why) => { throw new Malformed(why); }; const need = (ok, why) => { if (!ok) fail(why); };
  // Bytes and texts.
  const hex = (b) => Array.from(b, (c) => c.toString(16).padStart(2, '0')).join(''); const unhex = (s) => Uint8Array.from(s.match(/../g) || [], (c) => parseInt(c, 16));
  const raw = (s) => Uint8Array.from(s, (c) => c.charCodeAt(0));
  const latin = (b) => { let s = ''; for (let i = 0; i < b.length; i += 8192) s += String.fromCharCode(...b.subarray(i, i + 8192)); return s; }; const enc = (s) => new TextEncoder().encode(s);
  const utf8 = (b) => { try { return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(b); } catch (e) { return fail('not UTF-8'); } };
  const same = (a, b) => a.length === b.length && a.every((c, i) => c === b[i]);
  const concat = (...p) => { const r = new Uint8Array(p.reduce((n, b) => n + b.length, 0)); let o = 0; for (const b of p) { r.set(b, o); o += b.length; } return r; };
  const b64 = (s) => { need(/^[A-Za-z0-9+/]*={0,2}$/.test(s) && s.length % 4 === 0, 'not base64'); const t = atob(s); need(btoa(t) === s, 'not base64'); return raw(t); };
  // What must not reach a screen as itself: controls, invisible and format characters, line separators, tags, lone surrogates. A line break stays one.
  const UNSAFE = /[\0-\t\x0b-\x1f\x7f-\x9f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;
  const safe = (s) => String(s).replace(UNSAFE, (c) => c === '\t' ? ' ' : '\\u{' + c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0') + '}'), safeLine = (s) => safe(s).replace(/\n/g, ' ');
  // SHA-2: the constants are the first bits of the fractions of square and cube roots of primes (FIPS 180-4).
  const primes = []; for (let n = 2; primes.length < 80; n++) if (primes.every((q) => n % q)) primes.push(n);
  const bits = (prime, k) => { // 64 bits of the fraction of the k-th root
    const v = BigInt(prime) << BigInt(64 * k); let lo = 0n, hi = 1n << 72n; while (hi - lo > 1n) { const m = (lo + hi) >> 1n; if (m ** BigInt(k) <= v) lo = m; else hi = m; }
    return BigInt.asUintN(64, lo); };
  const K64 = primes.map((q) => bits(q, 3)), H64 = primes.slice(0, 8).map((q) => bits(q, 2));
  const K32 = Int32Array.from(K64.slice(0, 64), (k) => Number(k >> 32n) | 0), H32 = H64.map((h) => Number(h >> 32n) | 0);
  const padded = (b, block) => {
    const r = new Uint8Array(Math.ceil((b.length + 1 + block / 8) / block) * block); r.set(b); r[b.length] = 128; new DataView(r.buffer).setBigUint64(r.length - 8, BigInt(b.length) * 8n); return r; };
  function sha256(b) {
    const v = new DataView(padded(b, 64).buffer), h = Int32Array.from(H32), w = new Int32Array(64);
    for (let o = 0; o < v.byteLength; o += 64) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) { w[i] = v.getInt32(o + 4 * i); continue; }
        const x = w[i - 15], y = w[i - 2]; w[i] = w[i - 16] + w[i - 7] + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3) + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10); }
      let [a, bb, c, d, e, f, g, hh] = h;
      for (let i = 0; i < 64; i++) {
        const t = hh + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) + K32[i] + w[i] | 0;
        const u = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & bb ^ a & c ^ bb & c); hh = g; g = f; f = e; e = d + t | 0; d = c; c = bb; bb = a; a = t + u | 0; }
      h[0] += a; h[1] += bb; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += hh; }
    const r = new DataView(new ArrayBuffer(32)); h.forEach((x, i) => r.setInt32(4 * i, x)); return new Uint8Array(r.buffer); }
  function sha512(b) {
    const U = (x) => BigInt.asUintN(64, x), rot = (x, n) => x >> n | U(x << 64n - n), v = new DataView(padded(b, 128).buffer), h = H64.slice();
    for (let o = 0; o < v.byteLength; o += 128) {
      const w = [];
      for (let i = 0; i < 80; i++) {
        if (i < 16) { w.push(v.getBigUint64(o + 8 * i)); continue; }
        const x = w[i - 15], y = w[i - 2]; w.push(U(w[i - 16] + w[i - 7] + (rot(x, 1n) ^ rot(x, 8n) ^ x >> 7n) + (rot(y, 19n) ^ rot(y, 61n) ^ y >> 6n))); }
      let [a, bb, c, d, e, f, g, hh] = h;
      for (let i = 0; i < 80; i++) {
        const t = hh + (rot(e, 14n) ^ rot(e, 18n) ^ rot(e, 41n)) + (e & f ^ U(~e) & g) + K64[i] + w[i]; const u = (rot(a, 28n) ^ rot(a, 34n) ^ rot(a, 39n)) + (a & bb ^ a & c ^ bb & c);
        hh = g; g = f; f = e; e = U(d + t); d = c; c = bb; bb = a; a = U(t + u); }
      [a, bb, c, d, e, f, g, hh].forEach((x, i) => { h[i] = U(h[i] + x); }); }
    const r = new DataView(new ArrayBuffer(64)); h.forEach((x, i) => r.setBigUint64(8 * i, x)); return new Uint8Array(r.buffer); }
  const digest = (b) => hex(sha256(b)); const leafHash = (b) => sha256(concat([0], b)), nodeHash = (l, r) => sha256(concat([1], l, r));
  // Ed25519, strict: canonical key of large order, S < L, the encoding of R compared as it is.
  const P = 2n ** 255n - 19n, L = 2n ** 252n + 27742317777372353535851937790883648493n, mod = (x) => { const r = x % P; return r < 0n ? r + P : r; };
  const pow = (x, e) => { let r = 1n; for (; e; e >>= 1n) { if (e & 1n) r = mod(r * x); x = mod(x * x); } return r; };
  const D = mod(-121665n * pow(121666n, P - 2n)), ROOT = pow(2n, (P - 1n) / 4n), little = (b) => BigInt('0x' + hex(Uint8Array.from(b).reverse()));
  const add = ([x1, y1, z1, t1], [x2, y2, z2, t2]) => {
    const a = mod((y1 - x1) * (y2 - x2)), b = mod((y1 + x1) * (y2 + x2)), c = mod(2n * t1 * t2 * D), d = mod(2n * z1 * z2), e = b - a, f = d - c, g = d + c, h = b + a;
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)]; };
  const mul = (p, n) => { let r = [0n, 1n, 1n, 0n]; for (; n; n >>= 1n) { if (n & 1n) r = add(r, p); p = add(p, p); } return r; };
  function point(b) { // null when not canonical or not on the curve
    const n = little(b), sign = n >> 255n, y = n & (1n << 255n) - 1n, yy = mod(y * y), xx = mod((yy - 1n) * pow(mod(D * yy + 1n), P - 2n));
    let x = pow(xx, (P + 3n) / 8n); if (mod(x * x) !== xx) x = mod(x * ROOT); if (y >= P || mod(x * x) !== xx || (x === 0n && sign)) return null; if ((x & 1n) !== sign) x = P - x;
    return [x, y, 1n, mod(x * y)]; }
  const BASE = point(unhex('58' + '66'.repeat(31))); const largePoint = (b) => { const p = b.length === 32 && point(b), q = p && mul(p, 8n); return Boolean(q) && !(q[0] === 0n && q[1] === q[2]); };
  function ed25519(key, message, sig) {
    if (sig.length !== 64 || !largePoint(key) || little(sig.slice(32)) >= L) return false; const [x, y, z, t] = point(key), k = little(sha512(concat(sig.slice(0, 32), key, message))) % L;
    const q = add(mul(BASE, little(sig.slice(32))), mul([mod(-x), y, z, mod(-t)], k)), inv = pow(q[2], P - 2n); return little(sig.slice(0, 32)) === (mod(q[1] * inv) | (mod(q[0] * inv) & 1n) << 255n);
  }
  // SSH keys, SSHSIG, allowed_signers.
  function fields(b) { // reads the wire format
    let o = 0; const v = new DataView(b.buffer, b.byteOffset, b.length);
    const r = { take: (n) => { need(o + n <= b.length, 'cut short'); o += n; return b.slice(o - n, o); }, u32: () => { r.take(4); return v.getUint32(o - 4); },
      bytes: () => r.take(r.u32()), text: () => latin(r.bytes()), end: () => need(o === b.length, 'trailing bytes') };
    return r; }
  const str = (s) => { const b = typeof s === 'string' ? enc(s) : s, n = new Uint8Array(4); new DataView(n.buffer).setUint32(0, b.length); return concat(n, b); };
  const SK = 'sk-ssh-ed25519@openssh.com';
  function parseKey(blob) {
    const r = fields(blob), type = r.text(); need(type === 'ssh-ed25519' || type === SK, 'key of another type'); const key = { type, point: r.bytes(), app: type === SK ? r.bytes() : null }; r.end();
    need(largePoint(key.point) && (!key.app || /^[!-~]{1,255}$/.test(latin(key.app))), 'not a good Ed25519 key');
    const sum = sha256(blob); key.blob = blob; key.id = hex(sum); key.fingerprint = 'SHA256:' + btoa(latin(sum)).replace(/=/g, ''); return key; }
  function parseSig(file) {
    need(file.length <= 2048, 'too long'); const m = /^-----BEGIN SSH SIGNATURE-----\n((?:[^\n]{70}\n)*[^\n]{1,70}\n)-----END SSH SIGNATURE-----\n$/.exec(latin(file)); need(m, 'not an armored signature');
    const r = fields(b64(m[1].replace(/\n/g, ''))); need(latin(r.take(6)) === 'SSHSIG' && r.u32() === 1, 'not SSHSIG version 1');
    const s = { key: parseKey(r.bytes()), ns: r.text() }; need(/^[!-~]{1,255}$/.test(s.ns) && r.text() === '', 'namespace'); s.hash = r.text(); need(/^sha(256|512)$/.test(s.hash), 'hash');
    const g = fields(r.bytes()); r.end(); need(g.text() === s.key.type, 'signature of another type'); s.sig = g.bytes(); s.extra = s.key.app ? g.take(5) : null; g.end();
    need(s.sig.length === 64 && little(s.sig.slice(32)) < L && (!s.extra || (s.extra[0] & 0xC1) === 1), 'not a good signature'); return s; }
  function sigVerifies(s, ns, message) {
    const data = concat(enc('SSHSIG'), str(s.ns), str(''), str(s.hash), str(s.hash === 'sha256' ? sha256(message) : sha512(message)));
    return s.ns === ns && ed25519(s.key.point, s.extra ? concat(sha256(s.key.app), s.extra, sha256(data)) : data, s.sig); }
  const glob = (p, s) => new RegExp('^' + p.replace(/[^*?]/gu, (c) => c.replace(/[\\^$.|+()[\]{}]/, '\\$&')).replace(/\*/g, '[^]*').replace(/\?/g, '[^]') + '$', 'u').test(s);
  const inList = (list, s) => !list.some((p) => p[0] === '!' && glob(p.slice(1), s)) && list.some((p) => p[0] !== '!' && glob(p, s));
  const patterns = (s) => { const l = s.split(','); need(l.every((p) => { const n = enc(p.replace(/^!/, '')).length; return n > 0 && n < 256; }), 'empty or long pattern'); return l; };
  function sshTime(s) {
    const m = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?Z?$/.exec(s); need(m, 'time');
    const iso = `${m[1]}-${m[2]}-${m[3]}T${m[4] || '00'}:${m[5] || '00'}:${m[6] || '00'}.000Z`, d = new Date(iso); need(!isNaN(d) && d.toISOString() === iso, 'time'); return [iso, s.endsWith('Z')]; }
  function parseTrust(file) {
    const text = utf8(file); need(file.length <= MiB && !/[\0-\x08\x0b-\x1f\x7f]/.test(text), 'trust: a control character, or too long');
    return text.split('\n').flatMap((full, i) => {
      const line = full.replace(/^[ \t]+/, ''); if (!line || line[0] === '#') return [];
      try {
        const m = /^("[^"\\]*"|[^ \t"\\]+)[ \t]+(?:((?:[A-Za-z-]+(?:="[^"\\]*")?,)*[A-Za-z-]+(?:="[^"\\]*")?)[ \t]+)?([a-z0-9@.-]+)[ \t]+([^ \t]+)([ \t][^]*)?$/.exec(line); need(m, 'not an allowed signer');
        const named = (m[5] || '').split(/[ \t]+/).filter((w) => w.startsWith('muniment-archive=')).map((w) => w.slice(17)); need(named.length < 2 && named.every(JSONID), 'archive');
        const o = {}, e = { line: i + 1, principals: patterns(m[1].replace(/"/g, '')), key: parseKey(b64(m[4])), archive: named[0] || '', o }; need(e.key.type === m[3], 'key of another type');
        for (const [, name, value] of (m[2] || '').matchAll(/([A-Za-z-]+)(?:="([^"]*)")?(?:,|$)/g)) {
          const n = name.toLowerCase(); need(!(n in o) && (n === 'cert-authority' ? value === undefined : /^(namespaces|valid-after|valid-before)$/.test(n) && value !== undefined), 'option');
          need(n !== 'namespaces' || /^[!-~]*$/.test(value), 'namespaces'); o[n] = n === 'namespaces' ? patterns(value) : n === 'cert-authority' || sshTime(value); }
        const a = o['valid-after'], z = o['valid-before']; need(!a || !z || a[1] !== z[1] || a[0] < z[0], 'times reversed'); return [e];
      } catch (e) { return fail('trust: line ' + (i + 1) + ': ' + e.message); } }); }
  const linesOf = (trust, key, ns) => trust.filter((e) => !e.o['cert-authority'] && e.key.id === key.id && (!e.o.namespaces || inList(e.o.namespaces, ns)));
  const allowed = (trust, key, ns, archive) => linesOf(trust, key, ns).find((e) => !e.archive || e.archive === archive) || null;
  // Log: C2SP checkpoint and tlog-proof, RFC 6962 inclusion.
  function parseCheckpoint(text) {
    const m = /^([^\n]*)\n(0|[1-9][0-9]*)\n([^\n]*)\n\n((?:\u2014 [^\n]+\n)+)$/.exec(text); need(m && enc(text).length <= 65536 && /^[!-*,-~]{1,255}$/.test(m[1]), 'not a checkpoint');
    const c = { origin: m[1], size: BigInt(m[2]), root: b64(m[3]), text: enc(text.slice(0, text.length - m[4].length - 1)), sigs: [] }, seen = new Set();
    need(c.size < 1n << 63n && c.root.length === 32 && (c.size > 0n || hex(c.root) === EMPTY) && m[4].split('\n').length <= 101, 'not a checkpoint');
    for (const line of m[4].slice(0, -1).split('\n')) {
      const s = /^\u2014 ([^+\0- \x7f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+) ([^ ]+)$/.exec(line); need(s, 'signature line'); const sig = b64(s[2]), id = s[1] + ' ' + hex(sig.slice(0, 4));
      need(sig.length > 4 && !seen.has(id), 'signature line'); seen.add(id); c.sigs.push({ id, name: s[1], sig: sig.slice(4), size: enc(line).length + 1 }); }
    return c; }
  const COSIGNER = /^muniment\/witness\/[0-9a-f]{64}$/; // names of witnesses that carry their key; others are passed over
  function parseProof(file) {
    const m = /^c2sp\.org\/tlog-proof@v1\nindex (0|[1-9][0-9]*)\n((?:[^\n]+\n){0,63})\n([^]*)$/.exec(utf8(file)); need(m && m[1].length < 20 && BigInt(m[1]) < 1n << 63n, 'not a log proof');
    const hashes = m[2].split('\n').slice(0, -1).map(b64); need(hashes.every((h) => h.length === 32), 'hash');
    const checkpoint = parseCheckpoint(m[3]); const own = (x) => x.name === checkpoint.origin; need(checkpoint.sigs.filter(own).length < 2 && checkpoint.sigs.every((x) => own(x) || !x.name.startsWith('muniment/witness/') || COSIGNER.test(x.name)), 'signature of nobody');
    const foreign = checkpoint.sigs.filter((x) => !own(x) && !COSIGNER.test(x.name)); need(foreign.length <= 16 && foreign.reduce((n, x) => n + x.size, 0) <= 4096, 'too many lines of witnesses that nobody here knows');
    return { index: BigInt(m[1]), hashes, checkpoint }; }
  function checkpointSigned(c, key) {
    const id = c.origin + ' ' + hex(sha256(concat(enc(c.origin), [10, 1], key.point)).slice(0, 4)), s = c.sigs.find((x) => x.id === id);
    return key.type === 'ssh-ed25519' && Boolean(s) && ed25519(key.point, c.text, s.sig); }
  function cosignatureWrong(c, x) { // x: the line of a witness
    const key = unhex(x.name.slice(17)), time = x.sig.length === 72 ? new DataView(x.sig.slice(0, 8).buffer).getBigUint64(0) : -1n;
    return time < 0n || time > 253402300799n || x.id !== x.name + ' ' + hex(sha256(concat(enc(x.name), [10, 4], key)).slice(0, 4)) || !ed25519(key, concat(enc('cosignature/v1\ntime ' + time + '\n'), c.text), x.sig.slice(8)); }
  function included(hash, index, size, hashes, rootHash) { // RFC 9162, 2.1.3.2
    let fn = index, sn = size - 1n, r = hash; if (index >= size) return false;
    for (const h of hashes) {
      if (sn === 0n) return false; if (fn & 1n || fn === sn) { r = nodeHash(h, r); while (!(fn & 1n) && fn) { fn >>= 1n; sn >>= 1n; } } else r = nodeHash(r, h); fn >>= 1n; sn >>= 1n; }
    return sn === 0n && same(r, rootHash); }
  // Canonical JSON: only the one form is read, and what was read encodes to the same bytes.
  const ESC = { '"': '"', '\\': '\\', b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };
  const quote = (s) => '"' + s.replace(/["\\\0-\x1f]/g, (c) => { const k = Object.keys(ESC).find((e) => ESC[e] === c); return '\\' + (k || 'u' + c.charCodeAt(0).toString(16).padStart(4, '0')); }) + '"';
  const encode = (v) => typeof v === 'string' ? quote(v) : Array.isArray(v) ? '[' + v.map(encode).join(',') + ']'
    : typeof v === 'object' ? '{' + Object.keys(v).sort().map((k) => quote(k) + ':' + encode(v[k])).join(',') + '}' : String(v);
  function parseJSON(b, limit) {
    need(b.length <= limit, 'too long'); const s = utf8(b); let o = 0; const eat = (re) => { re.lastIndex = o; const m = re.exec(s); if (m) o = re.lastIndex; return m; };
    const text = () => { const m = eat(/"((?:[^"\\\0-\x1f]|\\["\\btnfr]|\\u00[01][0-9a-f])*)"/y); need(m, 'JSON string'); return m[1].replace(/\\(?:u00(..)|(.))/g, (x, u, c) => u ? String.fromCharCode(parseInt(u, 16)) : ESC[c]); };
    const value = (depth) => {
      need(depth <= 9, 'JSON too deep'); const c = s[o]; if (c === '"') return text();
      const m = eat(/(true|false)|(-?[1-9][0-9]{0,15}|0)(?![0-9.eE])/y); if (m) { const n = m[1] ? m[1] === 'true' : Number(m[2]); need(m[1] || Number.isSafeInteger(n), 'JSON number'); return n; }
      need((c === '{' || c === '[') && depth <= 8, 'JSON value'); o++; const v = c === '[' ? [] : Object.create(null), end = c === '[' ? ']' : '}'; let last = ''; if (s[o] === end) { o++; return v; }
      do {
        if (c === '[') v.push(value(depth + 1)); else { const k = text(); need(/^[a-z][a-z0-9_]*$/.test(k) && k > last && s[o++] === ':', 'JSON member'); last = k; v[k] = value(depth + 1); }
      } while (s[o] === ',' && ++o); need(s[o++] === end, 'JSON end'); return v;
    }; const v = value(1); need(o === s.length && s[0] === '{' && encode(v) === s, 'not canonical JSON'); return v; }
  // Leaves: every member is named, none is optional but those of a snapshot proof that are left out when empty.
  function cid(s, codec) { // codec: hex of version, codec and hash prefix
    let n = 0, v = 0, out = []; if (typeof s !== 'string' || !/^b[a-z2-7]{50,60}$/.test(s)) return false;
    for (const c of s.slice(1)) { v = v << 5 | 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(c); n += 5; if (n >= 8) { n -= 8; out.push(v >> n); v &= (1 << n) - 1; } }
    return v === 0 && n < 5 && hex(out.slice(0, -32)) === codec; }
  const RAW = (s) => cid(s, '01551220'), JSONID = (s) => cid(s, '0180041220');
  const S = (v) => typeof v === 'string', S1 = (v) => S(v) && v !== '', B = (v) => v === true || v === false, is = (re) => (v) => S(v) && re.test(v), H = is(/^[0-9a-f]{64}$/);
  const I = (lo, hi) => (v) => Number.isSafeInteger(v) && v >= lo && v <= (hi || Number.MAX_SAFE_INTEGER), IX = I(0, 4095), one = (...l) => (v) => l.includes(v);
  const list = (f) => (v) => Array.isArray(v) && v.every(f), IXS = (v) => list(IX)(v) && new Set(v).size === v.length;
  const obj = (members, optional = {}) => (v) => typeof v === 'object' && !Array.isArray(v) && Object.keys(members).every((k) => k in v) && Object.keys(v).every((k) => (Object.hasOwn(members, k) ? members : Object.hasOwn(optional, k) ? optional : { [k]: () => false })[k](v[k]));
  const RUNGS = ['supported', 'narrowed', 'labeled', 'refused'], RUNG = one(...RUNGS), REFUSAL = one('category', 'retrieval', 'coverage', 'consent', 'assembly');
  const LABEL = { direct_quote: 'their words', paraphrase: 'paraphrased', inference_from: 'interpreted from', metadata_fact: 'record of the archive', aggregation: 'counted from' };
  const full = (f) => (v) => Array.isArray(v) && v.length > 0 && v.every(f), TEXTS = (v) => list(S)(v) && v.length <= 100, ZERO = (v) => Object.values(v).every((x) => x === false || x === '');
  const INPUTS = obj({ aligned: B, entailed: S, inputs_resolve: B, marker: B, match: S, narrowed: B, relation: S, span_resolves: B });
  const SNAP = obj({ count: I(-Number.MAX_SAFE_INTEGER), outer: TEXTS, shard: S, shard_root: S }, { absent: S1, lines: full(obj({ digest: S, index: I(-Number.MAX_SAFE_INTEGER), path: S }, { inner: (v) => full(S)(v) && TEXTS(v) })) });
  const KIND = {
    claim: { claim: I(1), text: S1, rung: RUNG, restricted: B, cites: IXS, gate: IX },
    cite: { claim: I(1), handle: is(/^Source [A-Z]{1,3}$/), relation: (v) => S(v) && Object.hasOwn(LABEL, v), label: S, contradicts: B, restricted: B, chunks: IXS, source: IX },
    chunk: { text: S1 }, removed: { topic: S1, reason: S1 }, pad: {}, refusal: { refusal_kind: REFUSAL, message: S1, suggestions: TEXTS, topic: S },
    source: { citation: JSONID, citation_json: S, artifact: (v) => RAW(v) || JSONID(v), record: JSONID, snapshot: RAW, seq: I(-Number.MAX_SAFE_INTEGER), span: S, quote_sha256: H, prefix: S, suffix: S, quote: S,
      paragraphs: list(obj({ kind: S, ordinal: I(-Number.MAX_SAFE_INTEGER), text: S, proof: list(H) })), record_json: S, record_proof: SNAP, commit: S },
    gate: { stage: one('category', 'coverage', 'consent'), claim: I(0), query: S, inputs: INPUTS, rung: (v) => v === '' || RUNG(v),
      failed: list(obj({ rung: S, test: S })), table: S, true_kind: (v) => v === '' || REFUSAL(v), notes: TEXTS },
    display: { shown: IXS, keep: IXS, outcome_rung: RUNG, requestor_tier: S1 }, };
  const RANKED = obj({ features: (v) => list(obj({ name: S, value: I(-Number.MAX_SAFE_INTEGER) }))(v) && v.length <= 100, high: I(-Number.MAX_SAFE_INTEGER), low: I(-Number.MAX_SAFE_INTEGER), score: I(-Number.MAX_SAFE_INTEGER), table: S1 });
  const JUDGED = obj({ model: S1, prompt_sha256: H, reply_sha256: H, verdict: one('yes', 'no', 'doubt') }), ROLE = one('answer', 'nearest');
  const KIND2 = { // of the second version: members, and those that are left out when empty
    claim: [{ ...KIND.claim, rung: KIND.gate.rung, role: ROLE }, {}], cite: [KIND.cite, { title: S1, date: S1 }], question: [{ text: S1 }, {}],
    gate: [{ ...KIND.gate, stage: one('category', 'rank', 'coverage', 'consent') }, { role: ROLE, rank: RANKED, judge: JUDGED }], };
  // Reviews of persons (docs/spec/review.md), in leaves of the third version.
  const KIND3 = { reviews: [{ cite: IX, claim: I(1), needed: I(1, 8), outcome: one('', 'follows', 'not_shown', 'contradicted', 'disputed'), quote: S, span: S1, text: S1,
    reviews: (v) => Array.isArray(v) && v.length > 0 && v.length <= 8 && v.every(obj({ commit: S, not: S, organisation: S, proof: SNAP, review: S, seq: I(1), snapshot: RAW })) }, {}] };
  const REASONS = { follows: { meaning: 'the words say it in other words', same: 'the words say it as the claim does', computed: 'it can be counted or computed from the words' },
    not: { missing: 'the words do not say it', contradicts: 'the words say the opposite or something else', scope: 'the words say it only as a report, a condition or a fiction', restriction: 'the claim leaves out a limit that the words set', referent: 'somebody or something else is meant', misread: 'the text is not what the original says' },
    unsure: { context: 'more of the paper is needed', language: 'the language is not understood well enough', expertise: 'it takes knowledge of the subject', illegible: 'the words cannot be read' } };
  const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'], dayOf = (s) => { const [y, m, d] = s.split('-'); return Number(d) + ' ' + MONTHS[m - 1] + ' ' + y; };
  const isDay = (s) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(s) && !isNaN(new Date(s + 'T00:00:00Z')) && new Date(s + 'T00:00:00Z').toISOString().startsWith(s + 'T'), known = new Map();
  function readReview(text) { // its members, with its key, its ID and who wrote it
    if (known.has(text)) return known.get(text);
    const r = parseJSON(enc(text), 4096); need(obj({ type: one('muniment/review/v1'), artifact: (v) => RAW(v) || JSONID(v), day: isDay, reason: S1, signature: S1, subject: H, surroundings: H, verdict: one('follows', 'not', 'unsure') },
      { name: (v) => S1(v) && enc(v).length <= 100 && /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(v) && v.trim() === v, replaces: JSONID })(r) && Object.hasOwn(REASONS[r.verdict], r.reason), 'members of a review');
    const { signature, ...rest } = r, sig = parseSig(enc(signature)); need(sigVerifies(sig, 'review@muniment', enc(encode(rest))), 'the signature of a review is wrong');
    const out = { ...r, key: sig.key, id: 'b' + base32(concat(unhex('0180041220'), sha256(enc(text)))), by: r.name || 'reviewer ' + sig.key.id.slice(0, 8) }; if (known.size < 999) known.set(text, out); return out; }
  function reviewed(l) { // the reviews in a leaf, which are all of its claim, span and quote
    const all = l.reviews.map((kept) => ({ ...kept, ...readReview(kept.review) }));
    for (const r of all) need(digest(enc(encode({ type: 'muniment/review-subject/v1', artifact: r.artifact, claim: l.text, span: l.span, words: l.quote, surroundings: r.surroundings }))) === r.subject && r.artifact === all[0].artifact, 'a review is of another claim or of other words');
    need(new Set(all.map((r) => r.id)).size === all.length && /[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(l.text), 'a review is there twice, or its claim is empty'); return all; }
  function weigh(l) { // what persons make of a citation, and the words for it
    const all = reviewed(l), who = (r) => r.by + (r.organisation && ' of ' + r.organisation), counted = all.filter((r) => !r.not && !all.some((o) => o.replaces === r.id && hex(o.key.point) === hex(r.key.point)));
    const yes = counted.filter((r) => r.verdict === 'follows'), no = counted.filter((r) => r.verdict === 'not'), have = new Set(yes.map((r) => r.organisation)).size;
    const checked = yes.map((r) => who(r) + ' checked it on ' + dayOf(r.day)).join(', and '), denied = no.map((r) => who(r) + ' said on ' + dayOf(r.day) + ' that it does not follow: ' + REASONS.not[r.reason]).join('; ');
    if (yes.length && no.length) return ['disputed', 'disputed: ' + checked + ', ' + denied]; if (no.length) return no.some((r) => r.reason === 'contradicts') ? ['contradicted', 'contradicted: ' + denied] : ['not_shown', 'unverified: ' + denied];
    if (have >= l.needed) return ['follows', 'verified: ' + checked];
    return ['', 'unverified: ' + (have ? l.needed - have + ' more of another organisation must check it' : l.needed + ' of different organisations must check it first') + ', as the profile asks for it']; }
  function misjudged(l, leaves) { // what persons said otherwise of a claim than the leaf, the claim or its source, or ''
    const [outcome] = weigh(l), cite = leaves.get(l.cite), source = cite && leaves.get(cite.source); if (outcome !== l.outcome) return 'its reviews give another outcome';
    for (const c of leaves.values()) {
      if (c.claim !== l.claim) continue; if (c.kind === 'claim' && (outcome === 'follows' ? c.text !== l.text : outcome && ['supported', 'narrowed'].includes(c.rung))) return 'claim ' + c.claim + ' is not what persons said';
      if (c.kind === 'gate' && c.stage === 'coverage' && outcome === 'follows' && c.inputs.entailed !== 'yes') return 'the gate of claim ' + c.claim + ' is not what persons said'; }
    return source && (source.artifact !== readReview(l.reviews[0].review).artifact || source.span !== l.span || source.quote !== l.quote) ? 'persons read other words than those of claim ' + l.claim : ''; }
  function judgedBy(leaves) { // for each claim who judged it, where persons judged one
    const said = new Map(), all = [...leaves.values()]; for (const l of all) if (l.kind === 'reviews' && (!said.has(l.claim) || l.outcome !== 'follows')) said.set(l.claim, weigh(l)[1]); if (!said.size) return [];
    const words = (c) => { const g = leaves.get(c.gate), judge = g && g.judge; if (c.role !== 'nearest' && judge && judge.verdict === 'yes') return (c.rung === 'labeled' ? 'unverified' : 'verified') + ': the model ' + judge.model + ' says that it follows; no person checked it';
      return c.role === 'nearest' || c.rung === 'labeled' ? 'unverified: nobody judged it' : 'verified: the rules found it in the words; no person checked it'; };
    return all.filter((l) => l.kind === 'claim').sort((a, b) => a.claim - b.claim).map((c) => ({ number: c.claim, judged: safeLine(said.get(c.claim) || words(c)) })); }
  function parseLeaf(b) {
    const v = parseJSON(b, 65536), late = newer(v.type, 'muniment/leaf'); if (late) { need(obj({ answer: is(/^[0-9a-f]{32}$/), index: IX, kind: S1, salt: H })({ answer: v.answer, index: v.index, kind: v.kind, salt: v.salt }), 'members of every leaf'); return { answer: v.answer, index: v.index, newer: late }; }
    const second = v.type === 'muniment/leaf/v2', kinds = v.type === 'muniment/leaf/v3' ? KIND3 : second ? KIND2 : KIND; need(S(v.kind) && Object.hasOwn(kinds, v.kind), 'leaf of no known kind');
    const [members, more] = kinds === KIND ? [KIND[v.kind], {}] : kinds[v.kind]; need(obj({ answer: is(/^[0-9a-f]{32}$/), index: IX, kind: S, salt: H, type: one('muniment/leaf/v1', 'muniment/leaf/v2', 'muniment/leaf/v3'), ...members }, more)(v), 'members of a ' + v.kind + ' leaf');
    if (v.kind === 'reviews') reviewed(v);
    if (v.kind === 'claim') need((v.rung === '') === (v.role === 'nearest'), 'rung and role of a claim');
    if (v.kind === 'gate') need((v.stage === 'rank') === ('rank' in v) && (!('role' in v) || 'rank' in v) && (!('judge' in v) || v.stage === 'coverage'), 'score or judge of a gate');
    if (v.kind === 'cite') need(v.label === LABEL[v.relation] && !(v.restricted && v.chunks.length), 'label or chunks of a cite');
    if (v.kind === 'source') need((v.span.startsWith('meta:') ? JSONID : RAW)(v.artifact), 'artifact of another codec');
    if (v.kind === 'gate') {
      const cov = v.stage === 'coverage'; need((v.query === '' || v.stage === 'category') && (cov ? RUNG(v.rung) && v.table !== '' : v.rung === '' && v.table === '' && !v.failed.length && ZERO(v.inputs)), 'members of another stage');
    }
    if (v.kind === 'display') need(!v.shown.includes(v.index) && v.keep.every((k, i) => v.shown.includes(k) && (!i || v.keep[i - 1] < k)), 'shown or keep');
    return v; }
  // What is newer than this verifier (docs/spec/versions.md): the versions that it reads, and why it does not read one.
  const READ = { 'muniment/answer': 1, 'muniment/leaf': 3, 'muniment/gate': 1, rank: 4, 'muniment/citation': 3, 'muniment/record': 2, 'muniment/evidence': 1, 'muniment/log-conflict': 2, 'muniment/snapshot-form': 1 };
  const newer = (name, ...bases) => { const m = /^([a-z/-]+)\/v([1-9][0-9]{0,5})$/.exec(S(name) ? name : ''); return m && bases.includes(m[1]) && Number(m[2]) > READ[m[1]] ? `made by a newer program; version ${m[2]} of ${m[1]} reads it` : ''; };
  const LATER = /^[a-z][a-z0-9-]{0,30} [ -~]+$/;
  // Statement, zip.
  const HX = '([0-9a-f]{64})', NUM = '(0|[1-9][0-9]{0,15})', SEAL = 'sealed ([a-z][a-z0-9-]{0,30}) (-|[1-5](?:-[1-5]){1,4}) ' + HX;
  const STATEMENT = new RegExp('^' + ['muniment/answer/v1', 'archive (\\w+)', 'id ([0-9a-f]{32})', 'issued ([0-9T:-]{19}Z)', 'request ' + HX, 'outcome (answer|partial|refusal)', 'leaves (64|256|1024|4096)', 'root ' + HX,
    'sums ' + HX, 'display ' + NUM, '((?:' + SEAL.replace(/\((?!\?)/g, '(?:') + '\\n){1,16})policy ' + HX, 'trust ' + HX, 'after muniment/(\\w+)/answers/' + HX + '/([1-9][0-9]{0,15}) ' + NUM + ' ' + HX].join('\\n') + '\\n$');
  const KEYS = ['archive', 'id', 'issued', 'request', 'outcome', 'leaves', 'root', 'sums', 'display', 'sealed', 'policy', 'trust', 'after'], upTo = (s, mark) => s.split(mark, 1)[0];
  const ascending = (s) => s.split('-').every((d, i, a) => !i || a[i - 1] < d);
  function parseStatement(b) {
    need(b.length <= 4096, 'too long'); let text = latin(b); const late = newer(upTo(text, '\n'), 'muniment/answer');
    if (late) { const lines = text.split('\n'); need(lines.pop() === '' && lines.slice(1).every((l) => LATER.test(l)), 'a line has another form'); text = ['muniment/answer/v1', ...lines.slice(1).filter((l) => KEYS.includes(upTo(l, ' '))), ''].join('\n'); }
    const m = STATEMENT.exec(text); need(m && !/[^\n -~]/.test(text), 'not a statement');
    const st = { archive: m[1], id: m[2], issued: m[3], request: m[4], outcome: m[5], leaves: Number(m[6]), root: m[7], sums: m[8], display: Number(m[9]), policy: m[11], trust: m[12],
      origin: 'muniment/' + m[13] + '/answers/' + m[14] + '/' + m[15], key: m[14], size: Number(m[16]), before: m[17], sealed: new Map(), newer: late };
    const when = new Date(st.issued); need(!isNaN(when) && when.toISOString() === st.issued.replace('Z', '.000Z') && st.issued >= '1970', 'issued');
    need(JSONID(st.archive) && m[13] === st.archive && st.display < st.leaves && [m[15], m[16]].every((n) => Number.isSafeInteger(Number(n))) && (st.size > 0 || st.before === EMPTY), 'archive, display or after');
    let last = ['', ''];
    for (const line of m[10].slice(0, -1).split('\n')) {
      const [, scope, sub, sum] = new RegExp(SEAL).exec(line), whole = sub === '-' || last[1] === '-';
      need((scope > last[0] || (scope === last[0] && sub > last[1] && !whole)) && ascending(sub === '-' ? '' : sub), 'sealed'); last = [scope, sub];
      st.sealed.set('sealed/' + scope + (sub === '-' ? '' : '.' + sub) + '.age', sum); }
    return st; }
  const NAME = /^(?:statement|SHA256SUMS|log\.proof|sigs\/[0-9a-f]{64}\.sshsig|leaves\/[0-9]{5}\.json|sealed\/[a-z][a-z0-9-]{0,30}(?:\.[1-5](?:-[1-5]){1,4})?\.age)$/;
  const CRC = Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? n >>> 1 ^ 0xedb88320 : n >>> 1; return n; });
  const crc32 = (b) => { let c = -1; for (let i = 0; i < b.length; i++) c = CRC[(c ^ b[i]) & 255] ^ c >>> 8; return ~c >>> 0; };
  function unzip(b) { // reads the local entries, builds the one zip of them, and requires the same bytes
    need(b.length <= 64 * MiB, 'more than 64 MiB'); const v = new DataView(b.buffer, b.byteOffset, b.length), files = new Map(), parts = [], central = []; let o = 0, last = '', sum = 0;
    const le = (...p) => Uint8Array.from(p.flatMap(([n, size]) => Array.from({ length: size }, (_, i) => n / 256 ** i & 255)));
    while (o + 30 <= b.length && v.getUint32(o, true) === 0x04034b50) {
      const n = v.getUint16(o + 26, true), size = v.getUint32(o + 18, true), start = o + 30 + n; need(start + size <= b.length, 'zip cut short');
      const name = latin(b.subarray(o + 30, start)), data = b.slice(start, start + size); need(NAME.test(name) && name > last && ascending((/\.([1-5-]+)\.age$/.exec(name) || ['', ''])[1]), 'no file may be named or stand here: ' + name);
      const common = [[10, 2], [0, 2], [0, 2], [0, 2], [33, 2], [crc32(data), 4], [size, 4], [size, 4], [n, 2], [0, 2]];
      parts.push(le([0x04034b50, 4], ...common), raw(name), data); central.push(le([0x02014b50, 4], [0x0314, 2], ...common, [0, 2], [0, 2], [0, 2], [0x81a40000, 4], [o, 4]), raw(name));
      files.set(name, data); last = name; sum += size; o = start + size; }
    const dir = concat(...central); need(sum <= 64 * MiB, 'more than 64 MiB');
    need(same(concat(...parts, dir, le([0x06054b50, 4], [0, 2], [0, 2], [files.size, 2], [files.size, 2], [dir.length, 4], [o, 4], [0, 2])), b), 'not the one form of a zip'); return files; }
  // What a requestor is shown, and the page of it (docs/spec/page.md).
  const PAGE_BEGIN = '<!doctype html>\n<html lang="en" data-muniment="', PAGE_DATA = '<script type="application/zip;base64" id="bundle">\n', PAGE_END = '<\/script>\n';
  const after = (s, mark) => { const i = s.indexOf(mark); return i < 0 ? '' : s.slice(i + mark.length); };
  const isPage = (b) => b.length >= PAGE_BEGIN.length && same(b.subarray(0, PAGE_BEGIN.length), raw(PAGE_BEGIN));
  function zipOfPage(b) { // the text of a page, and the zip in it
    need(b.length <= 8 * MiB, 'more than 8 MiB'); const page = utf8(b); return [page, b64(upTo(after(page, PAGE_DATA), PAGE_END).replace(/\n/g, ''))]; }
  function excerpt(b, chunks) { // texts, and null where words are withheld
    const out = []; for (const i of chunks) { const l = b.leaves.get(i), n = out.length; if (!l) { if (!n || out[n - 1] !== null) out.push(null); } else if (n && out[n - 1] !== null) out[n - 1] += l.text; else out.push(l.text); }
    return out; }
  const FORMS = { 'muniment/page/v1': ['4daf6a5fe493ade8aaf1cbf4cb9dcc9c866e5a3baac94f14b1240394c5a480d4', '1985fdb771387bb672231f4a9a62cbff45366a3a4dd195e17b070fe662d9405f', '154f022309cfab12f0937b066ec2f376e540ccbe0c4cb4ee56bbe2dcb1b06d24'],
    'muniment/page/v2': ['4daf6a5fe493ade8aaf1cbf4cb9dcc9c866e5a3baac94f14b1240394c5a480d4', '0484c0944f80948343c595be9c94d40ccd44f837bc1a2334f4d11de02682cd83', 'c7adaa3201df2de52ac99062f7e954327dcfbd46550911ed763cf03cfb637473'],
    'muniment/page/v3': ['5662031cd2de320243ff76dbf88e3766668908b45fa849cc17feca0480d09df8', '089e8ad750b4a0d858be0d9efac44f2e75a55e2494e3dab5bb37a5116b07182d', '15db90299916ed332023ff271eca84c1737e3336a52153e269b63aef4a19c11b'] }; // sha256 of the style, of the verifier and of the script of a form
  const PLAIN = { answer: 'Answered', partial: 'Answered in part', refusal: 'Not answered', supported: 'Supported: the evidence says it', narrowed: 'Narrowed: said as far as the evidence goes',
    labeled: 'Labelled: inferred from the evidence', nearest: 'Nearest: nobody has checked that it answers' }; // the words of the third form
  const FIRST_PROOF = `<p>Compare the fingerprint with the one in your trust root, on paper if you can. A page cannot vouch for its own signer.</p>
<h2>What this proves, and what it does not</h2>
<ul>
<li>A script in this page checks the bundle in it: that its parts are those that were signed, that the rungs follow from what the gates saw, that nothing the answer may not lose was left out, and that the page shows what the bundle says. Whoever changes the page can change the script too. Print what you see, but check the file with a program of your own.</li>
<li>It does not show that a claim is true, when the answer was made, that nothing was withdrawn since, or that the signer is who you think.</li>
<li>To check it with your own trust file, on a computer without a network: <code>muniment-verify FILE.html --trust FILE</code>. The page is read strictly: one changed byte is INVALID.</li>
`, PLAIN_PROOF = `<h2>How to check it</h2>
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
`;
  function pageOf(b, page, zip) {
    const name = upTo(page.slice(PAGE_BEGIN.length), '"'); need(Object.hasOwn(FORMS, name), 'a form that this verifier does not know, ' + name.slice(0, 40));
    const style = upTo(after(page, '<style>'), '<\/style>'), rest = after(after(page, PAGE_DATA), PAGE_END), verifier = upTo(rest.slice(8), PAGE_END), script = upTo(after(rest, PAGE_END).slice(8), '<\/script>');
    need([style, verifier, script].every((s, i) => digest(enc(s)) === FORMS[name][i]), 'another style or script than its form has');
    const [css, one, two] = FORMS[name].map((h) => "'sha256-" + btoa(latin(unhex(h))) + "'"), t = (s) => safe(s).replace(/[&<>'"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' })[c]);
    const st = b.st, d = b.display, here = (kind) => d.shown.map((i) => b.leaves.get(i)).filter((l) => l && l.kind === kind), gone = (list) => list.filter((i) => d.shown.includes(i) && !b.leaves.has(i)).length, out = [];
    const missing = gone(d.shown), data = btoa(latin(zip)), third = name === 'muniment/page/v3', tier = t(safeLine(d.requestor_tier)), rungOf = (r) => third && Object.hasOwn(PLAIN, r) ? PLAIN[r] : r;
    out.push(`${PAGE_BEGIN}${name}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${one} ${two}; style-src ${css}; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>Answer ${st.id}</title>
<style>${style}<\/style>
</head>
<body>
<header>
<h1>Answer from an archive</h1>
<p class="dim">${third ? `${PLAIN[st.outcome]}; made for the tier ${tier}. It says it was made on ${st.issued.slice(0, 10)} at ${st.issued.slice(11, 19)} UTC.` : `${st.outcome}, ${d.outcome_rung}, for the tier ${tier}. It says it was issued ${st.issued}.`}</p>
</header>
<main>
<p id="check" class="box" role="status">Not checked by this page: its script did not run. It can be read and printed all the same; see below how to check it.</p>
<section id="answer" aria-label="Answer">
`);
    if (missing) out.push(`<p><span class="gap">reduced copy</span> ${missing} parts of the answer as shown are left out.</p>\n`);
    const second = name !== 'muniment/page/v1', near = here('claim').find((c) => second && c.role === 'nearest'), bare = (x) => safe(x).split('[…]').join('…').replace(/^[“”" …]+|[“”" …]+$/g, '');
    if (third && !here('question').length) out.push('<p class="label">The question is not disclosed in this copy.</p>\n');
    if (second) for (const q of here('question')) out.push(third ? `<h2>The question</h2>\n<p class="said" data-said>${t(q.text)}</p>\n` : `<p class="label">Asked: <span class="said" data-said>${t(q.text)}</span></p>\n`);
    for (const c of here('claim')) {
      if (c === near) out.push('<h2>Nearest passages; nobody has checked that they answer</h2>\n');
      out.push(`<article aria-labelledby="claim${c.claim}"><h2 id="claim${c.claim}">Claim ${c.claim}</h2>\n<p class="said" data-said>${t(c.text)}</p><p><span class="rung" data-said>${rungOf(c.rung || (second ? c.role : ''))}</span></p>\n`);
      if (c.rung === 'labeled') out.push('<p class="label">This is an inference, not something the archive says.</p>\n');
      if (c.restricted) out.push('<p class="label">Some of its evidence may not be shown.</p>\n');
      for (const q of c.cites.map((i) => b.leaves.get(i)).filter(Boolean)) {
        const restricted = "Supported by archived material (source restricted by the person's instructions).", pieces = excerpt(b, q.chunks), quote = q.restricted ? restricted : pieces.map((p, i) => p !== null ? p : i ? ' […] ' : '[…] ').join('').trim();
        out.push(`<figure><figcaption><strong data-said>${q.handle}</strong>, <span class="label${q.contradicts ? ' against' : ''}" data-said>${q.label}${q.contradicts ? ', speaks against the claim' : ''}</span>`, ...(second ? [q.title, q.date].filter(Boolean).map((x) => `, <span data-said>${t(safeLine(x))}</span>`) : []), '</figcaption>');
        if (second && quote && bare(c.text) === bare(quote)) { out.push('</figure>\n'); continue; }
        out.push('\n<blockquote>', q.restricted ? `<span class="gap">${t(restricted)}</span>` : '', ...pieces.map((p) => p === null ? ' <span class="gap">words withheld</span> ' : `<span data-said>${t(p)}</span>`), '</blockquote></figure>\n');
      }
      out.push(gone(c.cites) ? `<p><span class="gap">${gone(c.cites)} citations of this claim are not in this copy</span></p>\n` : '', '</article>\n');
    }
    here('removed').forEach((l, i) => out.push(i ? '' : '<h2>Removed topics</h2>\n', `<article><p class="said" data-said>${t(l.topic)}</p><p class="label" data-said>${t(l.reason)}</p></article>\n`));
    here('refusal').forEach((l, i) => {
      out.push(i ? '' : '<h2>Refused</h2>\n', `<article><p><span class="rung" data-said>${l.refusal_kind}</span></p><p class="said" data-said>${t(l.message)}</p>\n`);
      if (l.suggestions.length) out.push('<p class="label">What may help:</p><ul>', ...l.suggestions.map((s) => `<li class="said" data-said>${t(s)}</li>`), '</ul>\n');
      out.push(l.topic ? `<p class="label">About: <span class="said" data-said>${t(l.topic)}</span></p>\n` : '', '</article>\n'); });
    out.push(`</section>
<h2>Who signed it</h2>
<dl>
<dt>Signatures by the keys</dt><dd${third ? ' id="signers"' : ''}><code>${b.sigs.map((s) => s.key.fingerprint).join(', ')}</code></dd>
<dt>Archive</dt><dd><code>${st.archive}</code></dd>
<dt>Answer log</dt><dd><code>${st.origin}</code></dd>
<dt>Parts disclosed here</dt><dd>${b.leaves.size} of ${st.leaves}; the others are sealed or left out</dd>
</dl>
${third ? PLAIN_PROOF : FIRST_PROOF}</ul>
</main>
<footer><p>Muniment, one answer in one file. It asks nothing from the network.</p></footer>
${PAGE_DATA}`, data.replace(/.{1,100}/g, '$&\n'), `${PAGE_END}<script>${verifier}${PAGE_END}<script>${script}${PAGE_END}</body>\n</html>\n`);
    return out.join(''); }
  // Steps 1 to 9.
  function readBundle(bytes) {
    const at = (file, f) => { try { return f(); } catch (e) { return fail(file + ': ' + e.message); } }, [page, packed] = isPage(bytes) ? at('page', () => zipOfPage(bytes)) : [null, bytes], files = at('zip', () => unzip(packed));
    const names = [...files.keys()], of = (dir) => names.filter((n) => n.startsWith(dir)), st = at('statement', () => parseStatement(files.get('statement') || fail('missing')));
    const b = { files, st, leaves: new Map(), late: new Map(), sigs: [] }, sums = files.get('SHA256SUMS') || fail('SHA256SUMS: missing'), lines = latin(sums).split('\n'), text = latin(sums); need(of('sigs/').length >= 1 && of('sigs/').length <= 16, 'sigs: not 1 to 16'); need(of('leaves/').reduce((n, f) => n + files.get(f).length, 0) <= 4 * MiB, 'leaves: more than 4 MiB');
    need(digest(sums) === st.sums, 'SHA256SUMS: another sha256 than in the statement');
    const leafName = (i) => 'leaves/' + String(i).padStart(5, '0') + '.json', commit = lines.slice(0, -1).map((l) => l.slice(0, 64));
    need(commit.length === st.leaves && commit.every((c) => H(c)) && text === commit.map((c, i) => c + '  ' + leafName(i) + '\n').join('') && new Set(commit).size === st.leaves, 'SHA256SUMS: form');
    let level = commit.map((c) => leafHash(unhex(c))); while (level.length > 1) level = level.filter((_, i) => i % 2 === 0).map((l, i) => nodeHash(l, level[2 * i + 1])); need(hex(level[0]) === st.root, 'SHA256SUMS: another root than in the statement');
    for (const n of of('leaves/')) at(n, () => {
      const i = Number(n.slice(7, 12)); need(i < st.leaves && digest(files.get(n)) === commit[i], 'another sha256 than in SHA256SUMS');
      const leaf = parseLeaf(files.get(n)); need(leaf.answer === st.id && leaf.index === i, 'answer or index'); if (leaf.newer) b.late.set(i, leaf.newer); else b.leaves.set(i, leaf); });
    const all = [...b.leaves.values()], displays = all.filter((l) => l.kind === 'display'); b.display = displays[0]; need(b.late.has(st.display) ? !displays.length : displays.length === 1 && b.display.index === st.display, leafName(st.display) + ': not there or not the only display leaf');
    const scored = all.filter((l) => l.stage === 'rank' && l.claim).map((l) => l.claim); need(new Set(scored).size === scored.length && all.filter((l) => l.kind === 'question').length < 2, 'a claim is scored twice, or there are two questions');
    const ref = (l, i, kind, more) => { const t = b.leaves.get(i); need(i < st.leaves && (!t || ((!kind || t.kind === kind) && (!more || more(t)))), leafName(l.index) + ': leads to a leaf of another kind or claim, ' + i); }, ordinals = new Set();
    for (const l of all) {
      if (l.kind === 'claim') { need(!ordinals.has(l.claim), leafName(l.index) + ': ordinal twice'); ordinals.add(l.claim); l.cites.forEach((i) => ref(l, i, 'cite', (t) => t.claim === l.claim && (l.role !== 'nearest' || t.relation === 'direct_quote'))); ref(l, l.gate, 'gate', (t) => t.claim === l.claim && t.stage === 'coverage'); }
      if (l.kind === 'cite') { l.chunks.forEach((i) => ref(l, i, 'chunk')); ref(l, l.source, 'source'); }
      if (l.kind === 'reviews') ref(l, l.cite, 'cite', (t) => t.claim === l.claim);
      if (l.kind === 'display') l.shown.forEach((i) => ref(l, i)); }
    const said = all.filter((l) => l.kind === 'reviews'), cited = new Map(all.filter((l) => l.kind === 'claim').map((l) => [l.claim, l.cites]));
    need(new Set(said.map((l) => l.cite)).size === said.length && said.reduce((n, l) => n + l.reviews.length, 0) <= 256 && said.every((l) => !cited.has(l.claim) || cited.get(l.claim).includes(l.cite)), 'reviews are of no citation of their claim, or too many');
    for (const n of of('sealed/')) need(st.sealed.get(n) === digest(files.get(n)), n + ': not what the statement names');
    for (const n of of('sigs/')) at(n, () => { const s = parseSig(files.get(n)); need(n === 'sigs/' + s.key.id + '.sshsig', 'under another name than its key'); b.sigs.push(s); });
    b.proof = at('log.proof', () => parseProof(files.get('log.proof') || fail('missing')));
    if (page !== null) at('page', () => need(!b.late.size && !st.newer && !said.length, 'its form has no words for what is newer in it'));
    if (page !== null) at('page', () => need(!of('sealed/').length && same(enc(pageOf(b, page, packed)), bytes), 'it is not the page of the bundle in it')); return b; }
  // Evidence of two histories (docs/spec/evidence.md): two snapshots in a zip, or two checkpoints of a log.
  const EVIDENCE = 'PK\x03\x04\x14\0\x08' + '\0'.repeat(19) + '\x0a\0\0\0SHA256SUMS', CONFLICT = 'muniment/log-conflict/';
  const begins = (b, s) => b.length >= s.length && latin(b.subarray(0, s.length)) === s, isEvidence = (b) => begins(b, EVIDENCE) || begins(b, CONFLICT);
  const MEMBERS = ['SHA256SUMS', 'evidence.json', ...['ours', 'theirs'].flatMap((s) => ['commit', 'payload', 'sshsig'].map((p) => s + '.' + p))];
  const BLANK = ' \\n\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000', who = (not) => '((?![' + BLANK + '])[^' + not + '\\0-\\x1f\\x7f-\\x9f]+(?<![' + BLANK + ']))', N = '(0|[1-9][0-9]{0,18})';
  const COMMIT = new RegExp('^tree ([0-9a-f]{40})\\n((?:parent [0-9a-f]{40}\\n){0,2})author ' + who('<>') + ' <' + who('<> ') + '> ' + N + ' \\+0000\\ncommitter Muniment <([0-9a-f]{64})@archive\\.invalid> \\5 \\+0000\\n\\n'
    + '((?![' + BLANK + '])[^\\0-\\x09\\x0b-\\x1f\\x7f-\\x9f]+(?<![' + BLANK + ']))\\n\\nMuniment-Archive: (\\w+)\\nMuniment-Seq: ' + N + '\\nMuniment-Root: sha256:[0-9a-f]{64}\\nMuniment-Entries: ' + N + '\\nMuniment-Prev: (none|\\w+)\\n(?:Muniment-Join: (\\w+)\\n)?(?:Muniment-Version: ([1-9][0-9]{0,5})\\n(?:Muniment-[A-Z][A-Za-z-]*: [^\\0-\\x1f\\x7f-\\x9f]+\\n)*)?$', 'u');
  const base32 = (b) => { let s = '', v = 0, n = 0; for (const c of b) { v = (v << 8 | c) & 0xfff; n += 8; while (n >= 5) { n -= 5; s += 'abcdefghijklmnopqrstuvwxyz234567'[v >> n & 31]; } } return n ? s + 'abcdefghijklmnopqrstuvwxyz234567'[v << 5 - n & 31] : s; };
  function readSnapshot(b) { // steps 1 to 6 of docs/spec/snapshot.md
    need(b.length <= 16384, 'too long'); const text = latin(b), cut = text.indexOf('\n\n'), at = text.indexOf('\ngpgsig '), head = text.slice(0, at); need(cut >= 0 && at >= 0 && at < cut, 'not signed');
    const armored = text.slice(at + 8, cut).replace(/\n /g, '\n') + '\n', payload = raw(head + text.slice(cut)); need(head + '\ngpgsig ' + armored.slice(0, -1).replace(/\n/g, '\n ') + text.slice(cut) === text, 'gpgsig has another form');
    const m = COMMIT.exec(utf8(payload)); need(m && [[3, 256], [4, 256], [7, 4096]].every(([i, n]) => enc(m[i]).length <= n) && !/^(?:Muniment-|-----BEGIN)/m.test(m[7].replace(/[\u2028\u2029]/g, ' ')), 'no snapshot');
    const parents = m[2].split('\n').slice(0, -1), seq = BigInt(m[9]), first = seq === 1n, prev = m[11], join = m[12], int64 = (n) => n >= 1n && n < 1n << 63n, ids = [prev, join].filter((i) => i && i !== 'none');
    const late = newer('muniment/snapshot-form/v' + m[13], 'muniment/snapshot-form');
    need((late || !m[13]) && BigInt(m[5]) <= 253402300799n && int64(seq) && int64(BigInt(m[10])) && JSONID(m[8]) && m[8] === 'b' + base32(unhex('0180041220' + m[6])) && parents.length === (first ? 0 : join ? 2 : 1) && new Set(parents).size === parents.length
      && first === (prev === 'none') && !(first && join) && !['tree ' + m[1], ...parents].some((p) => p.endsWith(' ' + '0'.repeat(40))) && ids.every(RAW) && join !== prev, 'what ties it to its archive and history is wrong');
    const sig = parseSig(raw(armored)); need(sigVerifies(sig, 'git', payload), 'wrong signature'); return { archive: m[8], seq, id: 'b' + base32(concat(unhex('01551220'), sha256(b))), key: sig.key, commit: b, payload, sshsig: raw(armored), newer: late }; }
  const le = (...p) => Uint8Array.from(p.flatMap(([n, size]) => Array.from({ length: size }, (_, i) => Math.floor(n / 256 ** i) & 255)));
  function zipEvidence(files) { // as Go's archive/zip writes stored files
    const out = [], dir = []; let o = 0;
    for (const [name, data] of files) {
      const sizes = [[crc32(data), 4], [data.length, 4], [data.length, 4]], local = concat(le([0x04034b50, 4], [20, 2], [8, 2], [0, 18], [name.length, 2], [0, 2]), raw(name), data, le([0x08074b50, 4], ...sizes));
      dir.push(le([0x02014b50, 4], [20, 2], [20, 2], [8, 2], [0, 6], ...sizes, [name.length, 2], [0, 12], [o, 4]), raw(name)); out.push(local); o += local.length; }
    const d = concat(...dir); return concat(...out, d, le([0x06054b50, 4], [0, 4], [files.size, 2], [files.size, 2], [d.length, 4], [o, 4], [0, 2])); }
  function twoSnapshots(b) {
    need(b.length <= 131072, 'too long'); const v = new DataView(b.buffer, b.byteOffset, b.length), files = new Map(); let at = v.getUint32(b.length - 6, true);
    while (at + 46 <= b.length && v.getUint32(at, true) === 0x02014b50) {
      const size = v.getUint32(at + 20, true), n = v.getUint16(at + 28, true), o = v.getUint32(at + 42, true); files.set(latin(b.subarray(at + 46, at + 46 + n)), b.slice(o + 30 + n, o + 30 + n + size)); at += 46 + n; need(files.size <= MEMBERS.length, 'too many files'); }
    need([...files.keys()].join() === MEMBERS.join() && same(zipEvidence(files), b), 'not the one form of evidence');
    const [ours, theirs] = ['ours', 'theirs'].map((s) => { try { return readSnapshot(files.get(s + '.commit')); } catch (e) { return fail(s + '.commit: ' + e.message); } }), note = parseJSON(files.get('evidence.json'), MiB), head = (s) => ({ archive: s.archive, key: s.key.type + ' ' + btoa(latin(s.key.blob)), seq: Number(s.seq), snapshot: s.id });
    const lateNote = newer(note.type, 'muniment/evidence'), late = lateNote || ours.newer || theirs.newer;
    need([note.kind, note.remote, note.seen].every(S) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(note.seen) && !isNaN(new Date(note.seen)) && new Date(note.seen).toISOString() === note.seen.replace('Z', '.000Z'), 'evidence.json: another form');
    need((lateNote ? encode({ ours: note.ours || '', theirs: note.theirs || '' }) === encode({ ours: head(ours), theirs: head(theirs) })
      : encode({ type: 'muniment/evidence/v1', kind: note.kind, remote: note.remote, seen: note.seen, ours: head(ours), theirs: head(theirs) }) === utf8(files.get('evidence.json'))), 'evidence.json: not of its commits');
    for (const [n, s] of [['ours', ours], ['theirs', theirs]]) need(same(files.get(n + '.payload'), s.payload) && same(files.get(n + '.sshsig'), s.sshsig), n + ': not the parts of its commit');
    need(latin(files.get('SHA256SUMS')) === MEMBERS.slice(1).map((n) => digest(files.get(n)) + '  ' + n + '\n').join(''), 'SHA256SUMS: another form');
    if (late) return { archive: ours.archive, holds: null, proves: late };
    const one = ours.archive === theirs.archive, differ = !same(ours.payload, theirs.payload), a = ours.seq, z = theirs.seq, by = (s) => s.key.fingerprint;
    const holds = { equivocation: one && differ && a === z && hex(ours.key.point) === hex(theirs.key.point), fork: one && differ, rollback: one && differ && z < a, unrelated: !one };
    return { archive: ours.archive, ns: 'git', keys: [ours.key, theirs.key], holds: Object.hasOwn(holds, note.kind) && holds[note.kind],
      proves: note.kind === 'equivocation' ? `the key ${by(ours)} signed two histories of archive ${ours.archive}: two different snapshots ${a}` : !one ? `there are two archives, ${ours.archive} and ${theirs.archive}; it shows nothing against a key`
        : `two snapshots of archive ${ours.archive} are genuine, ${a} by ${by(ours)} and ${z} by ${by(theirs)}; it shows nothing against a key` }; }
  function grew(first, second, old, now, hashes) { // RFC 9162, 2.1.4.2
    if (first === second || !hashes.length) return first === second && !hashes.length && same(old, now); const path = first & first - 1n ? hashes : [old, ...hashes];
    let f = first - 1n, s = second - 1n, fr = path[0], sr = path[0]; while (f & 1n) { f >>= 1n; s >>= 1n; }
    for (const c of path.slice(1)) {
      if (!s) return false; if (f & 1n || f === s) { fr = nodeHash(c, fr); sr = nodeHash(c, sr); while (f && !(f & 1n)) { f >>= 1n; s >>= 1n; } } else sr = nodeHash(sr, c); f >>= 1n; s >>= 1n; }
    return s === 0n && same(fr, old) && same(sr, now); }
  function twoCheckpoints(b, trust) {
    need(b.length <= 147456, 'too long'); let text = utf8(b); const late = newer(upTo(text, '\n'), 'muniment/log-conflict'), cut = text.indexOf('\n\n');
    if (late && cut > 0) text = ['muniment/log-conflict/v2', ...text.slice(0, cut).split('\n').slice(1).filter((l) => !LATER.test(l) || ['key', 'prefix'].includes(upTo(l, ' ')))].join('\n') + text.slice(cut);
    const m = /^muniment\/log-conflict\/v(?:1|2\nkey ssh-ed25519 ([^\n ]+))\nprefix ([^\n]{44})\n((?:[^\n]{44}\n){0,126})\n([^\n]*\n[^\n]*\n[^\n]*\n\n(?:[^\n]+\n)+)\n([^\n]*\n[^\n]*\n[^\n]*\n\n(?:[^\n]+\n)+)$/.exec(text); need(m, 'not the one form of evidence');
    const prefix = b64(m[2]), hashes = m[3].split('\n').slice(0, -1).map(b64), [one, two] = [m[4], m[5]].map(parseCheckpoint), o = /^muniment\/([^/]+)\/answers\/([^/]+)\/[^/]+$/.exec(one.origin); need([prefix, ...hashes].every((h) => h.length === 32) && o && JSONID(o[1]), 'of no answer log');
    const key = (m[1] ? [parseKey(b64(m[1]))] : (trust || []).map((e) => e.key)).find((k) => k.type === 'ssh-ed25519' && k.id === o[2]); need(key || !m[1], 'its key is not that of the log');
    if (!key) return { archive: o[1], holds: null, proves: 'the key with the ID ' + o[2] + ' is not in the file, and in no trust file that was given' }; need(checkpointSigned(one, key) && checkpointSigned(two, key), 'a checkpoint is not signed by the key of the log');
    const holds = one.origin === two.origin && one.size > 0n && one.size <= two.size && grew(one.size, two.size, prefix, two.root, hashes) && !same(prefix, one.root); if (late && holds) return { archive: o[1], holds: null, proves: late };
    return { archive: o[1], ns: NS, keys: [key], holds, proves: `the key ${key.fingerprint} signed two histories of its answer log ${one.origin}` }; }
  // The verdict on evidence, in the form of verify, with what is proved in r.proves.
  function verifyEvidence(bytes, trust, require, pinned) {
    const r = { verdict: 'INVALID', axes: [], signers: [], missing: [], proves: '' }, set = (axis, verdict, detail) => r.axes.push({ axis, verdict, detail }); let e = null;
    try { e = begins(bytes, EVIDENCE) ? twoSnapshots(bytes) : twoCheckpoints(bytes, trust); } catch (x) { set('integrity', 'FAIL', x instanceof Malformed ? x.message : 'unexpected: ' + x); }
    if (e) set('integrity', e.holds === null ? 'NOT-CHECKED' : 'PASS', e.holds === null ? e.proves : 'two signed heads in the one form of evidence');
    set('disagreement', e && e.holds !== null ? e.holds ? 'PASS' : 'FAIL' : 'NOT-CHECKED', e && e.holds !== null ? e.holds ? 'the two cannot both be of one honest history, as far as the kind says' : 'the two do not disagree in the way of their kind' : 'the signatures were not checked');
    if (e && e.holds) {
      const known = trust && e.keys.every((k) => allowed(trust, k, e.ns, e.archive)), named = trust ? e.keys.flatMap((k) => linesOf(trust, k, e.ns).map((l) => l.archive)) : [], own = pinned ? pinned === e.archive : named.includes(e.archive);
      set('signer threshold', !trust ? 'NOT-CHECKED' : known ? 'PASS' : 'FAIL', !trust ? 'no trust file says whose key it is' : known ? 'the trust file knows the key' : 'the trust file gives a key no right to sign that');
      set('archive', own ? 'PASS' : pinned || (named.length && !named.includes('')) ? 'FAIL' : 'NOT-CHECKED', 'it is of the archive ' + e.archive); r.proves = e.proves; }
    for (const a of require) if (!r.axes.some((x) => x.axis === a)) set(a, 'NOT-CHECKED', 'evidence says nothing of it');
    const of = (v) => r.axes.filter((a) => a.verdict === v).map((a) => a.axis); r.verdict = of('FAIL').length ? 'INVALID' : of('NOT-CHECKED').some((a) => ['integrity', 'disagreement', ...require].includes(a)) ? 'INCOMPLETE' : 'VALID';
    if (r.verdict === 'INVALID') r.proves = ''; return r; }
  function newerSource(l) { // the axis of a source with a part that is newer, whose bytes have the name that the leaf gives them; else null
    const type = (s) => { try { return JSON.parse(s).type; } catch (e) { return ''; } }, id = (codec, b) => 'b' + base32(concat(unhex(codec), sha256(b)));
    const parts = ['citation', 'record'].map((n) => [newer(type(l[n + '_json']), 'muniment/' + n), id('0180041220', enc(l[n + '_json'])) === l[n]]), commit = enc(l.commit); if (!parts.some(([late]) => late) && !l.commit.includes('\nMuniment-Version: ')) return null;
    try { parts.push([readSnapshot(commit).newer, id('01551220', commit) === l.snapshot]); } catch (e) { parts.push(['', false]); }
    const late = parts.map((p) => p[0]).find(Boolean); return !late ? null : parts.every((p) => p[1]) ? ['NOT-CHECKED', late] : ['FAIL', 'a part of a source has not the name that the leaf gives it']; }
  function newerReview(l) { // the same of the snapshots that hold reviews
    const kept = l.reviews.find((x) => x.commit.includes('\nMuniment-Version: ')), commit = kept && enc(kept.commit); if (!kept) return null;
    try { const late = readSnapshot(commit).newer; if (late && 'b' + base32(concat(unhex('01551220'), sha256(commit))) === kept.snapshot) return ['NOT-CHECKED', late]; } catch (e) { /* said below */ } return ['FAIL', 'a snapshot with a review has not the name that the leaf gives it, or is not signed']; }
  // Gate table muniment/gate/v1.
  function rungOf(g) {
    const support = one('direct_quote', 'paraphrase', 'metadata_fact', 'aggregation')(g.relation), t = { relation_supports: support, relation_infers: g.relation === 'inference_from', span_resolves: g.span_resolves,
      quote_matches: g.match === 'exact' || g.match === 'normalized' || (g.relation !== 'direct_quote' && g.match === ''), quote_not_absent: one('exact', 'normalized', 'fuzzy', 'ambiguous', '')(g.match), not_contradicted: one('', 'yes', 'no')(g.entailed),
      entailed_or_aligned: g.relation !== 'paraphrase' || g.entailed === 'yes' || (g.entailed === '' && g.aligned), inputs_resolve: g.relation !== 'aggregation' || g.inputs_resolve, whole_claim: !g.narrowed, cut_claim: g.narrowed, marked: g.marker };
    const six = ['relation_supports', 'span_resolves', 'quote_matches', 'not_contradicted', 'entailed_or_aligned', 'inputs_resolve'], failed = [];
    for (const [rung, tests] of [['supported', [...six, 'whole_claim']], ['narrowed', [...six, 'cut_claim']], ['labeled', ['relation_infers', 'span_resolves', 'quote_not_absent', 'not_contradicted', 'marked']]]) {
      const test = tests.find((n) => !t[n]); if (!test) return { rung, failed }; failed.push({ rung, test }); }
    return { rung: 'refused', failed }; }
  // Scores: by version, the thresholds and the features with their weights; and what is 0 in an answer.
  const RANK = { 'rank/v1': [8000000, 650358, { lead: 2000, sentence: 800, around: 700 }, { sentence: 2194, passage: 2517, around: 1443, bigrams: 2140, proximity: 1893, surprise: 504, typed: 730, untyped: -975, absent: -1051, unknown: -2127, size: -425, contrary: -154, intended: 0, first: 437, length: -436, untold: -1500, pair: 0, lead: 0 }], 'rank/v2': [9000000, 1083243, { lead: 500, sentence: 800, around: 700 }, { sentence: 1736, passage: 2061, around: 520, bigrams: 2170, proximity: 1905, surprise: 486, typed: 704, untyped: -975, absent: -1002, unknown: -2045, size: -434, contrary: -138, intended: 0, first: 466, length: -535, untold: -1500, pair: 143, document: 1715, beside: 651, alike: 1795, kin: 2170, focus: 467, lead: 0 }], 'rank/v3': [9000000, 1083243, { lead: 500, sentence: 800, around: 700 }, { sentence: 1736, passage: 2061, around: 520, bigrams: 2170, proximity: 1905, surprise: 486, typed: 704, untyped: -975, absent: -1002, unknown: -2045, size: -434, contrary: -138, intended: 0, first: 466, length: -535, untold: -1500, pair: 143, document: 1715, beside: 651, alike: 1795, kin: 2170, focus: 467, verbless: 0, apart: 0, slotless: 0, opposed: 0, papers: 0, sources: 0, lead: 0 }], 'rank/v4': [9000000, -1000000000, { lead: 500, sentence: 800, around: 700 }, { sentence: 1736, passage: 2061, around: 520, bigrams: 2170, proximity: 1905, surprise: 486, typed: 704, untyped: -975, absent: -1002, unknown: -2045, size: -434, contrary: -138, intended: 0, first: 466, length: -535, untold: -1500, pair: 143, document: 1715, beside: 651, alike: 1795, kin: 2170, focus: 467, verbless: 0, apart: 0, slotless: 0, opposed: 0, papers: 0, sources: 0, lead: 0 }] };
  const BARS = ['contrary', 'intended', 'absent', 'untold', 'verbless', 'apart', 'slotless', 'opposed'];
  function roleOf(r) {
    const [high, low, least, weights] = RANK[r.table], names = Object.keys(weights), score = r.features.reduce((sum, f) => sum + f.value * (weights[f.name] || 0), 0);
    need(r.features.length === names.length && r.features.every((f, i) => f.name === names[i] && Math.abs(f.value) <= 1 << 20) && r.high === high && r.low === low && r.score === score, 'a score does not follow from its features');
    return score >= high && r.features.every((f) => !(f.value < least[f.name]) && (!f.value || !BARS.includes(f.name))) ? 'answer' : score >= low ? 'nearest' : ''; }
  const AXES = ['integrity', 'signer threshold', 'archive', 'revocation', 'expiry', 'log inclusion', 'witnesses', 'consistency', 'request binding', 'display completeness', 'sealed layer', 'artifact and span', 'gate re-evaluation', 'truth'];
  const PASS = 'PASS', FAIL = 'FAIL', NOT = 'NOT-CHECKED';
  // What a bundle says of a text whose quotations were examined (docs/spec/examination.md); null where it is of a question.
  function examination(shown) {
    const asked = shown.find((l) => l.kind === 'question'), m = asked && /^Examination of ([^\n]+), sha256 ([0-9a-f]{64}), ([0-9]{1,5}) quotations$/.exec(safe(asked.text)); if (!m) return null;
    const found = shown.filter((l) => l.kind === 'removed').map((l) => [l, /^(altered|cut|stitched|elsewhere|nowhere|contradicted|uncheckable): /.exec(safe(l.reason))]).filter((x) => x[1]);
    const items = found.map(([l, v]) => ({ verdict: v[1], text: safeLine(l.topic), reason: safeLine(l.reason).slice(v[0].length) })), open = items.filter((i) => i.verdict === 'uncheckable').length;
    return { name: m[1], sha256: m[2], quotations: Number(m[3]), wrong: items.length - open, not_checkable: open, items }; }
  const examinedLines = (e) => [`examination of ${e.name}, sha256 ${e.sha256}, ${e.quotations} quotations: ${e.wrong} wrong, ${e.not_checkable} not checkable, ${Math.max(0, e.quotations - e.items.length)} as the papers have them`,
    ...e.items.map((i) => `${i.verdict}: “${i.text}”: ${i.reason}`)];
  const axisOf = (words) => AXES.find((a) => words && (a.replace(/-/g, ' ') + ' ').startsWith(words.replace(/-/g, ' ') + ' ')); // by its first words
  // trust: null, or what parseTrust gave. require: names of axes that must be checked besides the usual two; pinned: the ID of the archive that is meant, or ''. Never throws.
  function verify(bytes, trust, require = [], pinned = '') {
    if (bytes instanceof Uint8Array && isEvidence(bytes)) return verifyEvidence(bytes, trust, require, pinned);
    const r = { verdict: 'INVALID', axes: AXES.map((axis) => ({ axis, verdict: NOT, detail: axis === 'truth' ? 'never checked' : 'not decided by this verifier' })), signers: [], missing: [] };
    const set = (axis, verdict, detail) => Object.assign(r.axes[AXES.indexOf(axis)], { verdict, detail }), guard = (axis, f) => { try { f(); } catch (e) { set(axis, FAIL, e instanceof Malformed ? e.message : 'unexpected: ' + e); } };
    const deciding = ['signer threshold', 'archive', 'log inclusion', 'witnesses', 'consistency', 'display completeness', 'gate re-evaluation']; deciding.forEach((a) => set(a, NOT, 'not reached'));
    let b = null, late = '', tables = ''; guard('integrity', () => { b = readBundle(bytes); late = b.st.newer || [...b.late.values()][0] || ''; set('integrity', late ? NOT : PASS, late || b.leaves.size + ' of ' + b.st.leaves + ' leaves at hand'); }); if (!b) return r;
    const st = b.st, all = [...b.leaves.values()], lateDisplay = !b.display; b.display = b.display || { index: st.display, kind: 'display', shown: [], keep: [] };
    const shown = b.display.shown.map((i) => b.leaves.get(i)).filter(Boolean); Object.assign(r, { statement: st, leaves: b.leaves, display: b.display, missing: b.display.shown.filter((i) => !b.leaves.has(i) && !b.late.has(i)) });
    guard('signer threshold', () => {
      r.signers = b.sigs.map((s) => ({ fingerprint: s.key.fingerprint, id: s.key.id, key: s.key, correct: sigVerifies(s, NS, b.files.get('statement')), allowed: trust && allowed(trust, s.key, NS, st.archive) }));
      const wrong = r.signers.filter((s) => !s.correct), points = new Set(r.signers.filter((s) => s.allowed).map((s) => hex(s.key.point)));
      if (wrong.length) set('signer threshold', FAIL, 'wrong signature of ' + wrong.map((s) => s.fingerprint).join(', '));
      else set('signer threshold', !trust ? NOT : points.size ? PASS : FAIL, !trust ? 'no trust given; signed by ' + r.signers.map((s) => s.fingerprint).join(', ') : points.size + ' allowed, 1 needed');
    });
    guard('archive', () => {
      const named = trust ? b.sigs.flatMap((s) => linesOf(trust, s.key, NS).map((e) => e.archive)) : [], own = named.includes(st.archive); need(!pinned || pinned === st.archive, 'it is of the archive ' + st.archive + ', and another was asked for');
      need(pinned || own || !named.length || named.includes(''), 'it is of the archive ' + st.archive + ', and the trust file names another'); set('archive', pinned || own ? PASS : NOT, 'it says that it is of the archive ' + st.archive + (pinned || own ? '' : '; nothing says which one is meant')); });
    guard('log inclusion', () => {
      const s = r.signers.find((x) => x.id === st.key && x.correct), p = b.proof, c = p.checkpoint; need(s && r.signers.every((x) => x.correct), "the log's key has not signed the statement, or a signature is wrong"); need(c.origin === st.origin && checkpointSigned(c, s.key), 'checkpoint of another log or key');
      need(included(leafHash(sha256(b.files.get('statement'))), p.index, c.size, p.hashes, c.root), 'the statement is not in the log there'); need(p.index >= BigInt(st.size), 'index below the size in after'); set('log inclusion', trust && !s.allowed ? NOT : PASS, trust && !s.allowed ? 'the log is of a key that is not allowed' : 'entry ' + p.index + ' of ' + c.size);
    });
    if (r.axes[AXES.indexOf('log inclusion')].verdict !== FAIL) {
      const p = b.proof, c = p.checkpoint, cosigned = c.sigs.filter((x) => COSIGNER.test(x.name)), wrong = cosigned.find((x) => cosignatureWrong(c, x));
      set('witnesses', wrong ? FAIL : NOT, wrong ? 'the cosignature of ' + wrong.name + ' is wrong' : cosigned.length + ' cosignatures are right; no trust root says whether they count');
      const last = p.index === c.size - 1n && p.index === BigInt(st.size), before = p.hashes.length ? p.hashes.reduce((node, left) => nodeHash(left, node)) : sha256([]);
      set('consistency', last && hex(before) !== st.before ? FAIL : NOT, last && hex(before) !== st.before ? 'log.proof shows another root before the answer than the statement says' : 'no earlier checkpoint of the log was given'); }
    if (lateDisplay) set('display completeness', NOT, late);
    else guard('display completeness', () => {
      const d = b.display, kept = (l) => l.kind === 'refusal' || l.kind === 'removed' || (l.kind === 'cite' && l.contradicts), claims = shown.filter((l) => l.kind === 'claim'), any = (f) => claims.some(f);
      for (const l of all) need(l === d || d.shown.includes(l.index), 'leaf ' + l.index + ' is disclosed and not shown');
      for (const i of b.late.keys()) need(d.shown.includes(i), 'leaf ' + i + ' is disclosed and not shown');
      for (const i of d.keep) need(b.leaves.has(i) || b.late.has(i), 'leaf ' + i + ' may not be left out');
      for (const l of shown) need(kept(l) === d.keep.includes(l.index), 'keep is wrong about leaf ' + l.index); need(!any((l) => l.rung === 'refused') && !shown.some((l) => l.kind === 'pad'), 'a refused claim or a pad is shown');
      if (!r.missing.length && !b.late.size) {
        const cut = shown.some((l) => l.kind === 'refusal' || l.kind === 'removed') || any((l) => l.rung === 'narrowed' || l.role === 'nearest');
        need(claims.length || shown.some((l) => l.kind === 'refusal'), 'neither a claim nor a refusal is shown'); need(st.outcome === (!claims.length ? 'refusal' : cut ? 'partial' : 'answer'), 'outcome does not follow'); need(d.outcome_rung === (!claims.length ? 'refused' : any((l) => l.rung === 'labeled') ? 'labeled' : cut ? 'narrowed' : 'supported'), 'outcome_rung does not follow');
      }
      if (!r.missing.length && b.late.size) { set('display completeness', NOT, late); return; }
      r.reduced = r.missing.length ? r.missing.length + ' of ' + b.display.shown.length + ' shown parts are missing' : '';
      set('display completeness', r.reduced ? NOT : PASS, r.reduced ? r.reduced + ': leaves ' + r.missing.join(', ') : 'nothing is missing'); });
    guard('gate re-evaluation', () => {
      let open = '', judged = 0; for (const g of all.filter((l) => l.kind === 'gate')) tables = tables || (g.stage === 'coverage' && newer(g.table, 'muniment/gate')) || (g.stage === 'rank' && newer(g.rank.table, 'rank')) || '';
      for (const g of all.filter((l) => l.kind === 'gate' && l.stage === 'coverage')) {
        if (g.table !== 'muniment/gate/v1') { open = 'unknown table ' + g.table; continue; }
        judged++; need(encode(rungOf(g.inputs)) === encode({ rung: g.rung, failed: g.failed }), 'gate ' + g.index + ' gives another rung or failed test');
      }
      const roles = new Map(); let secret = false; for (const g of all.filter((l) => l.kind === 'gate' && l.stage === 'rank')) {
        if (!Object.hasOwn(RANK, g.rank.table)) { open = 'unknown weights ' + g.rank.table; continue; }
        const role = roleOf(g.rank); need(role === (g.role || ''), 'gate ' + g.index + ' gives another role'); if (g.claim) roles.set(g.claim, role); }
      for (const c of all.filter((l) => l.kind === 'claim')) {
        const g = b.leaves.get(c.gate), role = roles.get(c.claim); if (!g) open = 'the gate of claim ' + c.claim + ' is not at hand'; else need(g.rung === (c.rung || 'supported'), 'claim ' + c.claim + ' has another rung than its gate');
        need(role === undefined || role === c.role || (role && c.role === 'nearest'), 'claim ' + c.claim + ' has another role than its score'); need(role !== undefined || c.role !== 'nearest' || all.length < st.leaves || open, 'claim ' + c.claim + ' has no score');
        secret = secret || (c.role && role === undefined && all.length < st.leaves); }
      for (const l of all.filter((x) => x.kind === 'reviews')) {
        const why = misjudged(l, b.leaves); need(!why, why); const stranger = reviewed(l).find((x) => !x.not && !(trust && allowed(trust, x.key, 'review@muniment', st.archive))); if (stranger) open = open || 'no trust at hand says that this key may review: ' + stranger.key.fingerprint; }
      if (!judged && all.length < st.leaves) open = open || 'no coverage gate is at hand';
      set('gate re-evaluation', open ? NOT : PASS, tables || open || 'the gates of all claims at hand give their rungs' + (secret ? '; scores are sealed' : ''));
    });
    if (!r.axes.some((a) => a.verdict === FAIL)) r.claims = judgedBy(b.leaves);
    const source = [...all.filter((l) => l.kind === 'source').map(newerSource), ...all.filter((l) => l.kind === 'reviews').map(newerReview)].find(Boolean); if (source) set('artifact and span', ...source);
    r.verdict = r.axes.some((a) => a.verdict === FAIL) ? 'INVALID' : late || tables || source ? 'INCOMPLETE' : r.axes.some((a, i) => a.verdict !== PASS && (i < 2 || require.includes(a.axis))) ? 'INCOMPLETE' : r.reduced ? 'VALID, reduced: ' + r.reduced : 'VALID'; const text = r.verdict !== 'INVALID' && examination(shown); if (text) r.examination = text; return r; }
  const api = { verify, examinedLines, readSnapshot, axisOf, isArchive: JSONID, parseTrust, safe, parseLeaf, parseStatement, parseJSON, parseKey, parseSig, sigVerifies, allowed, parseCheckpoint, checkpointSigned, parseProof, included, leafHash, encode, b64, unhex, utf8, latin, digest, isPage, zipOfPage, pageBytes: (zip, page) => enc(pageOf(readBundle(zip), page, zip)) };
  if (typeof module === 'object' && module.exports) module.exports = api; else root.munimentVerify = api;
  if (typeof require === 'function' && typeof module === 'object' && require.main === module) {
    const fs = require('fs'), args = process.argv.slice(2), names = [], demanded = []; let json = false, trust = null, pinned = '', code = 0;
    const stop = (why) => { process.stderr.write(safeLine(why) + '\nusage: node verify.js FILE.zip|FILE.html [--trust allowed_signers] [--archive ID] [--require AXIS] [--json] [more files]\n'); process.exit(2); };
    try {
      while (args.length) { const a = args.shift(); if (a === '--json') json = true; else if (a === '--trust' && args.length && !trust) { const s = fs.statSync(args[0]); if (!s.isFile() || s.size > MiB) stop(args[0] + ': not a file of at most 1 MiB'); trust = parseTrust(fs.readFileSync(args.shift())); } else if (a === '--require' && args.length) demanded.push(axisOf(args.shift()) || stop('the axes are ' + AXES.join(', '))); else if (a === '--archive' && JSONID(args[0])) pinned = args.shift(); else if (a[0] === '-') stop('unknown or incomplete option ' + a); else names.push(a); }
      if (!names.length) stop('no file'); for (const n of names) if (!fs.statSync(n).isFile()) stop(n + ': not a file');
    } catch (e) { stop(e.message); }
    for (const n of names) {
      let bytes; try { bytes = fs.statSync(n).size > 65 * MiB ? new Uint8Array(65 * MiB + 1) : new Uint8Array(fs.readFileSync(n)); } catch (e) { stop(e.message); }
      const r = verify(bytes, trust, demanded, pinned), c = { INVALID: 1, INCOMPLETE: 3 }[r.verdict] || 0; code = code === 1 || c === 1 ? 1 : code || c;
      const out = { file: safeLine(n), verdict: r.verdict, axes: r.axes.map((x) => ({ name: x.axis, result: x.verdict, reason: safeLine(x.detail) })), signers: r.signers.map((s) => ({ fingerprint: s.fingerprint, correct: s.correct, allowed: Boolean(s.allowed) })), missing: r.missing, ...(r.claims && r.claims.length && { claims: r.claims }), ...('proves' in r && { proves: r.proves }), ...(r.examination && { examination: r.examination }) };
      process.stdout.write(json ? JSON.stringify(out) + '\n' : safeLine(n) + ': ' + r.verdict + '\n' + r.axes.map((a) => '  ' + a.axis.padEnd(21) + a.verdict.padEnd(12) + safeLine(a.detail) + '\n').join('') + (r.claims || []).map((c) => '  claim ' + c.number + ': ' + c.judged + '\n').join('') + (r.proves ? '  proves: ' + safeLine(r.proves) + '\n' : '') + (r.examination ? examinedLines(r.examination).map((l, i) => '  ' + (i ? '- ' : '') + l + '\n').join('') : ''));
    }
    process.exitCode = code; }
})(typeof globalThis === 'object' ? globalThis : this);
