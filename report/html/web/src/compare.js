// Two or more columns of one figure in one plot: latency by percentile, and how
// much of all is at most so much. How a column's line looks comes with the data,
// for the page shows it too.
import { amount, nines, tick } from './format.js';
import { axis, draw, hint, tooltip } from './plot.js';

const MARKS = [[0, '0'], [50, '50'], [90, '90'], [99, '99'], [99.9, '99.9'], [99.99, '99.99'], [99.999, '99.999']];
const GRID = { left: 62, right: 16, top: 12, bottom: 40 };

/** Latency by percentile: nines on the x axis, logarithmic seconds on the y axis. */
export function percentiles(element, plot) {
  const lines = plot.lines.map((l) => ({ ...l, data: l.points.filter((p) => p[1] > 0).map(([p, v]) => [nines(p, l.count), v, p]) }));
  draw(element, () => {
    const right = Math.max(1.2, ...lines.flatMap((l) => l.data.map((p) => p[0])));
    const marks = MARKS.map(([p, text]) => [nines(p, 1), text]).filter(([x]) => x <= right + 0.05);
    const at = marks.map(([x]) => x);
    return {
      grid: GRID,
      tooltip: tooltip((params) => {
        const p = 100 * (1 - 10 ** -params[0].axisValue);
        return hint(`${percent(p)} took at most`, params.map((r) => [r.color, r.seriesName, amount(r.data[1], plot.unit)]));
      }),
      xAxis: axis({
        min: 0, max: right + 0.05, ...named('percentile (%)'), interval: 1,
        axisLabel: { customValues: at, formatter: (v) => (marks.find(([x]) => Math.abs(x - v) < 1e-6) || [0, ''])[1] },
        axisTick: { customValues: at },
        splitLine: { show: true, lineStyle: { color: 'var(--line)' } },
      }),
      yAxis: axis(logarithmic(common(plot), plot.unit)),
      series: lines.map((l) => series(l, l.data)),
    };
  });
}

/** The share of operations that took at most so long, on logarithmic seconds. */
export function cdf(element, plot) {
  distribution(element, plot, () => logarithmic(common(plot), plot.unit));
}

/** The share of repeats that are at most so much, as the steps that they are. */
export function spread(element, plot) {
  distribution(element, plot, (values, width) => linear(values, plot.unit, width), 'end');
}

/** The values of an axis: a stray operation in a thousand must not stretch it downwards. */
function common(plot) {
  return plot.lines.flatMap((l) => {
    const points = l.points.filter(([, v]) => v > 0);
    const usual = points.filter(([p]) => p >= 0.1);
    return (usual.length ? usual : points).map(([, v]) => v);
  });
}

function distribution(element, plot, scale, step) {
  const lines = plot.lines.map((l) => ({ ...l, data: climb(l.points.map(([p, v]) => [v, p]).filter(([v]) => v > 0 || step), step) }));
  const values = lines.flatMap((l) => l.data.map((p) => p[0]));
  draw(element, (width) => ({
    grid: GRID,
    tooltip: tooltip((params) => hint(`at most ${amount(params[0].axisValue, plot.unit)}`,
      params.map((r) => [r.color, r.seriesName, percent(r.data[1])]))),
    xAxis: axis({ ...scale(values, width), splitLine: { show: true, lineStyle: { color: 'var(--line)' } } }),
    yAxis: axis({ min: 0, max: 100, interval: 25, axisLabel: { formatter: (v) => `${v} %` } }),
    series: lines.map((l) => series(l, l.data, step)),
  }));
}

/** Steps begin at nothing: the first value is a rise of its own. */
function climb(points, step) {
  return step && points.length ? [[points[0][0], 0], ...points] : points;
}

function series(line, data, step) {
  const dash = line.dash ? line.dash.split(' ').map(Number) : 'solid';
  return {
    type: 'line', name: line.letter, data, step, color: line.colour,
    lineStyle: { color: line.colour, type: dash, width: 2 }, itemStyle: { color: line.colour },
    showSymbol: false, symbol: 'circle', symbolSize: 6, emphasis: { disabled: true },
  };
}

function named(name) {
  return { name, nameLocation: 'middle', nameGap: 26 };
}

/** A logarithmic axis from decade to decade, or closer where all is within one. */
function logarithmic(values, unit) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return {
    type: 'log', logBase: 10,
    min: 10 ** Math.floor(Math.log10(low)), max: 10 ** Math.ceil(Math.log10(high * 1.0001)),
    axisLabel: { formatter: (v) => tick(v, unit) },
    minorTick: { show: true, splitNumber: 9, lineStyle: { color: 'var(--line-strong)' } },
  };
}

/** A linear axis around the values, with few ticks where there is little room. */
function linear(values, unit, width) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const margin = (high - low || Math.abs(high) || 1) * 0.06;
  return {
    min: low - margin, max: high + margin, splitNumber: Math.max(2, Math.floor(width / 110)),
    axisLabel: { formatter: (v) => tick(v, unit), showMinLabel: false, showMaxLabel: false },
  };
}

/** As many nines as it has: "50 %", "99.93 %". */
function percent(p) {
  const digits = p > 99.9 ? 4 : p > 99 ? 2 : 1;
  return `${Number(p.toFixed(digits))} %`;
}
