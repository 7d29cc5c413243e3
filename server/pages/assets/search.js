// Search of a site without a server. The index is in scripts, which a page may load
// from a file too: search/papers.js, search/ab.js by the first letters of a word, and
// search/text-0.js with the words of sixteen papers.
(function () {
  'use strict';
  const form = document.getElementById('sitesearch'), field = document.getElementById('q'), order = document.getElementById('order'), status = document.getElementById('status'), found = document.getElementById('found');
  const shards = {}, texts = {}, loading = {};
  let papers = null, names = [];
  window.munimentSearch = {
    papers: (n, p) => { names = n; papers = p; },
    shard: (n, t) => { shards[n] = t; },
    text: (n, t) => { texts[n] = t; },
  };
  const load = (name) => loading[name] ||= new Promise((done, failed) => {
    const s = document.createElement('script');
    s.src = 'search/' + name + '.js';
    s.onload = done;
    s.onerror = () => { delete loading[name]; failed(new Error('search/' + name + '.js cannot be read')); };
    document.head.append(s);
  });
  const termsOf = (q) => [...new Set((q.match(/[\p{L}\p{Nd}]+/gu) || []).map((w) => Array.from(w.toLowerCase()).slice(0, 24).join('')))];
  const shardOf = (t) => { const c = Array.from(t).slice(0, 2).join(''); return /^[a-z0-9]{1,2}$/.test(c) ? c : '_'; };
  const inWords = (date) => /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(date + 'T00:00Z').toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }) : date;
  const el = (tag, text, cls) => { const e = document.createElement(tag); if (text) e.textContent = text; if (cls) e.className = cls; return e; };
  function excerpt(text, terms) {
    const words = [...text.matchAll(/[\p{L}\p{Nd}]+/gu)], p = el('p'), hit = words.find((w) => terms.includes(w[0].toLowerCase()));
    const start = Math.max(0, (hit ? hit.index : 0) - 120), end = Math.min(text.length, start + 360);
    let from = start ? (words.find((w) => w.index >= start) || { index: start }).index : 0, at = from;
    if (from) p.append('… ');
    for (const w of words) {
      if (w.index < from || w.index + w[0].length > end) continue;
      p.append(text.slice(at, w.index));
      p.append(terms.includes(w[0].toLowerCase()) ? el('mark', w[0]) : w[0]);
      at = w.index + w[0].length;
    }
    p.append(end < text.length ? ' …' : text.slice(at, end));
    return p;
  }
  let turn = 0;
  async function search() {
    const mine = ++turn, q = field.value.trim();
    found.replaceChildren();
    if (!q) { status.textContent = ''; return; }
    status.textContent = 'Searching …';
    try {
      await load('papers');
      const terms = termsOf(q), have = terms.filter((t) => names.includes(shardOf(t)));
      await Promise.all(have.map((t) => load(shardOf(t))));
      const scores = new Map();
      let known = 0;
      for (const t of have) {
        const list = Object.hasOwn(shards[shardOf(t)], t) ? shards[shardOf(t)][t] : null;
        if (!list) continue;
        known++;
        const weight = Math.log(1 + papers.length / list.length);
        for (const [n, ...paragraphs] of list) {
          const s = scores.get(n) || { n, words: 0, score: 0, by: new Map() };
          s.words++;
          s.score += weight * (1 + Math.log(paragraphs.length));
          for (const p of paragraphs) s.by.set(p, (s.by.get(p) || 0) + weight);
          scores.set(n, s);
        }
      }
      let all = [...scores.values()].sort((a, b) => b.words - a.words || b.score - a.score || a.n - b.n);
      const whole = all.filter((s) => s.words === known), total = (whole.length ? whole : all).length;
      all = (whole.length ? whole : all).slice(0, 40);
      if (order.value === 'date') all.sort((a, b) => (papers[a.n][2] < papers[b.n][2] ? -1 : 1));
      await Promise.all([...new Set(all.map((s) => Math.floor(s.n / 16)))].map((n) => load('text-' + n)));
      if (mine !== turn) return;
      for (const s of all) {
        const [id, label, date, starts] = papers[s.n], item = el('li'), h = el('h2'), a = el('a', label);
        const best = ([...s.by].filter((x) => x[0]).sort((x, y) => y[1] - x[1] || x[0] - y[0])[0] || [1])[0], // 0 is the title
          from = starts.filter((x) => x <= best).pop() || 1;
        const page = 'a/' + id + (from > 1 ? '-' + from : '') + '.html';
        a.href = page;
        h.append(a, ' ', el('span', inWords(date), 'date'));
        item.append(h);
        const words = (texts[Math.floor(s.n / 16)][s.n % 16].find((x) => x[0] === best) || [0, ''])[1];
        if (words) {
          const p = excerpt(words, terms), at = el('a', 'paragraph ' + best, 'place');
          at.href = page + '#p' + best;
          p.prepend(at, ' ');
          item.append(p);
        }
        found.append(item);
      }
      status.textContent = total ? (total === 1 ? '1 paper' : total + ' papers') + (whole.length ? ' with these words' : ' with some of these words') + (total > all.length ? '; the best ' + all.length + ' are below.' : '.') : 'No paper of this site has these words, or they are in most of them.';
    } catch (e) { status.textContent = 'The search could not be loaded: ' + e.message; }
  }
  form.addEventListener('submit', (e) => { e.preventDefault(); search(); });
  order.addEventListener('change', search);
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) { field.value = asked; search(); }
})();
