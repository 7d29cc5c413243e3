// Prints the sentence of the verdict on each bundle of testvectors: node says.js, for the test that compares them with the program's.
'use strict';
const fs = require('fs'), path = require('path'), V = require('../verify.js'), S = require('./sentence.js'), dir = path.join(__dirname, '..', '..', 'testvectors', 'bundle');
const out = {};
for (const name of fs.readdirSync(dir)) {
  const b = fs.readFileSync(path.join(dir, name)), cut = b.indexOf('\n\n'), h = Object.fromEntries(b.subarray(0, cut).toString().split('\n').map((l) => l.split(/: (.*)/s))), body = new Uint8Array(b.subarray(cut + 2));
  if (h.kind !== 'zip' && h.kind !== 'page') continue;
  const r = V.verify(body, h.trust ? V.parseTrust(Buffer.from(h.trust + '\n')) : null);
  out[name] = { kind: h.kind, open: h.axis === 'sealed layer' || h.axis === 'artifact and span', bundle: S.isBundle(body), own: S.sentence(r, true), said: S.sentence(r, false), changes: S.changes(body).map((c) => ({ where: c.where, now: c.now })) };
}
console.log(JSON.stringify(out));
