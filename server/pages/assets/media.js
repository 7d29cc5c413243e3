// A part of a picture or a recording: a rectangle that the reader draws, and an address
// that ends in #xywh=… or #t=….
(function () {
  'use strict';
  const figure = document.getElementById('medium'), field = document.getElementById('xywh'), svg = figure && figure.querySelector('svg.regions'), played = figure && figure.querySelector('audio, video');
  if (!figure) return;
  let drawn = null, end = 0;
  const endOf = (hash) => parseFloat((new URLSearchParams(hash.slice(1)).get('t') || '').split(',')[1]) || 0;
  const stop = () => { if (end && !played.paused && played.currentTime >= end) { end = 0; played.pause(); } };
  const watch = () => { stop(); if (end && !played.paused) setTimeout(watch, 20); };
  // Timers are late in a tab that is not seen; timeupdate is not.
  if (played) { end = endOf(new URL(played.src).hash); played.addEventListener('play', watch); played.addEventListener('timeupdate', stop); }
  function draw(x, y, w, h) {
    if (!drawn) { drawn = document.createElementNS('http://www.w3.org/2000/svg', 'rect'); drawn.setAttribute('class', 'asked'); svg.append(drawn); }
    for (const [name, v] of Object.entries({ x, y, width: w, height: h })) drawn.setAttribute(name, v);
  }
  function show() {
    const at = new URLSearchParams(location.hash.slice(1)), t = parseFloat(at.get('t')), box = /^(pixel:|percent:)?([\d.]+),([\d.]+),([\d.]+),([\d.]+)$/.exec(at.get('xywh') || '');
    if (played && t >= 0) { const seek = () => { played.currentTime = t; end = endOf(location.hash); }; if (played.readyState) seek(); else played.addEventListener('loadedmetadata', seek, { once: true }); played.scrollIntoView({ block: 'center' }); }
    if (!svg || !box || location.search.includes('xywh')) return;
    const full = svg.viewBox.baseVal, n = box.slice(2).map(Number), of = box[1] === 'percent:' ? [full.width / 100, full.height / 100] : [1, 1];
    draw(n[0] * of[0], n[1] * of[1], n[2] * of[0], n[3] * of[1]);
    figure.scrollIntoView({ block: 'center' });
  }
  addEventListener('hashchange', show);
  show();
  // The time of a line plays there; the line that is spoken is marked.
  const stamps = [...document.querySelectorAll('.stamp')], begin = (a) => parseFloat(new URLSearchParams(a.hash.slice(1)).get('t')) || 0;
  for (const a of stamps) a.addEventListener('click', (e) => { if (!played) return; e.preventDefault(); end = 0; played.currentTime = begin(a); played.play(); });
  if (played) played.addEventListener('timeupdate', () => {
    let now = null;
    for (const a of stamps) { a.parentElement.classList.remove('now'); if (begin(a) <= played.currentTime) now = a; }
    if (now && !played.paused) now.parentElement.classList.add('now');
  });
  if (!svg || !field) return;
  let from = null;
  const pointOf = (e) => { const r = svg.getBoundingClientRect(), full = svg.viewBox.baseVal; return [Math.min(1, Math.max(0, (e.clientX - r.left) / r.width)) * full.width, Math.min(1, Math.max(0, (e.clientY - r.top) / r.height)) * full.height].map(Math.round); };
  svg.addEventListener('pointerdown', (e) => { if (e.button || e.target.closest('a')) return; e.preventDefault(); from = pointOf(e); svg.setPointerCapture(e.pointerId); });
  svg.addEventListener('pointermove', (e) => {
    if (!from) return;
    const to = pointOf(e), x = Math.min(from[0], to[0]), y = Math.min(from[1], to[1]), w = Math.abs(from[0] - to[0]), h = Math.abs(from[1] - to[1]);
    if (w && h) { draw(x, y, w, h); field.value = [x, y, w, h].join(); }
  });
  svg.addEventListener('pointerup', () => { from = null; });
})();
