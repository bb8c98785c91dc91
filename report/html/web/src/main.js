// The page is complete without this: it adds the plots, the theme switch, and what
// printing needs.
import { afterPrint, beforePrint } from './plot.js';
import { timeline } from './timeline.js';
import { heat } from './heat.js';
import { lines } from './lines.js';

const root = document.documentElement;

// Errors are kept in the page, where tests and readers can see them.
const note = (what) => { root.dataset.errors = [root.dataset.errors, String(what)].filter(Boolean).join('; '); };
addEventListener('error', (e) => note(e.message));
addEventListener('unhandledrejection', (e) => note(e.reason));
addEventListener('securitypolicyviolation', (e) => note(`blocked by policy: ${e.violatedDirective}`));

root.classList.add('js');
theme();
const data = JSON.parse(document.getElementById('plot-data').textContent);
const waiting = [...document.querySelectorAll('[data-plot]')];
drawVisible();
for (const d of document.querySelectorAll('details')) d.addEventListener('toggle', drawVisible);
printing();

/** Draws what is not inside a closed part of the page; that follows when it opens. */
function drawVisible() {
  for (let i = 0; i < waiting.length;) {
    const element = waiting[i];
    if (element.closest('details:not([open])')) { i++; continue; }
    waiting.splice(i, 1);
    try {
      plot(element);
      root.dataset.plots = String(Number(root.dataset.plots || 0) + 1);
    } catch (e) {
      note(e && e.message);
      element.textContent = 'this plot could not be drawn; its numbers are in the tables';
    }
  }
}

function plot(element) {
  const drawing = data.plots[Number(element.dataset.plot)];
  switch (drawing.kind) {
    case 'lines': return lines(element, drawing);
    case 'joined': return timeline(element, drawing);
    case 'whole': return heat(element, shelved(drawing));
  }
}

/** Quantities over the whole run: temperatures, and below them a clock and a load. */
function shelved(drawing) {
  const of = (unit) => drawing.lines.filter((l) => l.unit === unit);
  return { temps: of('°C'), clock: of('Hz')[0], load: (of('share')[0] || of('1')[0]), spans: drawing.spans || [] };
}

/** Follows the system until the reader chooses; #dark and #light choose too. */
function theme() {
  const button = document.getElementById('theme');
  const order = ['auto', 'light', 'dark'];
  const set = (t) => {
    if (t === 'auto') delete root.dataset.theme;
    else root.dataset.theme = t;
    button.textContent = `theme: ${t}`;
  };
  set(order.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'auto');
  button.hidden = false;
  button.addEventListener('click', () => set(order[(order.indexOf(root.dataset.theme || 'auto') + 1) % 3]));
}

/** Paper has nothing to click: every part is opened, and closed again after. */
function printing() {
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open]):not(.licences)')];
    for (const d of opened) d.open = true;
    drawVisible();
    beforePrint();
  });
  addEventListener('afterprint', () => {
    for (const d of opened) d.open = false;
    afterPrint();
  });
}
