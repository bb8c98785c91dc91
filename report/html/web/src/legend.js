// A legend of buttons: it wraps on a phone, works with the keyboard, and shows each
// line's dash and symbol as well as its colour.
const SVG = 'http://www.w3.org/2000/svg';
const SHAPES = {
  circle: 'M9 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  rect: 'M9.5 2.5h7v7h-7z',
  triangle: 'M13 1.8l4.4 7.7h-8.8z',
  diamond: 'M13 1.5l4.5 4.5-4.5 4.5-4.5-4.5z',
};

/**
 * Fills `box` with one button a line. `shown` is the set of visible indices; it
 * is changed in place before `changed` is called.
 */
export function legend(box, lines, shown, changed) {
  lines.forEach(({ title, colour, dash, symbol }, i) => {
    const button = box.appendChild(document.createElement('button'));
    button.type = 'button';
    button.setAttribute('aria-pressed', String(shown.has(i)));
    button.append(swatch(colour, dash, symbol), title);
    button.addEventListener('click', () => {
      if (!shown.delete(i)) shown.add(i);
      button.setAttribute('aria-pressed', String(shown.has(i)));
      changed();
    });
  });
}

function swatch(colour, dash, symbol) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 26 12');
  svg.setAttribute('aria-hidden', 'true');
  const line = svg.appendChild(document.createElementNS(SVG, 'path'));
  line.setAttribute('d', 'M0 6H26');
  line.setAttribute('stroke', colour);
  line.setAttribute('stroke-width', '2');
  if (Array.isArray(dash)) line.setAttribute('stroke-dasharray', dash.join(' '));
  if (symbol && symbol !== 'none') {
    const hollow = symbol.startsWith('empty');
    const name = hollow ? symbol.slice(5).toLowerCase() : symbol;
    const mark = svg.appendChild(document.createElementNS(SVG, 'path'));
    mark.setAttribute('d', SHAPES[name]);
    mark.setAttribute('stroke', colour);
    mark.setAttribute('stroke-width', '1.5');
    mark.setAttribute('fill', hollow ? 'var(--surface)' : colour);
  }
  return svg;
}
