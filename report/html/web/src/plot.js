// What all plots share: the renderer, the style and the life cycle.
//
// Colours are the page's CSS variables, written into the SVG unresolved: switching between
// light, dark and print needs no redraw.
import { init, use } from 'echarts/core';
import { LineChart } from 'echarts/charts';
import { DataZoomInsideComponent, DataZoomSliderComponent, GridComponent, MarkAreaComponent, TooltipComponent } from 'echarts/components';
import { SVGRenderer } from 'echarts/renderers';

use([LineChart, DataZoomInsideComponent, DataZoomSliderComponent, GridComponent, MarkAreaComponent, TooltipComponent, SVGRenderer]);

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif';
const PRINT_WIDTH = 690; // px, the text width of A4 with the page's margins

export const COLOURS = 7; // --c0 … --c6 in the style sheet
const DASHES = ['solid', [6, 3], [2, 2], [9, 3, 2, 3]];
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle'];

/** How the n-th line looks: never told apart by its colour alone. */
export function look(n) {
  return {
    colour: `var(--c${n % COLOURS})`,
    dash: DASHES[Math.floor(n / COLOURS) % DASHES.length],
    symbol: SYMBOLS[(n + Math.floor(n / COLOURS)) % SYMBOLS.length],
  };
}

export function axis(more) {
  return {
    type: 'value',
    axisLine: { lineStyle: { color: 'var(--line-strong)' } },
    axisTick: { lineStyle: { color: 'var(--line-strong)' } },
    splitLine: { lineStyle: { color: 'var(--line)' } },
    nameTextStyle: { color: 'var(--muted)', fontSize: 11 },
    ...more,
    axisLabel: { color: 'var(--muted)', fontSize: 11, hideOverlap: true, ...more.axisLabel },
  };
}

export function tooltip(formatter) {
  return {
    trigger: 'axis',
    confine: true,
    transitionDuration: 0,
    backgroundColor: 'var(--surface)',
    borderColor: 'var(--line-strong)',
    textStyle: { color: 'var(--text)', fontSize: 12, fontFamily: FONT },
    extraCssText: 'max-width:min(30rem,92vw);white-space:normal;box-shadow:0 2px 8px rgb(0 0 0/.15)',
    axisPointer: { type: 'line', lineStyle: { color: 'var(--muted)', type: 'dashed' }, label: { show: false } },
    formatter,
  };
}

/** The inside of a tooltip. Elements, never markup: names come from outside. */
export function hint(title, rows) {
  const box = document.createElement('div');
  box.className = 'hint';
  const head = box.appendChild(document.createElement('b'));
  head.textContent = title;
  for (const [colour, name, value] of rows) {
    const line = box.appendChild(document.createElement('div'));
    const dot = line.appendChild(document.createElement('i'));
    if (colour) dot.style.background = colour;
    line.appendChild(document.createElement('span')).textContent = name;
    line.appendChild(document.createElement('b')).textContent = value;
  }
  return box;
}

const alive = [];

/**
 * Draws into an element and keeps the drawing as wide as it. optionsFor is
 * asked again whenever the width changes, so that a phone gets fewer ticks.
 */
export function draw(element, optionsFor) {
  const chart = init(element, null, { renderer: 'svg' });
  let width = 0;
  const fit = (to, printing) => {
    if (!to || (to === width && !printing)) return;
    width = to;
    chart.resize({ width: to });
    chart.setOption({ animation: false, textStyle: { fontFamily: FONT }, ...optionsFor(to, printing) }, { notMerge: true });
    scalable(element);
  };
  fit(element.clientWidth, false);
  new ResizeObserver(() => { if (!matchMedia('print').matches) fit(element.clientWidth, false); }).observe(element);
  alive.push({ element, fit, forget: () => { width = 0; } });
  return { redraw: () => { width = 0; fit(element.clientWidth, false); } };
}

/** A drawing that is put on paper shrinks rather than being cut. */
function scalable(element) {
  const svg = element.querySelector('svg');
  if (svg) svg.setAttribute('viewBox', `0 0 ${svg.getAttribute('width')} ${svg.getAttribute('height')}`);
}

export function beforePrint() {
  for (const p of alive) {
    const share = p.element.closest('.pair') ? 0.48 : 1;
    p.fit(Math.round(PRINT_WIDTH * share), true);
  }
}

export function afterPrint() {
  for (const p of alive) {
    p.forget();
    p.fit(p.element.clientWidth, false);
  }
}
