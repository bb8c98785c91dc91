// The total of several hosts by how many measure at the same moment, with its
// interval, and what they would have if none disturbed another.
import { amount, tick } from './format.js';
import { axis, draw, hint, tooltip } from './plot.js';

export function scaling(element, curve) {
  const most = Math.max(...curve.totals.map((p) => p[0]));
  draw(element, () => ({
    grid: { left: 66, right: 18, top: 14, bottom: 40 },
    tooltip: tooltip((params) => {
      const k = params[0].axisValue;
      const at = (points) => (points.find((p) => p[0] === k) || [])[1];
      const rows = [['var(--c0)', 'all together', amount(at(curve.totals), curve.unit)]];
      if (at(curve.low) !== undefined) rows.push(['', 'between', `${amount(at(curve.low), curve.unit)} and ${amount(at(curve.high), curve.unit)}`]);
      if (k > 1 && at(curve.alone) !== undefined) rows.push(['var(--muted)', 'one at a time', amount(at(curve.alone), curve.unit)]);
      return hint(k === 1 ? '1 host' : `${k} hosts at once`, rows);
    }),
    xAxis: axis({
      min: 0.8, max: most + 0.2, name: 'hosts at once', nameLocation: 'middle', nameGap: 26, splitLine: { show: false },
      axisLabel: { customValues: curve.totals.map((p) => p[0]) },
      axisTick: { customValues: curve.totals.map((p) => p[0]) },
    }),
    yAxis: axis({ min: 0, splitNumber: 4, axisLabel: { formatter: (v) => tick(v, curve.unit) } }),
    series: [
      line(curve.totals, 'var(--c0)', { width: 2 }, 'circle'),
      line(curve.low, 'var(--c0)', { width: 1, type: [2, 2] }),
      line(curve.high, 'var(--c0)', { width: 1, type: [2, 2] }),
      line(curve.alone, 'var(--muted)', { width: 1.5, type: [6, 3] }),
    ],
  }));
}

function line(data, colour, style, symbol) {
  return {
    type: 'line', data, color: colour, lineStyle: { color: colour, ...style }, itemStyle: { color: colour },
    symbol: symbol || 'none', symbolSize: 7, showAllSymbol: true, emphasis: { disabled: true },
  };
}
