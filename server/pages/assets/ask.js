// The questions that were asked in this browser, newest first, kept by the browser alone.
(function () {
  'use strict';
  const key = 'muniment asked', most = 50, asked = document.getElementById('asked'), list = document.getElementById('history');
  let all = [];
  try { all = JSON.parse(localStorage.getItem(key)) || []; } catch (e) { return; } // the browser keeps nothing
  if (asked && asked.dataset.address) {
    all = [{ question: asked.textContent, address: asked.dataset.address }, ...all.filter((one) => one.question !== asked.textContent)].slice(0, most);
    try { localStorage.setItem(key, JSON.stringify(all)); } catch (e) { return; }
  }
  if (!list || !all.length) return;
  for (const one of all) {
    const a = document.createElement('a'), li = document.createElement('li');
    a.href = '/answers/' + encodeURIComponent(one.address);
    a.textContent = one.question;
    li.append(a);
    list.querySelector('ul').append(li);
  }
  list.hidden = false;
  list.querySelector('button').addEventListener('click', () => { localStorage.removeItem(key); list.hidden = true; });
})();
