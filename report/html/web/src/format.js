// Formats numbers on axes and in tooltips, consistently with the tables, which assay
// itself writes.

/** Three significant digits, never an exponent. */
export function significant(v) {
  if (v === 0) return '0';
  const r = Number(v.toPrecision(3));
  const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(r))), 0), 6);
  return r.toFixed(decimals);
}

/** A duration in seconds: "412 µs", "7.24 ms", "1.50 s". */
export function duration(v) {
  const a = Math.abs(v);
  if (a === 0) return '0 s';
  if (a < 1e-6) return `${significant(v * 1e9)} ns`;
  if (a < 1e-3) return `${significant(v * 1e6)} µs`;
  if (a < 1) return `${significant(v * 1e3)} ms`;
  if (a < 120) return `${significant(v)} s`;
  if (a < 7200) return `${significant(v / 60)} min`;
  return `${significant(v / 3600)} h`;
}

/** A moment of the run: "0:07", "12:30", "1:02:03". */
export function moment(seconds) {
  const s = Math.max(0, Math.round(seconds));
  const two = (n) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600);
  const m = Math.floor((s % 3600) / 60);
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** A value in one of assay's base units. */
export function amount(v, unit) {
  switch (unit) {
    case 's': return duration(v);
    case '°C': return `${v.toFixed(1)} °C`;
    case 'share': return `${(100 * v).toFixed(0)} %`;
    case '1/s': return `${prefixed(v, '')} /s`;
    case '1': case '': return significant(v);
    default: return prefixed(v, ' ') + unit;
  }
}

/** The same without superfluous zeros, for the ticks of an axis. */
export function tick(v, unit) {
  if (unit === '°C') return `${Number(v.toFixed(1))} °C`;
  return amount(v, unit).replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}

function prefixed(v, gap) {
  for (const [least, sign] of [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
    if (Math.abs(v) >= least * 0.9995) return significant(v / least) + gap + sign;
  }
  return significant(v) + gap;
}

/**
 * Where a percentile lies on the axis of nines, -log10(1 - p): 90 is 1, 99 is
 * 2, 99.9 is 3. The 100th has no place there: it is put where the slowest of
 * `count` operations is, and never left of `least`.
 */
export function nines(p, count, least = 0) {
  if (p < 100) return -Math.log10(1 - p / 100);
  return Math.max(Math.log10(Math.max(count, 1)), least);
}
