// One trial over time. Its repeats are shown end to end, without the gaps in which
// other trials ran. Warm-ups are shaded.
import { amount, moment, tick } from './format.js';
import { axis, draw, hint, tooltip } from './plot.js';

export function timeline(element, series) {
  const laid = lay(series.segments);
  draw(element, (width, printing) => options(series, laid, width, printing));
}

/** Gives each segment its place on the axis of measured seconds. */
function lay(segments) {
  let from = 0;
  return segments.map((s) => {
    const placed = { ...s, left: from, right: from + Math.max(s.to - s.from, 1e-3) };
    placed.points = s.points.map(([t, v]) => [from + t - s.from, v, t]);
    from = placed.right;
    return placed;
  });
}

function options(series, laid, width) {
  const end = laid.length ? laid[laid.length - 1].right : 1;
  const joined = (warmup) => laid.filter((s) => s.warmup === warmup).flatMap((s) => [...s.points, [s.right, null]]);
  // A label is drawn only if its repeat is wide enough.
  const room = (s) => ((s.right - s.left) / end) * (width - 80);
  const name = (s) => (s.warmup ? 'warm-up' : s.title);
  const label = (s) => (laid.length > 1 && room(s) > 6 * name(s).length + 4 ? name(s) : '');
  // A single sample makes no visible line.
  const few = laid.some((s) => s.points.length < 3);
  const line = (data, more) => ({
    type: 'line', data, showSymbol: few, showAllSymbol: true, symbol: 'circle', symbolSize: 5, connectNulls: false,
    emphasis: { disabled: true }, ...more,
  });
  return {
    grid: { left: 66, right: 12, top: laid.length > 1 ? 22 : 10, bottom: 26 },
    tooltip: tooltip((params) => {
      const p = params.find((q) => q.data[1] !== null) || params[0];
      const [x, v, t] = p.data;
      const s = laid.find((l) => x >= l.left && x <= l.right);
      if (v === null || !s) return '';
      return hint(`${s.warmup ? 'warm-up, not counted' : s.title || 'measured'}, ${moment(t)} into the run`, [[p.color, '', amount(v, series.unit)]]);
    }),
    dataZoom: [{ type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: 'ctrl', moveOnMouseWheel: false, preventDefaultMouseMove: false, filterMode: 'none' }],
    xAxis: axis({ min: 0, max: end, splitLine: { show: false }, axisLabel: { formatter: (v) => `${Number(v.toFixed(1))} s`, showMaxLabel: false } }),
    yAxis: axis({ min: series.unit === '°C' ? undefined : 0, splitNumber: 3, axisLabel: { formatter: (v) => tick(v, series.unit) } }),
    series: [
      line(joined(false), {
        color: 'var(--c0)', lineStyle: { color: 'var(--c0)', width: 1.5 },
        markArea: {
          silent: true,
          label: { position: 'top', distance: 3, color: 'var(--muted)', fontSize: 10 },
          data: laid.map((s, i) => [
            { name: label(s), xAxis: s.left, itemStyle: { color: s.warmup ? 'var(--warm)' : i % 2 ? 'var(--band)' : 'transparent' } },
            { xAxis: s.right },
          ]),
        },
      }),
      line(joined(true), { color: 'var(--muted)', lineStyle: { color: 'var(--muted)', width: 1.5, type: [3, 2] } }),
    ],
  };
}
