// The plot of a statistic over a key column of numbers, such as a sum over time. Lengths are computed of exact fractions; only
// where a bar ends on the screen is rounded.

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [640, 240, 16, 26, 34];

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** What part of a positive fraction another one is. */
function part({ numerator: a, denominator: b }, { numerator: c, denominator: d }) {
  return Number((1_000_000n * a * d) / (b * c)) / 1e6;
}

const isLess = (one, other) => one.numerator * other.denominator < other.numerator * one.denominator;

/** Whether groups can be drawn: more than one, by one column of numbers, and none without rows. */
export const isPlottable = (groups) => groups.length > 1 && groups.every(({ key, value }) => key.length === 1 && typeof key[0] === 'bigint' && value !== null);

/** Draws groups `{ key: [x], value }`, ascending; `nameOf` writes a value, `label` says what is drawn. */
export function drawPlot(groups, nameOf, label) {
  const zero = { numerator: 0n, denominator: 1n };
  const values = groups.map(({ value }) => value);
  const [highest, lowest] = [values.reduce((a, b) => (isLess(a, b) ? b : a), zero), values.reduce((a, b) => (isLess(b, a) ? b : a), zero)];
  const range = {
    numerator: highest.numerator * lowest.denominator - lowest.numerator * highest.denominator,
    denominator: highest.denominator * lowest.denominator,
  };
  const whole = range.numerator === 0n ? { numerator: 1n, denominator: 1n } : range;
  const height = (value) => part(value, whole) * (HEIGHT - TOP - BOTTOM);
  const base = TOP + height(highest);
  const [first, last] = [groups[0].key[0], groups.at(-1).key[0]];
  const steps = groups.slice(1).map(({ key }, i) => key[0] - groups[i].key[0]);
  const step = steps.reduce((a, b) => (a < b ? a : b));
  // A place for each step from the first to the last, but no thinner than can be seen.
  const slots = Number((last - first) / step) + 1;
  const slot = (WIDTH - 2 * LEFT) / slots;
  const thick = Math.max(1.5, slot * 0.72);
  const x = ([key]) => LEFT + slot * (Number(((key - first) * 1000n) / step) / 1000 + 0.5);
  const svg = element('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', class: 'plot', 'aria-label': label });
  for (const { key, value } of groups) {
    const [above, length] = [value.numerator >= 0n, Math.abs(height(value))];
    const bar = element('rect', {
      x: (x(key) - thick / 2).toFixed(2), y: (above ? base - length : base).toFixed(2), width: thick.toFixed(2), height: Math.max(length, 0.5).toFixed(2),
    });
    bar.append(element('title', {}, `${key[0]}: ${nameOf(value)}`));
    svg.append(bar);
  }
  svg.append(element('line', { x1: LEFT, x2: WIDTH - LEFT, y1: base.toFixed(2), y2: base.toFixed(2) }));
  const top = values.findIndex((value) => value === highest);
  if (top >= 0) svg.append(element('text', { x: x(groups[top].key), y: (base - height(highest) - 8).toFixed(2), class: side(x(groups[top].key)) }, nameOf(highest)));
  svg.append(element('text', { x: LEFT, y: HEIGHT - 10, class: 'behind' }, String(first)));
  svg.append(element('text', { x: WIDTH - LEFT, y: HEIGHT - 10, class: 'before' }, String(last)));
  return svg;
}

/** Text near an end of the plot goes away from it. */
function side(x) {
  if (x < WIDTH / 4) return 'behind';
  return x > (3 * WIDTH) / 4 ? 'before' : 'middle';
}
