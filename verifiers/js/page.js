
(function () {
  'use strict';
  const V = window.munimentVerify, $ = (id) => document.getElementById(id), out = $('result');
  let bundle = null, trustFile = null, turn = 0;

  // Every text that comes from a file goes through safe and into a text node.
  function el(tag, cls, ...children) {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    for (const c of children) e.append(c instanceof Node ? c : document.createTextNode(V.safe(c)));
    return e;
  }
  function table(head, rows) {
    const t = el('table', '', el('thead', '', el('tr', '', ...head.map((h) => { const c = el('th', '', h); c.scope = 'col'; return c; }))), el('tbody', ''));
    for (const cells of rows) t.tBodies[0].append(el('tr', '', ...cells));
    return t;
  }
  const rowHead = (s) => { const c = el('th', '', s); c.scope = 'row'; return c; };
  const axis = (r, name) => r.axes.find((a) => a.axis === name);

  function verdicts(r, trust) {
    const i = axis(r, 'integrity'), s = axis(r, 'signer threshold'), left = el('section', 'verdict ' + i.verdict, el('h2', '', 'Integrity')), right = el('section', 'verdict ' + s.verdict, el('h2', '', 'Signer'));
    left.append(el('p', 'big', i.verdict === 'PASS' ? 'Internally consistent' : 'Not a bundle in one piece'), el('p', '', i.detail));
    if (i.verdict !== 'PASS') right.append(el('p', 'big', 'Not looked at'), el('p', '', 'Nothing can be said about the signer of something that is no bundle.'));
    else if (r.signers.some((x) => !x.correct)) right.append(el('p', 'big', 'A signature is wrong'));
    else if (!trust) right.append(el('p', 'big', 'Signed, by whom is for you to say'));
    else right.append(el('p', 'big', s.verdict === 'PASS' ? 'Signed by a key your file allows' : 'Signed by no key your file allows'));
    for (const x of i.verdict === 'PASS' ? r.signers : []) {
      right.append(el('p', '', x.correct ? 'signed by fingerprint ' : 'wrong signature under fingerprint ', el('span', 'mono', x.fingerprint), x.allowed ? ', line ' + x.allowed.line + ' of your file: ' + x.allowed.principals.join(',') : trust ? ', not allowed by your file' : ', compare with your trust root'));
    }
    return el('div', 'verdicts', left, right);
  }

  function rendering(r) {
    const leaves = r.leaves, box = el('section', ''), used = new Set();
    const gap = (i) => el('span', 'gap', r.missing.includes(i) ? 'left out of this copy' : 'withheld');
    const named = (rows) => table(['', ''], rows.map(([k, v]) => [rowHead(k), el('td', 'mono', v)]));
    function cite(c) {
      used.add(c.index);
      const e = el('div', 'cite', el('p', '', el('strong', '', c.handle), ', ' + c.label));
      if (c.contradicts) e.append(el('p', 'contra', 'These words contradict the claim.'));
      if (c.restricted) e.append(el('p', '', el('span', 'gap', 'the words are withheld: restricted source')));
      else {
        const q = el('blockquote', '');
        c.chunks.forEach((i) => { const t = leaves.get(i); used.add(i); q.append(t ? document.createTextNode(V.safe(t.text)) : gap(i)); });
        e.append(q);
      }
      return e;
    }
    function gate(g) {
      used.add(g.index);
      const d = el('details', '', el('summary', '', 'gate: ' + (g.rung || g.stage)), el('p', 'dim', 'stage ' + g.stage + (g.table ? ', table ' + g.table : '')));
      for (const f of g.failed) d.append(el('p', 'dim', 'not ' + f.rung + ': ' + f.test));
      for (const n of g.notes) d.append(el('p', 'dim', n));
      return d;
    }
    const show = {
      claim(c) {
        const e = el('article', 'leaf', el('h3', '', 'Claim ' + c.claim, el('span', 'rung', c.rung)), el('p', 'text', c.text));
        for (const x of r.claims || []) if (x.number === c.claim) e.append(el('p', '', x.judged));
        if (c.restricted) e.append(el('p', 'dim', 'rests on a restricted source'));
        for (const i of c.cites) e.append(leaves.has(i) ? cite(leaves.get(i)) : el('div', 'cite', el('p', '', 'a citation: ', gap(i))));
        e.append(leaves.has(c.gate) ? gate(leaves.get(c.gate)) : el('p', 'dim', 'gate: ', gap(c.gate)));
        return e;
      },
      refusal(l) {
        const e = el('article', 'leaf', el('h3', '', 'Refused', el('span', 'rung', l.refusal_kind)), el('p', 'text', l.message));
        if (l.topic) e.append(el('p', 'dim', 'topic: ' + l.topic));
        if (l.suggestions.length) e.append(el('p', 'dim', 'suggested instead:'), el('ul', '', ...l.suggestions.map((s) => el('li', '', s))));
        return e;
      },
      removed: (l) => r.examination ? null : el('article', 'leaf', el('h3', '', 'Topic removed'), el('p', 'text', l.topic), el('p', 'dim', 'reason: ' + l.reason)),
      source: (l) => el('article', 'leaf', el('h3', '', 'Source leaf ' + l.index), el('blockquote', '', l.quote), named([['artifact', l.artifact], ['record', l.record], ['snapshot', l.snapshot], ['span', l.span], ['citation', l.citation]])),
      cite: (l) => el('article', 'leaf', el('h3', '', 'Citation of claim ' + l.claim), cite(l)),
      chunk: (l) => el('article', 'leaf', el('h3', '', 'Piece of an excerpt'), el('blockquote', '', l.text)),
      gate: (l) => el('article', 'leaf', el('h3', '', l.claim ? 'Gate of claim ' + l.claim : 'Gate'), gate(l)),
      pad: () => el('article', 'leaf', el('h3', '', 'Padding')),
    };
    const order = r.display.shown.map((i) => leaves.get(i)).filter(Boolean), parts = new Map();
    for (const l of order) if (l.kind === 'claim') parts.set(l, show.claim(l));
    for (const l of order) if (l.kind === 'cite' && !used.has(l.index)) parts.set(l, show.cite(l));
    for (const l of order) if (!parts.has(l) && !used.has(l.index) && show[l.kind]) parts.set(l, show[l.kind](l));
    for (const l of order) if (parts.get(l)) box.append(parts.get(l));
    return box;
  }

  function report(r, trust) {
    if ('proves' in r) { // evidence of two histories
      out.replaceChildren(el('section', 'verdict ' + (r.verdict === 'VALID' ? 'PASS' : r.verdict === 'INVALID' ? 'FAIL' : 'NOT-CHECKED'), el('h2', '', 'Result: ' + r.verdict), el('p', 'big', r.proves ? 'It proves: ' + r.proves + '.' : 'It proves nothing.')),
        table(['Axis', 'Verdict', ''], r.axes.map((a) => [rowHead(a.axis), el('td', 'state ' + a.verdict, a.verdict), el('td', '', a.detail)])));
      return;
    }
    const st = r.statement, parts = [verdicts(r, trust), el('h2', '', 'Result: ' + r.verdict)];
    parts.push(el('p', 'dim', { VALID: 'Integrity and signer hold, and nothing that was checked fails. What is NOT-CHECKED was not looked at.', INVALID: 'At least one axis fails.', INCOMPLETE: 'Nothing fails, but an axis that is required was not checked.' }[r.verdict] || 'Integrity and signer hold, and nothing that was checked fails; but somebody left out parts of the answer as it was shown.'));
    parts.push(table(['Axis', 'Verdict', ''], r.axes.map((a) => [rowHead(a.axis), el('td', 'state ' + a.verdict, a.verdict), el('td', '', a.detail)])));
    if (st) {
      parts.push(el('h2', '', 'What it says'));
      if (r.verdict === 'INVALID') parts.push(el('p', 'warn', 'The check above failed. Do not rely on what follows.'));
      if (r.examination) parts.push(...V.examinedLines(r.examination).map((l, i) => el('p', i ? 'warn' : 'big', l)), el('p', '', 'Shown to a requestor of tier ' + r.display.requestor_tier + '. The claims below are the words of the papers.'));
      else parts.push(el('p', '', 'Outcome: ' + st.outcome + ', ' + r.display.outcome_rung + '. Shown to a requestor of tier ' + r.display.requestor_tier + '.'));
      if (r.missing.length) parts.push(el('p', '', el('span', 'gap', 'reduced copy'), ' Shown leaves that are missing here: ' + r.missing.join(', ')));
      parts.push(rendering(r), el('h2', '', 'Statement'), table(['Line', 'Value'], [['archive', st.archive], ['id', st.id], ['issued, as claimed', st.issued], ['log', st.origin], ['size before', st.size], ['root', st.root], ['policy', st.policy], ['trust', st.trust], ['sealed', [...st.sealed.keys()].join(', ')]].map(([k, v]) => [rowHead(k), el('td', 'mono', v)])));
    }
    out.replaceChildren(...parts);
  }

  function failed(e) { out.replaceChildren(el('section', 'verdict FAIL', el('h2', '', 'Result: INVALID'), el('p', 'big', 'Could not be checked'), el('p', '', e && e.message ? e.message : 'unexpected error'))); }
  async function run() {
    const mine = ++turn;
    if (!bundle) { $('note').textContent = ''; out.replaceChildren(); return; }
    try {
      $('note').textContent = V.safe('Checking ' + bundle.name + ' …');
      await new Promise((done) => setTimeout(done, 20));
      let trust = null, odd = '';
      if (trustFile) { try { trust = V.parseTrust(new Uint8Array(await trustFile.arrayBuffer())); } catch (e) { odd = ' The allowed_signers file cannot be used (' + e.message + '), so no trust was given.'; } }
      const pinned = $('archive').value.trim();
      if (pinned && !V.isArchive(pinned)) odd += ' The ID of the archive is not one, so no verdict is given.';
      const bytes = bundle.size > 65 << 20 ? new Uint8Array((65 << 20) + 1) : new Uint8Array(await bundle.arrayBuffer());
      if (mine !== turn) return;
      if (odd.includes('no verdict')) out.replaceChildren(); else report(V.verify(bytes, trust, [], pinned), trust);
      $('note').textContent = V.safe('Checked ' + bundle.name + (trustFile && !odd ? ' with ' + trustFile.name : '') + '.' + odd);
    } catch (e) { if (mine === turn) failed(e); }
  }

  $('bundle').addEventListener('change', (e) => { bundle = e.target.files[0] || null; run(); });
  $('trust').addEventListener('change', (e) => { trustFile = e.target.files[0] || null; run(); });
  $('archive').addEventListener('change', run);
  $('again').addEventListener('click', () => { bundle = trustFile = null; $('bundle').value = $('trust').value = $('archive').value = ''; run(); });
  addEventListener('dragover', (e) => { e.preventDefault(); document.body.classList.add('over'); });
  addEventListener('dragleave', (e) => { if (!e.relatedTarget) document.body.classList.remove('over'); });
  addEventListener('drop', (e) => {
    e.preventDefault();
    document.body.classList.remove('over');
    for (const f of e.dataTransfer.files) if (/\.(zip|html?|conflict)$/i.test(f.name)) bundle = f; else trustFile = f;
    run();
  });
})();
