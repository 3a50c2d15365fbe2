import { number } from './rows.mjs';

const WIDTH = 760;
const LABELS = 190;
const BARS = 440;
const BAR = 22;

// Sets its own colors and background, because the page that shows it may be light or dark.
const STYLE = `
  .ground { fill: #ffffff; stroke: #d0d7de; } text { fill: #1f2328; font: 13px system-ui, sans-serif; }
  .title { font-weight: 600; } .quiet { fill: #59636e; } .ours { fill: #0969da; } .theirs { fill: #afb8c1; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #3d444d; } text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .ours { fill: #4493f8; } .theirs { fill: #656c76; }
  }`;

/** Draws rows as horizontal bars. Each group has its own scale. */
export function chart(rows) {
  const groups = groupsOf(new Map(rows.map((row) => [row.key, row])));
  let y = 16;
  const parts = groups.map((group) => {
    const part = groupPart(group, y);
    y += groupHeight(group);
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">
<title>Sends a second and latencies of Parley and what it is compared with</title>
<style>${STYLE}
</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${y - 1}" rx="6"/>
${parts.join('\n')}
</svg>
`;
}

function groupsOf(rows) {
  const group = (title, keys) => {
    const found = keys.map((key) => rows.get(key)).filter(Boolean);
    const [first] = found;
    return first && { title, unit: first.unit, bars: [first.ours, ...found.map(({ theirs }) => theirs)] };
  };
  return [
    group('Sends a second, 64 connections, 100 visitors receiving', ['sends', 'health', 'framework', 'pgbench']),
    group('p99 of that load (less is better)', ['p99']),
    group('One send after the other, median (less is better)', ['single']),
    group("POST to the visitor's socket, p50 (less is better)", ['live-p50', 'live-bare']),
    group("POST to the visitor's socket, p99 (less is better)", ['live-p99']),
  ].filter(Boolean);
}

function groupHeight({ bars }) {
  return 30 + bars.length * (BAR + 6) + 14;
}

function groupPart({ title, unit, bars }, top) {
  const most = Math.max(...bars.map((bar) => bar.median));
  const lines = bars.map((bar, index) => barPart(bar, index === 0, unit, most, top + 30 + index * (BAR + 6)));
  return [`<text class="title" x="16" y="${top + 16}">${escape(title)}</text>`, ...lines].join('\n');
}

function barPart({ name, median }, isOurs, unit, most, y) {
  const width = Math.max(1, (median / most) * BARS).toFixed(1);
  const middle = y + BAR / 2 + 4.5;
  return `<text class="${isOurs ? '' : 'quiet'}" x="${LABELS - 8}" y="${middle}" text-anchor="end">${escape(name)}</text>
<rect class="${isOurs ? 'ours' : 'theirs'}" x="${LABELS}" y="${y}" width="${width}" height="${BAR}" rx="3"/>
<text x="${(LABELS + Number(width) + 8).toFixed(1)}" y="${middle}">${number(median)} ${unit}</text>`;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
