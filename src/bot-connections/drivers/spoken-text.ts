// Finds the part of an endpoint's text that visitors read. It only uses plain string search, because endpoints may send anything.

const THINK = '<think>';
const END_OF_THINKING = '</think>';
const TEAM = '[Team]';
const MARKER = '[[hand_over';
/** The most characters of the reason in a marker. */
const MAX_REASON = 500;

/** A text, complete or not, without the thinking that it may begin with. `isThinking`: the thinking hasn't ended yet. */
export function withoutThinking(text: string): { text: string; isThinking: boolean } {
  const begun = text.trimStart();
  if (begun !== '' && begun.length < THINK.length && THINK.startsWith(begun)) return { text: '', isThinking: true };
  if (!begun.startsWith(THINK)) return { text, isThinking: false };
  const end = begun.indexOf(END_OF_THINKING);
  if (end < 0) return { text: '', isThinking: true };
  return { text: begun.slice(end + END_OF_THINKING.length).trimStart(), isThinking: false };
}

/** A text without `[Team]` at its beginning, so that it doesn't look like a message of the team. */
export function withoutTeam(text: string): string {
  let rest = text;
  while (rest.trimStart().startsWith(TEAM)) rest = rest.trimStart().slice(TEAM.length).trimStart();
  return rest;
}

/** The text before the marker, which is on a line of its own, and the marker's reason. Without a marker, the whole text. */
export interface Marked {
  text: string;
  handOver: { reason: string | null } | null;
}

/** Finds the first marker of a text that has ended. */
export function readMarker(text: string): Marked {
  for (let start = 0; start <= text.length;) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const handOver = markerIn(text.slice(start, end));
    if (handOver) return { text: text.slice(0, start).trimEnd(), handOver };
    start = end + 1;
  }
  return { text, handOver: null };
}

/** The part of a text that may be shown while it comes: not a line that may become a marker, and nothing after a marker. */
export function beforeMarker(text: string): string {
  const { text: before, handOver } = readMarker(text);
  if (handOver) return before;
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start).trimStart();
  const mayBe = line !== '' && (MARKER.startsWith(line) || line.startsWith(MARKER));
  return mayBe ? text.slice(0, start).trimEnd() : text;
}

function markerIn(line: string): { reason: string | null } | null {
  const marker = line.trim();
  if (!marker.startsWith(MARKER) || !marker.endsWith(']]')) return null;
  const inner = marker.slice(MARKER.length, -2);
  if (inner.trim() === '') return { reason: null };
  if (!inner.startsWith(':')) return null;
  return { reason: inner.slice(1).trim().slice(0, MAX_REASON) || null };
}
