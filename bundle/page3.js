
// Checks the bundle in this page, and that the page shows what the bundle says.
(function () {
  'use strict';
  const box = document.getElementById('check');
  // A page that is not what was signed shows no badge and no signer.
  const say = (ok, text) => {
    box.className = ok ? 'box' : 'box no'; box.textContent = text; document.body.className = ok ? 'checked' : 'forged';
    if (!ok) document.querySelectorAll('.rung, #signers').forEach((e) => { e.textContent = e.id ? 'nobody signed what this page shows' : ''; });
  };
  const RUNGS = { supported: 'Supported: the evidence says it', narrowed: 'Narrowed: said as far as the evidence goes', labeled: 'Labelled: inferred from the evidence', nearest: 'Nearest: nobody has checked that it answers' };
  const UNSAFE = [[0x0, 0x9], [0xb, 0x1f], [0x7f, 0x9f], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180e, 0x180e], [0x200b, 0x200b], [0x200e, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f], [0x3164, 0x3164], [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff9, 0xfffb], [0x1bca0, 0x1bca3], [0x1d173, 0x1d17a], [0xe0000, 0xe00ff], [0xe01f0, 0xe0fff]];
  const safe = (s) => Array.from(s, (c) => {
    const n = c.codePointAt(0);
    return c === '\t' ? ' ' : UNSAFE.some((u) => n >= u[0] && n <= u[1]) ? '\\u{' + n.toString(16).toUpperCase().padStart(4, '0') + '}' : c;
  }).join('');
  try {
    const zip = Uint8Array.from(atob(document.getElementById('bundle').textContent.replace(/\s/g, '')), (c) => c.charCodeAt(0));
    const r = window.munimentVerify.verify(zip, null), bad = r.axes.filter((a) => a.verdict === 'FAIL');
    const by = r.signers.map((s) => s.fingerprint).join(', ');
    // Every text of the display, in its order.
    const bare = (s) => safe(s).split('[…]').join('…').replace(/^[“”" …]+|[“”" …]+$/g, '');
    const want = [], leaf = (i) => r.leaves.get(i), put = (s) => want.push(safe(s).replace(/\s+/g, ' ').trim());
    for (const l of bad.length ? [] : r.display.shown.map(leaf).filter((x) => x && x.kind === 'question')) put(l.text);
    for (const l of bad.length ? [] : r.display.shown.map(leaf).filter((x) => x && x.kind === 'claim')) {
      put(l.text); put(RUNGS[l.rung || l.role] || l.rung);
      for (const c of l.cites.map(leaf).filter(Boolean)) {
        put(c.handle); put(c.label + (c.contradicts ? ', speaks against the claim' : ''));
        if (c.title) put(c.title);
        if (c.date) put(c.date);
        const pieces = c.chunks.map(leaf).map((k) => k ? k.text : null).filter((k, i, all) => k !== null || i === 0 || all[i - 1] !== null);
        const quote = pieces.map((k, i) => k !== null ? k : i ? ' […] ' : '[…] ').join('').trim();
        if (quote && bare(quote) === bare(l.text)) continue; // it is not shown twice
        let run = '', on = false; // pieces side by side are one
        for (const k of c.chunks.map(leaf).concat(undefined)) { if (k) { run += k.text; on = true; } else if (on) { put(run); run = ''; on = false; } }
      }
    }
    for (const l of bad.length ? [] : r.display.shown.map(leaf).filter((x) => x && x.kind === 'removed')) { put(l.topic); put(l.reason); }
    for (const l of bad.length ? [] : r.display.shown.map(leaf).filter((x) => x && x.kind === 'refusal')) { put(l.refusal_kind); put(l.message); l.suggestions.forEach(put); if (l.topic) put(l.topic); }
    const seen = Array.from(document.querySelectorAll('#answer [data-said]')).filter((e) => !e.textContent.trim() || e.getClientRects().length).map((e) => e.textContent.replace(/\s+/g, ' ').trim());
    if (bad.length) say(false, 'INVALID. ' + bad.map((a) => a.axis + ': ' + a.detail).join('; '));
    else if (JSON.stringify(seen) !== JSON.stringify(want)) say(false, 'INVALID. This page does not show what the bundle in it says.');
    else say(true, 'Checked in this browser: internally consistent, and this page shows what the bundle says. Signed by ' + by + ': compare with your trust root. Whether that key counts is for you to say.');
  } catch (e) { say(false, 'INVALID. The bundle in this page could not be read.'); }
})();
