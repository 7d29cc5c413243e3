// Marks of a reader: a span, the words, the fields of a citation, references, a Web
// Annotation and a link. Offsets are code points from the start of a paragraph.
(function () {
  'use strict';
  const paper = document.getElementById('paper'), words = document.getElementById('words'), panel = document.getElementById('citepanel'), quote = document.getElementById('quote');
  if (!paper || !words || !panel) return;
  const said = JSON.parse(document.body.dataset.words);
  const count = (s) => Array.from(s).length;
  const textOf = (p) => { const c = p.cloneNode(true); for (const b of c.querySelectorAll('button')) b.remove(); return c.textContent; };
  const el = (tag, text, kids) => { const e = document.createElement(tag); if (text) e.textContent = text; for (const k of kids || []) e.append(k); return e; };
  const paraOf = (n) => (n.nodeType === 1 ? n : n.parentElement).closest('.para');
  function offset(p, node, at) {
    const r = new Range();
    r.setStart(p, 0);
    r.setEnd(node, at);
    const box = el('div', '', [r.cloneContents()]);
    for (const b of box.querySelectorAll('button')) b.remove();
    return count(box.textContent);
  }
  function spanOf(range) {
    const from = paraOf(range.startContainer), to = paraOf(range.endContainer);
    if (!from || !to) return null;
    const all = [...words.querySelectorAll('.para')];
    let a = offset(from, range.startContainer, range.startOffset), b = offset(to, range.endContainer, range.endOffset), q = [];
    const i = all.indexOf(from), j = all.indexOf(to);
    for (let k = i; k <= j; k++) {
      const t = Array.from(textOf(all[k]));
      q.push(t.slice(k === i ? a : 0, k === j ? b : t.length).join(''));
    }
    if (i === j) { // what is marked beside the words is no part of them
      const lead = /^\s*/.exec(q[0])[0], trail = /\s*$/.exec(q[0])[0];
      if (q[0].trim()) { a += count(lead); b -= count(trail); q[0] = q[0].trim(); }
    }
    if (i === j && a >= b) return null;
    const p = from.dataset.p, r = to.dataset.p;
    return { span: p === r ? `p${p}:${a}-${b}` : `p${p}:${a}-p${r}:${b}`, quote: q.join('\n\n'), from, to, a, b };
  }
  function fragment(q) {
    const enc = (s) => encodeURIComponent(s).replace(/-/g, '%2D'), w = q.split('\n')[0].trim().split(/\s+/);
    return w.length > 12 ? enc(w.slice(0, 5).join(' ')) + ',' + enc(w.slice(-5).join(' ')) : enc(w.join(' '));
  }
  function field(list, name, value) {
    const pre = el('pre', value);
    pre.tabIndex = 0;
    pre.dataset.field = name;
    pre.className = 'copy';
    list.append(el('dt', name), el('dd', '', [pre]));
  }
  function show(s) {
    const base = paper.dataset.static === 'true' ? location.href.split(/[?#]/)[0] : location.origin + '/p/' + paper.dataset.lasting;
    const link = paper.dataset.static === 'true' ? base + '#' + s.span + ':~:text=' + fragment(s.quote) : base + '?at=' + s.span + '#at', list = el('dl');
    const place = s.from === s.to ? 'paragraph ' + s.from.dataset.p : 'paragraphs ' + s.from.dataset.p + '–' + s.to.dataset.p;
    field(list, 'link', link);
    const styles = el('dl'), annotation = el('dl'); // the first reference is open, so that the panel stays a screen and a half on a phone
    field(annotation, 'verbatim_quote', s.quote);
    field(annotation, 'span', s.span);
    field(annotation, 'quote_context', s.from === s.to ? textOf(s.from) : textOf(s.from) + '\n\n' + textOf(s.to));
    field(annotation, 'source', paper.dataset.artifact);
    for (const r of document.querySelectorAll('#references pre')) field(list.children.length < 4 ? list : styles, r.dataset.style, r.textContent.split(base).join(link) + (/[{\n]/.test(r.textContent) || paper.dataset.whole === 'true' ? '' : ' (' + place + ')'));
    const before = Array.from(textOf(s.from)).slice(0, s.a), after = Array.from(textOf(s.to)).slice(s.b);
    field(annotation, 'Web Annotation', JSON.stringify({ '@context': 'http://www.w3.org/ns/anno.jsonld', type: 'Annotation', motivation: 'highlighting', target: { source: base, selector: [
      { type: 'TextQuoteSelector', exact: s.quote, prefix: before.slice(-32).join(''), suffix: after.slice(0, 32).join('') }, { type: 'FragmentSelector', value: s.span }] } }, null, 2));
    const h = el('h3', said.ready), fold = (title, what) => el('details', '', [el('summary', title), what]);
    panel.replaceChildren(h, list, fold(said.references, styles), fold(said.programs, annotation));
    panel.hidden = false;
    if (quote) quote.value = s.quote;
  }
  let timer = 0;
  document.addEventListener('selectionchange', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const sel = getSelection();
      if (!sel.rangeCount || sel.isCollapsed || !words.contains(sel.getRangeAt(0).commonAncestorContainer)) return;
      const s = spanOf(sel.getRangeAt(0));
      if (s) show(s);
    }, 120);
  });
  // By the keyboard: each paragraph has a button; words are found with the field.
  for (const p of words.querySelectorAll('.para')) {
    const b = el('button', said.cite + ' ¶ ' + p.dataset.p);
    b.type = 'button';
    b.className = 'citepara';
    b.addEventListener('click', () => {
      const r = new Range();
      r.selectNodeContents(p);
      r.setEndBefore(b);
      const s = spanOf(r);
      if (s) { show(s); panel.tabIndex = -1; panel.focus(); }
    });
    p.append(b);
  }
  const form = document.getElementById('citeform');
  form.hidden = false;
  form.addEventListener('submit', (e) => {
    const q = quote.value.trim();
    for (const p of words.querySelectorAll('.para')) {
      const t = textOf(p), i = q ? t.indexOf(q) : -1;
      if (i >= 0) {
        e.preventDefault();
        const a = count(t.slice(0, i));
        show({ span: `p${p.dataset.p}:${a}-${a + count(q)}`, quote: q, from: p, to: p, a, b: a + count(q) });
        panel.tabIndex = -1;
        panel.focus();
        return;
      }
    }
    if (paper.dataset.static === 'true') { e.preventDefault(); panel.replaceChildren(el('p', said.absent)); panel.hidden = false; }
  });
})();
