// Cards of citations: on hover after 150 ms, on focus, on tap. Escape closes, the
// pointer may enter, focus returns.
(function () {
  'use strict';
  let box = null, owner = null, timer = 0;
  function close(back) {
    clearTimeout(timer);
    if (!box) return;
    const inside = box.contains(document.activeElement);
    box.remove();
    box = null;
    if (owner) { owner.removeAttribute('aria-describedby'); if (back && inside) owner.focus(); }
    owner = null;
  }
  const cardsOf = (link) => link.dataset.card.split(' ').map((id) => document.getElementById(id)).filter((card) => card);
  function open(link) {
    const cards = cardsOf(link);
    if (!cards.length || owner === link) return;
    close(false);
    box = document.createElement('div');
    box.className = 'float';
    box.id = 'float';
    box.setAttribute('role', 'tooltip');
    cards.forEach((card, i) => { if (i) box.append(document.createElement('hr')); for (const child of card.children) box.append(child.cloneNode(true)); });
    for (const e of box.querySelectorAll('form,[id]')) { if (e.tagName === 'FORM') e.remove(); else e.removeAttribute('id'); }
    document.body.append(box);
    const at = link.getBoundingClientRect(), left = Math.min(at.left, innerWidth - box.offsetWidth - 16);
    box.style.left = Math.max(8, left) + scrollX + 'px';
    const below = at.bottom + 6, above = at.top - box.offsetHeight - 6;
    box.style.top = (below + box.offsetHeight > innerHeight && above > 0 ? above : below) + scrollY + 'px';
    owner = link;
    link.setAttribute('aria-describedby', 'float');
    box.addEventListener('pointerenter', () => clearTimeout(timer));
    box.addEventListener('pointerleave', () => { timer = setTimeout(() => close(false), 150); });
  }
  const linkOf = (e) => e.target.closest && e.target.closest('a[data-card]');
  addEventListener('pointerover', (e) => { const l = linkOf(e); if (l && e.pointerType === 'mouse') { clearTimeout(timer); timer = setTimeout(() => open(l), 150); } });
  addEventListener('pointerout', (e) => { if (linkOf(e) && e.pointerType === 'mouse') { clearTimeout(timer); timer = setTimeout(() => { if (!box || !box.matches(':hover')) close(false); }, 200); } });
  addEventListener('focusin', (e) => { const l = linkOf(e); if (l) open(l); else if (box && !box.contains(e.target)) close(false); });
  addEventListener('keydown', (e) => { if (e.key === 'Escape') close(true); });
  addEventListener('click', (e) => {
    const l = linkOf(e);
    if (!l) { if (box && !box.contains(e.target)) close(false); return; }
    if (owner === l && matchMedia('(hover: none)').matches) { e.preventDefault(); return; }
    for (const card of cardsOf(l)) if (card.tagName === 'DETAILS') card.open = true;
  });
  // An address that ends in #p3:10-52 leads to the words.
  function show() {
    const m = /^#(p(\d+):(\d+)-(?:p(\d+):)?(\d+))/.exec(decodeURIComponent(location.hash));
    const bare = /^#(c\d+)$/.exec(location.hash);
    if (bare) { const card = document.getElementById(bare[1]); if (card && card.tagName === 'DETAILS') card.open = true; }
    if (!m) return;
    const first = document.getElementById('p' + m[2]), last = document.getElementById('p' + (m[4] || m[2]));
    if (!first || !last) return;
    first.scrollIntoView({ block: 'center' });
    if (!window.Highlight || !CSS.highlights) return;
    const point = (p, n) => {
      const walk = document.createTreeWalker(p, NodeFilter.SHOW_TEXT, { acceptNode: (t) => t.parentElement.closest('button') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT });
      for (let t = walk.nextNode(); t; t = walk.nextNode()) {
        const points = Array.from(t.data);
        if (n <= points.length) return [t, points.slice(0, n).join('').length];
        n -= points.length;
      }
      return null;
    };
    const a = point(first, +m[3]), b = point(last, +m[5]);
    if (a && b) { const r = new Range(); r.setStart(...a); r.setEnd(...b); CSS.highlights.set('cited', new Highlight(r)); document.body.dataset.shown = r.toString(); }
  }
  addEventListener('hashchange', show);
  show();
})();
// What a reader types into a search is completed with names and titles.
(function () {
  'use strict';
  const field = document.querySelector('input[data-suggest]'), list = document.getElementById('suggestions');
  if (!field || !list) return;
  let timer = 0, turn = 0;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    const mine = ++turn, typed = field.value.trim();
    if (typed.length < 2) { list.replaceChildren(); return; }
    timer = setTimeout(async () => {
      try {
        const found = await (await fetch(field.dataset.suggest + '?q=' + encodeURIComponent(typed))).json();
        if (mine !== turn) return;
        list.replaceChildren(...[...found.names, ...found.papers.map((p) => p.label)].map((text) => { const o = document.createElement('option'); o.value = text; return o; }));
      } catch (e) { list.replaceChildren(); }
    }, 200);
  });
})();
// A reference is copied by a button after it, or from a card, where the page of the words has it.
(function () {
  'use strict';
  if (!navigator.clipboard) return;
  const words = JSON.parse(document.body.dataset.words), say = (at, done) => { const was = at.textContent; at.textContent = done ? words.copied : words.notcopied; setTimeout(() => { at.textContent = was; }, 1500); };
  const copy = (at, text) => navigator.clipboard.writeText(text).then(() => say(at, true), () => say(at, false));
  const offer = (root) => {
    for (const pre of root.querySelectorAll('pre.copy:not([data-copy])')) {
      const b = document.createElement('button');
      pre.dataset.copy = b.type = 'button';
      b.className = 'copyit';
      b.textContent = words.copy;
      b.addEventListener('click', () => copy(b, pre.textContent));
      pre.after(b);
    }
  };
  offer(document);
  const panel = document.getElementById('citepanel');
  if (panel) new MutationObserver(() => offer(panel)).observe(panel, { childList: true });
  addEventListener('click', async (e) => {
    const link = e.target.closest && e.target.closest('a.copycite');
    if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    e.preventDefault();
    try {
      const given = (await (await fetch(link.getAttribute('href').replace('/cite?', '/cite.json?'))).json()).cite;
      await copy(link, given.references.find((r) => r.style === 'harvard').text);
    } catch (err) { location.href = link.href; }
  });
})();
