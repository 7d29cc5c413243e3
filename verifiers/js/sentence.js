// What the verdict of verify.js means, in one sentence for people, and which words were changed. The program says
// the same words of the same verdict (audit/sentence.go); a test compares them.
(function (root) {
  'use strict';
  const V = root.munimentVerify || require('../verify.js');
  const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const NOT = 'Not a bundle: nothing in this file was signed by an archive.';
  const latin = (b) => { let s = ''; for (let i = 0; i < b.length; i += 8192) s += String.fromCharCode(...b.subarray(i, i + 8192)); return s; };

  // isBundle reports whether a file is a bundle, however damaged, or evidence of two histories.
  function isBundle(bytes) {
    const text = latin(bytes);
    return text.startsWith('<!doctype html>\n<html lang="en" data-muniment="') || text.startsWith('muniment/log-conflict/') || (text.startsWith('PK\x03\x04') && text.includes('SHA256SUMS') && (text.includes('statement') || text.includes('evidence.json')));
  }
  function signedBy(r, own) {
    const names = r.signers.map((s) => s.allowed ? s.allowed.principals.join(',') : 'the key ' + s.fingerprint.slice(0, 17) + '…');
    const who = own ? 'this archive' : names.join(' and ') || 'somebody', at = r.statement && /^(\d{4})-(\d\d)-(\d\d)T/.exec(r.statement.issued);
    return at ? `${who} on ${Number(at[3])} ${MONTHS[at[2] - 1]} ${at[1]}` : who;
  }
  // sentence returns the verdict of verify in words; own says that a key of the archive that the reader looks at has signed.
  function sentence(r, own) {
    const of = (name) => (r.axes.find((a) => a.axis === name) || {}).verdict, fails = r.axes.some((a) => a.verdict === 'FAIL' && a.axis !== 'signer threshold' && a.axis !== 'archive');
    if (of('integrity') === 'FAIL' || r.signers.some((s) => !s.correct)) return 'Forged or damaged: this is not what was signed. Do not rely on it.';
    const signed = signedBy(r, own);
    if (fails) return 'Signed by ' + signed + ', but a check failed. Do not rely on it.';
    if (of('archive') === 'FAIL') return 'Unchanged since it was signed by ' + signed + ', but it is of another archive than the one that is trusted here.';
    if (of('signer threshold') === 'FAIL') return 'Unchanged since it was signed by ' + signed + ', but nobody here vouches for that key.';
    if (of('integrity') !== 'PASS' || (r.verdict === 'INCOMPLETE' && of('signer threshold') === 'PASS')) return 'Signed by ' + signed + '. It has parts that were not checked here.';
    if (r.verdict === 'INCOMPLETE') return 'Unchanged since it was signed by ' + signed + '. Whose key that is, compare with what the archive publishes.';
    return 'Signed by ' + signed + ', and unchanged since' + (r.verdict === 'VALID' ? '.' : '; parts of the answer are left out of this copy.');
  }

  // The words that were changed: leaves with another hash than the list has, and words of a page that the bundle in it does not give.
  function storedFiles(b) { // of a zip, leniently; null for one that somebody packed again
    const v = new DataView(b.buffer, b.byteOffset, b.length), files = new Map();
    for (let o = 0; o + 30 <= b.length && v.getUint32(o, true) === 0x04034b50;) {
      const n = v.getUint16(o + 26, true), more = v.getUint16(o + 28, true), size = v.getUint32(o + 18, true), start = o + 30 + n + more;
      if (v.getUint16(o + 8, true) !== 0 || start + size > b.length) return null;
      files.set(latin(b.subarray(o + 30, o + 30 + n)), b.subarray(start, start + size));
      o = start + size;
    }
    return files;
  }
  function leafWords(bytes) {
    try { const l = JSON.parse(V.utf8(bytes)); return String(l.text || l.quote || l.message || l.topic || l.title || '').slice(0, 2000); } catch (e) { return ''; }
  }
  function runs(page) {
    const walk = root.document.createTreeWalker(new root.DOMParser().parseFromString(page, 'text/html'), 4), out = [];
    for (let t = walk.nextNode(); t; t = walk.nextNode()) { const s = t.data.trim(); if (s && !/^(SCRIPT|STYLE)$/.test(t.parentElement.tagName)) out.push(s); }
    return out;
  }
  function changes(bytes) {
    try {
      let packed = bytes, page = null;
      if (V.isPage(bytes)) [page, packed] = V.zipOfPage(bytes);
      const files = storedFiles(packed), sums = files && files.get('SHA256SUMS'), out = [];
      if (!sums) return out;
      for (const line of latin(sums).split('\n')) {
        const [sum, name] = line.split('  '), leaf = files.get(name);
        if (!leaf || V.digest(leaf) === sum) continue;
        const words = leafWords(leaf); // the excerpt of a claim that quotes it is said once
        if (!words || !out.some((c) => c.now.includes(words))) out.push({ where: name, now: words });
      }
      if (out.length || page === null || !root.DOMParser) return out.slice(0, 8);
      const was = runs(V.utf8(V.pageBytes(packed, page))), now = runs(page);
      if (was.length === now.length) { was.forEach((w, i) => { if (w !== now[i]) out.push({ where: 'page', now: now[i], was: w }); }); return out.slice(0, 8); }
      while (was.length && now.length && was[0] === now[0]) { was.shift(); now.shift(); }
      while (was.length && now.length && was[was.length - 1] === now[now.length - 1]) { was.pop(); now.pop(); }
      if (was.length || now.length) out.push({ where: 'page', now: now.join('\n').slice(0, 2000), was: was.join('\n').slice(0, 2000) });
      return out;
    } catch (e) { return []; }
  }
  // marked returns the words of a with those marked that b does not have in their order: [text, differs] pairs.
  function marked(a, b) {
    const cut = (s) => s.match(/\s+|[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*|./gu) || [], x = cut(a), y = cut(b), blank = (w) => !w.trim(), like = (v, w) => v === w || (blank(v) && blank(w)), rows = [new Uint16Array(y.length + 1)];
    for (let i = x.length - 1; i >= 0; i--) { const row = new Uint16Array(y.length + 1), next = rows[0]; for (let j = y.length - 1; j >= 0; j--) row[j] = like(x[i], y[j]) ? next[j + 1] + 1 : Math.max(next[j], row[j + 1]); rows.unshift(row); }
    const out = [];
    for (let i = 0, j = 0; i < x.length;) {
      if (j < y.length && like(x[i], y[j])) { out.push([x[i++], false]); j++; } else if (j < y.length && rows[i][j + 1] >= rows[i + 1][j]) j++; else { out.push([x[i], !blank(x[i])]); i++; }
    }
    return out;
  }
  const api = { sentence, isBundle, changes, marked, NOT };
  if (typeof module === 'object' && module.exports) module.exports = api; else root.munimentSentence = api;
})(typeof window === 'object' ? window : globalThis);
