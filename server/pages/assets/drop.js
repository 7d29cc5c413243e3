// Verifies a chosen or dropped file in the browser, with verify.js, and says the verdict as the
// server does. Nothing is sent before the reader asks for that.
(function () {
  'use strict';
  const V = window.munimentVerify, S = window.munimentSentence, input = document.getElementById('bundle'), out = document.getElementById('local'), form = document.getElementById('drop');
  if (!V || !S || !input) return;
  const el = (tag, cls, ...children) => { const e = document.createElement(tag); if (cls) e.className = cls; for (const c of children) e.append(c instanceof Node ? c : document.createTextNode(V.safe(String(c)))); return e; };
  const state = (v) => /^VALID|PASS/.test(v) ? 'verified' : /INVALID|FAIL/.test(v) ? 'failed' : 'warning';
  const say = (cls, ...more) => out.replaceChildren(el('p', 'notice big said ' + cls, more.shift()), ...more);
  form.hidden = false;
  let keys = null;
  try { keys = form.dataset.keys ? V.parseTrust(new TextEncoder().encode(form.dataset.keys)) : null; } catch (e) { keys = null; }

  function steps(r) {
    const W = JSON.parse(form.dataset.steps), fold = el('details', 'fold', el('summary', '', 'The steps'));
    for (const s of r.signers) fold.append(el('p', '', 'Signed by ', el('span', 'id', s.fingerprint)));
    const table = (axes) => {
      const box = el('div', 'scroll', el('table', '', el('tbody', '', ...axes.map((a) => {
        const head = el('th', '', W[a.axis] || a.axis);
        head.scope = 'row';
        return el('tr', '', head, el('td', 's-' + state(a.verdict), W[a.verdict] || a.verdict), el('td', 'dim', a.detail));
      }))));
      box.tabIndex = 0;
      return box;
    };
    const open = (a) => a.verdict === 'NOT-CHECKED', axes = r.axes || [];
    fold.append(table(axes.filter((a) => !open(a))), el('details', 'fold', el('summary', '', W.open), table(axes.filter(open))));
    fold.id = 'steps';
    return fold;
  }
  // What the answer says, shortly: a nearest passage asserts nothing, and nor does what was not signed so.
  function claims(r) {
    const said = [...(r.leaves && r.verdict !== 'INVALID' ? r.leaves.values() : [])].filter((l) => l.kind === 'claim' && l.role !== 'nearest').sort((a, b) => a.claim - b.claim);
    return [...said.slice(0, 3).map((l) => el('p', '', l.claim + '. ' + l.text + (l.rung === 'labeled' ? ' (labeled)' : ''))), said.length > 3 ? el('p', 'dim', 'and ' + (said.length - 3) + ' more') : ''];
  }
  function changed(bytes) {
    const words = (a, b) => el('blockquote', '', ...S.marked(a, b || a).map(([text, differs]) => differs ? el('mark', '', text) : text));
    const all = S.changes(bytes).filter((c) => c.now).map((c) => el('div', 'sides', el('div', '', el('p', 'dim', 'In this file'), words(c.now, c.was)),
      el('div', '', el('p', 'dim', 'As it was signed'), c.was ? words(c.was, c.now) : el('p', '', form.dataset.site ? 'Other words, which only the archive has.' : 'Other words. Press Check it here, and this archive looks them up.'))));
    return all.length ? [el('section', 'changed', el('h2', '', 'What was changed'), ...all)] : [];
  }
  async function check(file) {
    const sent = document.getElementById('server');
    if (sent) sent.remove();
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes[0] === 0x7b) { out.replaceChildren(el('p', '', form.dataset.site ? 'A proof is checked by the program: muniment verify.' : 'A proof is checked by the server: press Check it here.')); return; }
    if (!S.isBundle(bytes)) { say('', S.NOT); return; }
    const own = keys && V.verify(bytes, keys, [], ''), isOwn = own && own.statement && own.statement.archive === form.dataset.archive && own.axes.some((a) => a.axis === 'signer threshold' && a.verdict === 'PASS');
    const r = isOwn ? V.verify(bytes, keys, [], form.dataset.archive) : V.verify(bytes, null, [], '');
    if ('proves' in r) { say('s-' + state(r.verdict), r.verdict + ': ' + (r.proves ? 'it proves ' + r.proves + '.' : 'it proves nothing.'), steps(r)); return; }
    const asked = r.leaves && [...r.leaves.values()].find((l) => l.kind === 'question');
    say('s-' + state(r.verdict), S.sentence(r, isOwn), ...(r.verdict === 'INVALID' ? changed(bytes) : []), asked ? el('p', '', (claims(r).length > 1 ? 'It answers: ' : 'It was asked: ') + asked.text) : '', ...claims(r), steps(r));
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
