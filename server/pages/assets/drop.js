// Verifies a chosen or dropped file in the browser, with verify.js. Nothing is sent
// before the reader asks for the server's verdict.
(function () {
  'use strict';
  const V = window.munimentVerify, input = document.getElementById('bundle'), out = document.getElementById('local'), form = document.getElementById('drop');
  if (!V || !input) return;
  const el = (tag, text, cls) => { const e = document.createElement(tag); e.textContent = V.safe(String(text || '')); if (cls) e.className = cls; return e; };
  const state = (v) => /^VALID|PASS/.test(v) ? 'verified' : /INVALID|FAIL/.test(v) ? 'failed' : 'warning';
  async function check(file) {
    if (/\.json$/i.test(file.name)) { out.replaceChildren(el('p', 'A proof of a paragraph or a paper is checked by the server: press Check it.')); return; }
    const bytes = new Uint8Array(await file.arrayBuffer()), zip = bytes[0] === 0x50 && bytes[1] === 0x4b;
    if (!zip && !/\.html?$/i.test(file.name)) { out.replaceChildren(el('p', 'This file is not a bundle: there is nothing in it that was signed here.', 'notice')); return; }
    let r;
    try { r = V.verify(bytes, null, [], ''); } catch (e) { out.replaceChildren(el('h2', 'Your browser’s verdict'), el('p', 'INVALID: ' + e.message, 'notice big s-failed')); return; }
    const who = (r.signers || []).map((s) => s.fingerprint).join(' and ') || 'somebody', day = r.statement ? String(r.statement.issued).slice(0, 10) : '';
    const bad = r.verdict === 'INVALID';
    const said = bad ? 'INVALID: this is not what was signed. Do not rely on it.' : (r.verdict === 'INCOMPLETE' ? 'Nothing was changed' : r.verdict + ': nothing was changed') + ' since ' + who + ' signed it on ' + day + '; whether you trust that key is yours to say.';
    const table = el('table', ''), body = el('tbody', '');
    table.append(el('caption', 'The steps'), body);
    for (const a of r.axes || []) {
      const row = el('tr', ''), head = el('th', a.axis);
      head.scope = 'row';
      row.append(head, el('td', a.verdict, 's-' + state(a.verdict)), el('td', a.detail));
      body.append(row);
    }
    const steps = el('details', '', 'fold');
    steps.append(el('summary', 'The steps'), table);
    out.replaceChildren(el('h2', 'Your browser’s verdict'), el('p', said, 'notice big s-' + (bad ? 'failed' : 'verified')), steps);
  }
  input.addEventListener('change', () => { if (input.files[0]) check(input.files[0]); });
  addEventListener('dragover', (e) => { e.preventDefault(); document.body.classList.add('over'); });
  addEventListener('dragleave', (e) => { if (!e.relatedTarget) document.body.classList.remove('over'); });
  addEventListener('drop', (e) => {
    e.preventDefault();
    document.body.classList.remove('over');
    if (!e.dataTransfer.files.length) return;
    input.files = e.dataTransfer.files;
    check(input.files[0]);
  });
})();
