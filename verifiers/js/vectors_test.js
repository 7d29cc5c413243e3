// Runs verify.js over the vectors in testvectors/bundle, testvectors/sign and testvectors/jcs, and compares: node vectors_test.js
'use strict';
const fs = require('fs'), path = require('path'), assert = require('assert'), child = require('child_process');
const m = require('../verify.js'), base = path.join(__dirname, '..', '..', 'testvectors');

function vectors(dir) {
  return fs.readdirSync(path.join(base, dir)).filter((n) => n !== 'README.md').map((name) => {
    const b = fs.readFileSync(path.join(base, dir, name)), cut = b.indexOf('\n\n');
    return { name: dir + '/' + name, h: Object.fromEntries(b.subarray(0, cut).toString().split('\n').map((l) => l.split(/: (.*)/s))), body: new Uint8Array(b.subarray(cut + 2)) };
  });
}
// What this verifier does not decide: a vector that is invalid there must have that axis NOT-CHECKED, and no other defect.
const OPEN = ['sealed layer', 'artifact and span'];
const count = {}, disagree = [];
const check = (v, kind, got, want) => { count[kind] = (count[kind] || 0) + 1; if (got !== want) disagree.push(`${v.name}: ${got}, not ${want}`); };
const reads = (f) => { try { f(); return true; } catch (e) { return false; } };
const same = (a, b) => Buffer.compare(a, b) === 0;

for (const v of vectors('bundle')) {
  if (v.h.kind === 'statement') { check(v, 'statement', reads(() => assert(!m.parseStatement(v.body).newer)) ? 'ok' : 'malformed', v.h.expect); continue; }
  if (v.h.kind === 'leaf') { check(v, 'leaf', reads(() => assert(same(Buffer.from(m.encode(m.parseLeaf(v.body))), v.body))) ? 'ok' : 'malformed', v.h.expect); continue; }
  const kind = v.h.kind, r = m.verify(v.body, v.h.trust ? m.parseTrust(Buffer.from(v.h.trust + '\n')) : null), first = r.axes.find((a) => a.verdict === 'FAIL');
  assert.strictEqual(r.axes.length, 14); assert(!r.axes.some((a) => /unexpected/.test(a.detail)), v.name);
  const got = !first ? (r.verdict.startsWith('VALID, reduced: ') ? 'reduced' : r.verdict.toLowerCase()) : first.axis === 'integrity' ? 'malformed' : 'invalid at ' + first.axis;
  if (OPEN.includes(v.h.axis)) {
    assert.strictEqual(r.axes.find((a) => a.axis === v.h.axis).verdict, 'NOT-CHECKED');
    check(v, 'zip, of an axis not decided here', got, 'valid');
  } else check(v, kind, got, v.h.axis ? 'invalid at ' + v.h.axis : v.h.expect);
}

for (const v of vectors('sign')) {
  if (v.h.kind === 'sealed') continue;
  const key = v.h.key && m.parseKey(m.b64(v.h.key.split(' ')[1]));
  let got = 'malformed';
  try {
    const text = Buffer.from(v.body).toString('latin1');
    if (v.h.kind === 'key') { const k = m.parseKey(m.b64(text.split(' ')[1])); assert.strictEqual(k.type, text.split(' ')[0]); got = k.fingerprint === v.h.fingerprint ? 'accept' : 'refused'; }
    if (v.h.kind === 'signature') { const s = m.parseSig(v.body); got = m.sigVerifies(s, v.h.namespace, Buffer.from(v.h.message)) ? 'accept' : 'refused'; }
    if (v.h.kind === 'allowed') { const e = m.allowed(m.parseTrust(v.body), key, v.h.namespace, v.h.archive); got = !e ? 'refused' : String(e.line) === v.h.line ? 'accept' : 'line ' + e.line; }
    if (v.h.kind === 'checkpoint') got = m.checkpointSigned(m.parseCheckpoint(m.utf8(v.body)), key) ? 'accept' : 'refused';
    if (v.h.kind === 'proof') { const p = m.parseProof(v.body), c = p.checkpoint; got = m.checkpointSigned(c, key) && m.included(m.leafHash(m.unhex(v.h.entry)), p.index, c.size, p.hashes, c.root) ? 'accept' : 'refused'; }
  } catch (e) { assert.strictEqual(e.constructor.name === 'Malformed' || e.code === 'ERR_ASSERTION', true, v.name + ': ' + e); }
  check(v, 'sign', got, v.h.expect);
}

for (const v of vectors('evidence')) {
  const r = m.verify(v.body, v.h.trust ? m.parseTrust(Buffer.from(v.h.trust + '\n')) : null), first = r.axes.find((a) => a.verdict === 'FAIL');
  assert(!r.axes.some((a) => /unexpected/.test(a.detail)), v.name);
  check(v, 'evidence', [r.verdict.toLowerCase(), first && first.axis, r.proves || undefined].join(), [v.h.expect, v.h.axis, v.h.proves].join());
}
for (const v of vectors('snapshot')) if (/\/commit-/.test(v.name)) check(v, 'commit', reads(() => m.readSnapshot(v.body)) ? 'ok' : 'no', v.h.expect === 'ok' ? 'ok' : 'no');

// Of testvectors/jcs those that are decided without knowing the members of the vector's type.
for (const v of vectors('jcs')) if (!/^(type|member)$/.test(v.h.expect) && !/-omitted$/.test(v.name)) check(v, 'jcs', reads(() => m.parseJSON(v.body, Number(v.h.limit))) ? 'ok' : 'no', v.h.expect === 'ok' ? 'ok' : 'no');

// No change of a byte is VALID, and nothing throws.
const good = vectors('bundle').find((v) => v.name === 'bundle/zip-good'), trust = m.parseTrust(Buffer.from(good.h.trust + '\n'));
for (let i = 0; i < good.body.length; i += 41) { const b = good.body.slice(); b[i] ^= 1 << i % 8; check({ name: 'zip-good with byte ' + i + ' changed' }, 'changed byte', m.verify(b, trust).verdict, 'INVALID'); }
const page = vectors('bundle').find((v) => v.name === 'bundle/page-good').body;
for (let i = 0; i < page.length; i += 977) { const b = page.slice(); b[i] ^= 1 << i % 8; check({ name: 'page-good with byte ' + i + ' changed' }, 'changed byte of a page', m.verify(b, trust).verdict, 'INVALID'); }
for (let i = 0; i < good.body.length; i += 499) check({ name: 'zip-good cut at ' + i }, 'cut', m.verify(good.body.slice(0, i), trust).verdict, 'INVALID');
for (const odd of [undefined, null, 7, 'x', {}]) check({ name: 'verify of ' + odd }, 'odd input', m.verify(odd, null).verdict, 'INVALID');

// The command and its exit codes.
const tmp = fs.mkdtempSync(path.join(require('os').tmpdir(), 'verify-js-'));
try {
  const file = (n, b) => { fs.writeFileSync(path.join(tmp, n), b); return path.join(tmp, n); };
  const run = (...a) => child.spawnSync(process.execPath, [path.join(__dirname, '..', 'verify.js'), ...a], { encoding: 'utf8' });
  const ok = file('good.zip', good.body), bad = file('bad.zip', good.body.slice(1)), less = file('less.zip', vectors('bundle').find((v) => v.name === 'bundle/zip-reduced').body), t = file('allowed', good.h.trust + '\n'), noTrust = file('no-trust', 'nonsense\n');
  for (const [args, want] of [[[ok, '--trust', t], 0], [[less, '--trust', t], 0], [[less, '--trust', t, '--require', 'display'], 3], [[ok, '--trust', t, '--require', 'display-completeness'], 0], [[ok, '--trust', t, '--require', 'sealed'], 3], [[ok, '--require', 'dis'], 2], [[ok], 3], [[bad, ok], 1], [[ok, bad, '--trust', t, '--json'], 1], [[], 2], [[ok, '--trust'], 2], [['--nothing', ok], 2], [[ok, '--trust', noTrust], 2], [[path.join(tmp, 'none')], 2], [[tmp], 2]]) {
    const r = run(...args); check({ name: 'exit code of ' + args.map((a) => path.basename(a)).join(' ') }, 'command', r.status, want); assert(!/\n {4}at /.test(r.stderr));
    if (args.includes('--json')) assert.deepStrictEqual(r.stdout.trim().split('\n').map((l) => JSON.parse(l).verdict), ['VALID', 'INVALID']);
  }
} finally { fs.rmSync(tmp, { recursive: true }); }

for (const [k, n] of Object.entries(count)) console.log(String(n).padStart(5) + '  ' + k);
for (const d of disagree) console.log('DISAGREES  ' + d);
const WANT = { zip: 134, page: 22, 'zip, of an axis not decided here': 20, statement: 51, leaf: 84, evidence: 53, commit: 64, sign: 202, jcs: 55 };
console.log(disagree.length ? disagree.length + ' disagreements' : 'all agree');
process.exitCode = disagree.length ? 1 : 0;
for (const [k, n] of Object.entries(WANT)) assert.strictEqual(count[k], n, k + ': ' + count[k] + ' vectors, not ' + n);
