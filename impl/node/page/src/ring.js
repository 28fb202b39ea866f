// The key ring: all keys in order on a circle, and the arc that the proved slot covers.
//
// The arc is drawn wide, whatever share of the keys it is: what matters is where it begins, where it ends, and that the key
// lies in it. Its first end belongs to it (a full dot), its last one does not (an open dot).

import { shown } from './text.js';

const SVG = 'http://www.w3.org/2000/svg';
const [CENTRE, RADIUS, HALF] = [130, 82, 70];

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The point at so many degrees clockwise from the top. */
function at(degrees, radius = RADIUS) {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [CENTRE + radius * Math.cos(angle), CENTRE + radius * Math.sin(angle)].map((value) => value.toFixed(1));
}

function dot(degrees, kind, radius, title) {
  const [cx, cy] = at(degrees);
  const made = element('circle', { cx, cy, r: radius, class: kind });
  made.append(element('title', {}, title));
  return made;
}

/** Draws a slot that covers a key. */
export function drawRing(slot, key, present) {
  const alone = slot.key.length === 0 && slot.next.length === 0;
  const label = `The slot from ${shown(slot.key)} to ${shown(slot.next)} covers ${shown(key)}`;
  const svg = element('svg', { viewBox: '-46 8 352 212', role: 'img', 'aria-label': label });
  svg.append(element('circle', { cx: CENTRE, cy: CENTRE, r: RADIUS, class: alone ? 'arc' : 'ring' }));
  const [from, to] = [at(-HALF), at(HALF)];
  if (!alone) svg.append(element('path', { d: `M ${from} A ${RADIUS} ${RADIUS} 0 0 1 ${to}`, class: 'arc' }));
  svg.append(dot(-HALF, 'end', 8, `slot's key: ${shown(slot.key)}`));
  if (!alone) svg.append(dot(HALF, 'open', 7, `next key: ${shown(slot.next)}`));
  svg.append(dot(present ? -HALF : 0, 'key', present ? 5 : 8, `key asked for: ${shown(key)}`));
  const names = [[-HALF, slot.key, 'before'], [HALF, slot.next, 'behind']];
  for (const [degrees, name, side] of alone ? names.slice(0, 1) : names) {
    const [x, y] = at(degrees, RADIUS + 14).map(Number);
    svg.append(element('text', { x, y: y + 5, class: side }, nameOf(name)));
  }
  if (!present) svg.append(element('text', { x: CENTRE, y: 26, class: 'name' }, nameOf(key)));
  const words = present ? ['the key is here,', 'with its value'] : ['no key lies between', 'the two dots'];
  words.forEach((line, place) => svg.append(element('text', { x: CENTRE, y: CENTRE + 4 + 16 * place, class: 'quiet' }, line)));
  return svg;
}

function nameOf(key) {
  return key.length === 0 ? 'first key' : shown(key, 10);
}
