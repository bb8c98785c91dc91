// Latency by percentile: nines on the x axis, logarithmic seconds on the y axis.
import { duration, nines, tick } from './format.js';
import { axis, draw, hint, look, tooltip } from './plot.js';
import { legend } from './legend.js';

const MARKS = [[50, '50'], [90, '90'], [99, '99'], [99.9, '99.9'], [99.99, '99.99'], [99.999, '99.999']];
const AT_ONCE = 8; // more lines than this are a thicket: the rest wait in the legend

export function latency(element, curves) {
  const lines = curves.map((c, i) => ({ ...look(i), title: c.title, points: place(c) }));
  const shown = new Set([...lines.keys()].slice(0, AT_ONCE));
  const plot = draw(element, (width) => options(width, lines, shown));
  legend(element.parentElement.querySelector('.legend'), lines, shown, plot.redraw);
}

/** Points on the axis of nines: [x, seconds, percentile]. Zero has no logarithm. */
function place(curve) {
  const points = [];
  let last = 0;
  for (const [p, seconds] of curve.points) {
    if (!(seconds > 0)) continue;
    last = nines(p, curve.count, last + 0.15);
    points.push([last, seconds, p]);
  }
  return points;
}

function options(width, lines, shown) {
  const right = Math.max(1.2, ...lines.flatMap((l) => l.points.map((p) => p[0])));
  const marks = MARKS.map(([p, text]) => [nines(p, 1), text]).filter(([x]) => x <= right + 0.05);
  const at = marks.map(([x]) => x);
  const visible = lines.filter((_, i) => shown.has(i));
  const seconds = visible.flatMap((l) => l.points.map((p) => p[1]));
  return {
    grid: { left: 58, right: 18, top: 14, bottom: 40 },
    tooltip: tooltip((params) => {
      const rows = params.slice().sort((a, b) => b.data[1] - a.data[1]);
      const p = rows[0].data[2];
      return hint(p === 100 ? 'slowest operation' : `${p} % took at most`,
        rows.map((r) => [r.color, r.seriesName, duration(r.data[1])]));
    }),
    xAxis: axis({
      min: 0, max: right + 0.1, name: 'percentile (%)', nameLocation: 'middle', nameGap: 26,
      axisLabel: { customValues: at, formatter: (v) => (marks.find(([x]) => Math.abs(x - v) < 1e-6) || [0, ''])[1], hideOverlap: true },
      axisTick: { customValues: at },
      splitLine: { show: true, lineStyle: { color: 'var(--line)' } },
      interval: 1,
    }),
    yAxis: axis({
      type: 'log', logBase: 10,
      min: seconds.length ? 10 ** Math.floor(Math.log10(Math.min(...seconds))) : 1e-6,
      max: seconds.length ? 10 ** Math.ceil(Math.log10(Math.max(...seconds))) : 1,
      axisLabel: { formatter: (v) => tick(v, 's') },
      minorTick: { show: true, splitNumber: 9, lineStyle: { color: 'var(--line-strong)' } },
    }),
    series: visible.map((l) => ({
      type: 'line', name: l.title, data: l.points, color: l.colour,
      lineStyle: { color: l.colour, type: l.dash, width: 2 },
      itemStyle: { color: l.colour },
      symbol: l.symbol, symbolSize: width < 500 ? 5 : 7, showAllSymbol: true,
      emphasis: { disabled: true },
    })),
  };
}
