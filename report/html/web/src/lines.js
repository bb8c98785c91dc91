// Line plots: latency by percentile, distributions, scaling. The data say how each axis
// is scaled.
import { amount, nines, tick } from './format.js';
import { axis, draw, hint, look, tooltip } from './plot.js';
import { legend } from './legend.js';

const MARKS = [[0, '0'], [50, '50'], [90, '90'], [99, '99'], [99.9, '99.9'], [99.99, '99.99'], [99.999, '99.999']];
const AT_ONCE = 8; // more lines than this are a thicket: the rest wait in the legend

export function lines(element, plot) {
  const own = plot.lines.filter((l) => !l.dashed);
  const all = plot.lines.map((l) => {
    if (l.dashed) return { ...l, colour: 'var(--muted)', dash: [5, 4], symbol: 'none', points: place(l, plot) };
    return { ...l, ...look(own.indexOf(l)), points: place(l, plot) };
  });
  const shown = new Set([...all.keys()].slice(0, AT_ONCE));
  const drawn = draw(element, (width) => options(width, plot, all.filter((_, i) => shown.has(i)), all));
  if (all.length > 1 || all[0].title) legend(element.parentElement.querySelector('.legend'), all, shown, drawn.redraw);
}

/** Points where they are drawn, with what they were as a third. */
function place(line, plot) {
  const points = [];
  let last = 0;
  for (const [x, y] of line.points) {
    if (plot.y.scale === 'log' && !(y > 0) || plot.x.scale === 'log' && !(x > 0)) continue;
    if (plot.x.scale === 'nines') {
      last = nines(x, line.count || 1, last + 0.01);
      points.push([last, y, x]);
    } else {
      points.push([x, y, x]);
    }
  }
  return points;
}

function options(width, plot, shown, all) {
  const ys = shown.flatMap((l) => [...l.points, ...(l.low || []), ...(l.high || [])].map((p) => p[1])).filter((y) => plot.y.scale !== 'log' || y > 0);
  const xs = all.flatMap((l) => l.points.map((p) => p[0]));
  const few = all.every((l) => l.points.length <= 60);
  return {
    grid: { left: 66, right: 18, top: 14, bottom: 40 },
    tooltip: tooltip((params) => {
      const rows = params.filter((r) => r.seriesIndex < shown.length).sort((a, b) => b.data[1] - a.data[1]);
      return hint(heading(plot.x, rows[0].data[2]), rows.map((r) => [r.color, r.seriesName, amount(r.data[1], plot.y.unit) + between(shown[r.seriesIndex], r.data[2], plot.y.unit)]));
    }),
    xAxis: axis({ ...scaled(plot.x, xs, width, true), splitLine: { show: plot.x.scale === 'nines', lineStyle: { color: 'var(--line)' } } }),
    yAxis: axis(scaled(plot.y, ys, width, false)),
    series: [...shown.map((l) => ({
      type: 'line', name: l.title, data: l.points, color: l.colour, step: l.steps ? 'end' : undefined,
      lineStyle: { color: l.colour, type: l.dash, width: l.dashed ? 1 : 2 }, itemStyle: { color: l.colour },
      symbol: l.symbol, symbolSize: width < 500 ? 5 : 7, showSymbol: few && !l.dashed, showAllSymbol: true, emphasis: { disabled: true },
    })), ...shown.flatMap(edges)],
  };
}

/** The two ends of the intervals of a line, thin beside it. */
function edges(line) {
  return [line.low, line.high].filter(Boolean).map((data) => ({
    type: 'line', data, color: line.colour, lineStyle: { color: line.colour, type: [2, 2], width: 1 },
    symbol: 'none', silent: true, tooltip: { show: false }, emphasis: { disabled: true },
  }));
}

/** The interval of the point at x in words. */
function between(line, x, unit) {
  const at = (points) => ((points || []).find((p) => p[0] === x) || [])[1];
  return line && at(line.low) !== undefined ? `, ${amount(at(line.low), unit)} to ${amount(at(line.high), unit)}` : '';
}

function heading(x, value) {
  if (x.scale === 'nines') return value === 100 ? 'slowest operation' : `${Number(value.toPrecision(7))} % took at most`;
  return [x.unit ? amount(value, x.unit) : String(value), x.name].filter(Boolean).join(' ');
}

/** An axis as its scale asks for. */
function scaled(a, values, width, across) {
  const named = across && a.name ? { name: a.name, nameLocation: 'middle', nameGap: 26 } : {};
  const low = values.length ? Math.min(...values) : 0;
  const high = values.length ? Math.max(...values) : 1;
  if (a.scale === 'nines') {
    const right = Math.max(1.2, high);
    const marks = MARKS.map(([p, text]) => [nines(p, 1), text]).filter(([x]) => x <= right + 0.05);
    const at = marks.map(([x]) => x);
    return {
      ...named, min: 0, max: right + 0.1, interval: 1, axisTick: { customValues: at },
      axisLabel: { customValues: at, formatter: (v) => (marks.find(([x]) => Math.abs(x - v) < 1e-6) || [0, ''])[1] },
    };
  }
  if (a.scale === 'log') {
    return {
      ...named, type: 'log', logBase: 10,
      min: 10 ** Math.floor(Math.log10(low || 1e-6)), max: 10 ** Math.ceil(Math.log10((high || 1) * 1.0001)),
      axisLabel: { formatter: (v) => tick(v, a.unit) },
      minorTick: { show: true, splitNumber: 9, lineStyle: { color: 'var(--line-strong)' } },
    };
  }
  if (a.scale === 'counts') {
    const at = [...new Set(values)];
    return { ...named, min: low - 0.2, max: high + 0.2, axisLabel: { customValues: at }, axisTick: { customValues: at } };
  }
  const margin = (high - low || Math.abs(high) || 1) * 0.06;
  return {
    ...named, splitNumber: across ? Math.max(2, Math.floor(width / 110)) : 4,
    ...(across ? { min: low - margin, max: high + margin } : { min: a.unit === '°C' ? undefined : 0 }),
    axisLabel: { formatter: (v) => tick(v, a.unit), ...(across ? { showMinLabel: false, showMaxLabel: false } : {}) },
  };
}
