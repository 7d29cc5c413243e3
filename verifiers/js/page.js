
(function () {
  'use strict';
  const V = window.munimentVerify, S = window.munimentSentence, $ = (id) => document.getElementById(id), out = $('result');
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

  const state = (r) => /^VALID/.test(r.verdict) ? 'PASS' : r.verdict === 'INVALID' ? 'FAIL' : 'NOT-CHECKED';
  const fold = (name, ...children) => el('details', '', el('summary', '', name), ...children);
  const steps = (r) => fold('The steps', table(['Step', 'Result', ''], r.axes.map((a) => [rowHead(a.axis), el('td', 'state ' + a.verdict, a.verdict), el('td', '', a.detail)])));

  function signers(r, trust) {
    return r.signers.map((x) => el('p', 'dim', x.correct ? 'Signed by ' : 'Wrong signature under ', el('span', 'mono', x.fingerprint), x.allowed ? ', line ' + x.allowed.line + ' of your file: ' + x.allowed.principals.join(',') : trust ? ', not in your file' : ''));
  }

  function changed(bytes) {
    const all = S.changes(bytes).filter((c) => c.now).map((c) => {
      const words = (a, b) => el('blockquote', '', ...S.marked(a, b || a).map(([t, differs]) => differs ? el('mark', '', t) : t));
      return el('div', 'verdicts', el('div', '', el('p', 'dim', 'In this file'), words(c.now, c.was)), el('div', '', el('p', 'dim', 'As it was signed'), c.was ? words(c.was, c.now) : el('p', '', 'Other words, which only the archive has.')));
    });
    return all.length ? [el('section', 'changed', el('h2', '', 'What was changed'), ...all)] : [];
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

  // What the answer says, shortly: the words that it rests on are in a fold.
  function claims(r) {
    const shown = r.display.shown.map((i) => r.leaves.get(i)).filter(Boolean), parts = [];
    for (const l of shown) if (l.kind === 'question') parts.push(el('p', 'dim', 'It answers: ' + l.text));
    const said = shown.filter((l) => l.kind === 'claim').sort((a, b) => a.claim - b.claim);
    for (const l of said.slice(0, 3)) parts.push(el('p', 'text', l.claim + '. ' + (l.text.length > 400 ? l.text.slice(0, 400) + ' …' : l.text), el('span', 'rung', l.rung)));
    if (said.length > 3) parts.push(el('p', 'dim', 'and ' + (said.length - 3) + ' more'));
    for (const l of shown) if (l.kind === 'refusal') parts.push(el('p', 'text', l.message));
    return parts;
  }

  function report(r, trust, bytes) {
    if ('proves' in r) { // evidence of two histories
      out.replaceChildren(el('section', 'verdict ' + state(r), el('p', 'big', r.verdict + ': ' + (r.proves ? 'it proves ' + r.proves + '.' : 'it proves nothing.'))), steps(r));
      return;
    }
    const st = r.statement, parts = [el('section', 'verdict ' + state(r), el('p', 'big', S.sentence(r, false)), ...signers(r, trust))];
    if (r.verdict === 'INVALID') parts.push(...changed(bytes));
    if (st) {
      if (r.examination) parts.push(...V.examinedLines(r.examination).map((l, i) => el('p', i ? 'warn' : 'text', l)));
      else parts.push(...claims(r));
      if (r.missing.length) parts.push(el('p', '', el('span', 'gap', r.missing.length + ' of ' + r.display.shown.length + ' shown parts are left out of this copy')));
      parts.push(el('p', 'dim', 'This does not say that a claim is true.'), fold('The words that it rests on', rendering(r)), steps(r));
      parts.push(fold('Statement', table(['Line', 'Value'], [['archive', st.archive], ['id', st.id], ['issued, as claimed', st.issued], ['log', st.origin], ['size before', st.size], ['root', st.root], ['policy', st.policy], ['trust', st.trust], ['sealed', [...st.sealed.keys()].join(', ')]].map(([k, v]) => [rowHead(k), el('td', 'mono', v)]))));
    } else parts.push(steps(r));
    out.replaceChildren(...parts);
  }

  function failed(e) { out.replaceChildren(el('section', 'verdict FAIL', el('p', 'big', 'This file could not be checked.'), el('p', '', e && e.message ? e.message : 'unexpected error'))); }
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
      if (odd.includes('no verdict')) out.replaceChildren(); else if (!S.isBundle(bytes)) out.replaceChildren(el('section', 'verdict', el('p', 'big', S.NOT)));
      else report(V.verify(bytes, trust, [], pinned), trust, bytes);
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
    for (const f of e.dataTransfer.files) if (/signers|\.pub$|^trust/i.test(f.name)) trustFile = f; else bundle = f;
    run();
  });
})();
