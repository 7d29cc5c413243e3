// The keys of the page: f follows, n does not follow, ? unsure, Enter goes on, b goes back. In a field they are text.
(function () {
  'use strict';
  let sent = false;
  addEventListener('pageshow', () => { sent = false; });
  addEventListener('keydown', (e) => {
    if (sent || e.ctrlKey || e.altKey || e.metaKey || e.target.closest('input,select,textarea,button,a')) return;
    if (e.key === 'b') { history.back(); return; }
    const act = Array.from(document.querySelectorAll('[data-key]')).find((a) => a.dataset.key === e.key);
    if (!act) return;
    e.preventDefault();
    sent = true;
    act.click();
  });
})();
