import { describe, expect, it } from '@jest/globals';
import { SseParser } from './sse.js';

/** The data of the events in a stream, cut into chunks of so many bytes. */
function read(text: string | Buffer, size = 1_000_000): string[] {
  const bytes = Buffer.from(text as string);
  const events: string[] = [];
  const parser = new SseParser((data) => events.push(data));
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  parser.end();
  return events;
}

describe('a stream of server-sent events', () => {
  it.each(['\n', '\r', '\r\n'])('events are read with line ends %j, in chunks of any size', (end) => {
    const text = ['data: one', '', ': comment', 'event: x', 'id: 1', 'data:two', 'data: 2', '', ''].join(end);
    for (const size of [1, 2, 3, 7, 1_000]) expect(read(text, size)).toEqual(['one', 'two\n2']);
  });

  it('a character may be split between chunks', () => {
    for (const size of [1, 2, 3]) expect(read('data: grüße 👋\n\n', size)).toEqual(['grüße 👋']);
  });

  it('the last event needs no blank line', () => {
    expect(read('data: one\n\ndata: two')).toEqual(['one', 'two']);
  });

  it('a byte order mark at the beginning is ignored', () => {
    expect(read('\ufeffdata: one\n\n')).toEqual(['one']);
  });

  it('a line without a colon is a field without a value', () => {
    expect(read('data\ndata: x\n\n')).toEqual(['\nx']);
  });

  it('invalid UTF-8 is a violation of the protocol', () => {
    const bytes = Buffer.concat([Buffer.from('data: '), Buffer.from([0xff, 0xfe]), Buffer.from('\n\n')]);
    expect(() => read(bytes)).toThrow(expect.objectContaining({ code: 'protocol' }));
  });

  it('a line and an event have at most 1 MB', () => {
    const line = `data: ${'x'.repeat(600_000)}`;
    expect(read(`${line}\n\n${line}\n\n`)).toHaveLength(2);
    expect(() => read(`${line}\n${line}\n\n`)).toThrow(expect.objectContaining({ code: 'too_large' }));
    expect(() => read('x'.repeat(1_100_000), 1_000)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });
});
