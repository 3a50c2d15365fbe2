import { describe, expect, it } from '@jest/globals';
import { nextSpan, traceIdOf, traceparentOf } from './trace.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const GIVEN = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('traceparent', () => {
  it('a valid traceparent is kept', () => {
    expect(traceparentOf({ headers: { traceparent: GIVEN } })).toBe(GIVEN);
    expect(traceIdOf(GIVEN)).toBe(TRACE);
  });

  it.each([
    ['none', undefined],
    ['empty', ''],
    ['another version', `01-${TRACE}-00f067aa0ba902b7-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', GIVEN.toUpperCase()],
    ['more behind it', `${GIVEN}-x`],
    ['a line more', `${GIVEN}\n`],
    ['two of them', `${GIVEN}, ${GIVEN}`],
    ['too short', GIVEN.slice(0, -1)],
  ])('an invalid traceparent is ignored: %s', (_name, traceparent) => {
    expect(traceparentOf({ headers: { traceparent } })).toBeNull();
  });

  it('keeps the trace and flags, and gets a new span each time', () => {
    const spans = [nextSpan(GIVEN), nextSpan(GIVEN)];
    for (const span of spans) {
      expect(span).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
      expect(traceparentOf({ headers: { traceparent: span } })).toBe(span);
    }
    expect(new Set([GIVEN, ...spans]).size).toBe(3);
  });
});
