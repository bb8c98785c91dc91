// Temperature, clock and load over the whole run, stacked on one time axis, with the
// trials as bands behind them.
import { amount, moment, tick } from './format.js';
import { axis, draw, hint, look, tooltip } from './plot.js';
import { legend } from './legend.js';

export function heat(element, data) {
  const temps = (data.temps || []).map((s, i) => ({ ...look(i), ...s, symbol: 'none' }));
  // Without symbols, lines need different dashes before the colours run out.
  const dashes = ['solid', [7, 3], [2, 2], [9, 3, 2, 3], [4, 2], [1, 3], [12, 4]];
  temps.forEach((t, i) => { t.dash = dashes[i % dashes.length]; });
  const shown = new Set(temps.map((_, i) => i));
  const plot = draw(element, (width, printing) => options(data, temps, shown, width, printing));
  if (temps.length > 1) legend(element.parentElement.querySelector('.legend'), temps, shown, plot.redraw);
}

function options(data, temps, shown, width, printing) {
  const rows = [];
  if (temps.length) rows.push({ name: 'temperature', weight: 2, lines: temps.filter((_, i) => shown.has(i)), unit: '°C' });
  if (data.clock) rows.push({ name: 'clock', weight: 1, lines: [{ ...data.clock, colour: 'var(--c1)', dash: 'solid' }], unit: 'Hz' });
  if (data.load) rows.push({ name: 'load', weight: 1, lines: [{ ...data.load, colour: 'var(--c4)', dash: 'solid' }], unit: 'share' });
  const all = [...temps, data.clock, data.load].filter(Boolean);
  const end = Math.max(...all.flatMap((l) => l.points.map((p) => p[0])), ...data.spans.map((s) => s.to));
  const slider = width > 640 && !printing;
  const grids = shelves(rows, slider ? 54 : 26, 400);
  const bands = {
    silent: true,
    data: data.spans.map((s, i) => [
      { xAxis: s.from, itemStyle: { color: s.warmup ? 'var(--warm)' : i % 2 ? 'var(--band)' : 'transparent' } },
      { xAxis: s.to },
    ]),
  };
  return {
    grid: grids,
    tooltip: tooltip((params) => {
      const t = params[0].axisValue;
      const span = data.spans.find((s) => t >= s.from && t <= s.to);
      const doing = span ? span.title + (span.warmup ? ' (warm-up)' : '') : 'between trials';
      return hint(`${moment(t)} ${doing}`, params.map((p) => [p.color, p.seriesName, amount(p.data[1], rows[p.axisIndex].unit)]));
    }),
    axisPointer: { link: [{ xAxisIndex: 'all' }] },
    dataZoom: [
      { type: 'inside', xAxisIndex: rows.map((_, i) => i), zoomOnMouseWheel: 'ctrl', moveOnMouseMove: 'ctrl', moveOnMouseWheel: false, preventDefaultMouseMove: false, filterMode: 'none' },
      ...(slider ? [{
        type: 'slider', xAxisIndex: rows.map((_, i) => i), height: 16, bottom: 6, left: 66, right: 12, filterMode: 'none',
        showDataShadow: false, brushSelect: false, borderColor: 'var(--line)', backgroundColor: 'transparent', fillerColor: 'var(--band)',
        handleStyle: { color: 'var(--surface)', borderColor: 'var(--line-strong)' }, moveHandleStyle: { color: 'var(--line)' },
        labelFormatter: (v) => moment(v), textStyle: { color: 'var(--muted)', fontSize: 11 },
      }] : []),
    ],
    xAxis: rows.map((_, i) => axis({
      gridIndex: i, min: 0, max: end, splitLine: { show: false },
      axisLabel: { show: i === rows.length - 1, formatter: moment, showMaxLabel: false },
      axisTick: { show: i === rows.length - 1 },
      ...beats(end, width),
    })),
    yAxis: rows.map((r, i) => axis({
      gridIndex: i, scale: r.unit === '°C', min: r.unit === '°C' ? undefined : 0, max: r.unit === 'share' ? 1 : undefined,
      splitNumber: r.weight === 2 ? 4 : 2, name: r.name, nameLocation: 'end', nameGap: 11,
      nameTextStyle: { color: 'var(--muted)', fontSize: 11, align: 'left', padding: [0, 0, 0, -54] },
      axisLabel: { formatter: (v) => tick(v, r.unit) },
    })),
    series: rows.flatMap((r, i) => r.lines.map((l, k) => ({
      type: 'line', name: l.title, data: l.points, xAxisIndex: i, yAxisIndex: i, showSymbol: false, symbol: 'circle', symbolSize: 5,
      color: l.colour, lineStyle: { color: l.colour, type: l.dash, width: 1.5 }, emphasis: { disabled: true },
      markArea: k === 0 ? bands : undefined,
    }))),
  };
}

/** Ticks on whole seconds, minutes or hours rather than on hundreds of seconds. */
function beats(end, width) {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800];
  const most = Math.max(3, width / 90);
  return { interval: steps.find((s) => end / s <= most) || 86400 };
}

/** Divides the height among the rows by their weight. */
function shelves(rows, bottom, height) {
  const gap = 36;
  const total = rows.reduce((sum, r) => sum + r.weight, 0);
  const free = height - bottom - gap * rows.length;
  let top = gap - 8;
  return rows.map((r) => {
    const own = (free * r.weight) / total;
    const grid = { left: 66, right: 12, top, height: own };
    top += own + gap;
    return grid;
  });
}
