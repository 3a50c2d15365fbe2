import { describe, expect, it } from '@jest/globals';
import { SearchTurns } from './search-turns.js';
import { TimeIsOver } from './time-limit.js';

describe('turns of searches', () => {
  /** Begins a search, and notes its name once it has a turn. */
  const beginning = (turns: SearchTurns, begun: string[]) => {
    const ends = new Map<string, () => void>();
    const begin = (id: string, name = id) =>
      turns.begin(id, 60_000).then(
        (end) => {
          begun.push(name);
          ends.set(name, end);
        },
        // Some wait until after the test.
        () => undefined,
      );
    const end = async (name: string) => {
      ends.get(name)!();
      await new Promise(setImmediate);
    };
    return { begin, end };
  };

  it('an organization that searches alone has all turns', async () => {
    const begun: string[] = [];
    const { begin, end } = beginning(new SearchTurns(2), begun);
    for (const name of ['a1', 'a2', 'a3']) void begin('a', name);
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'a2']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  it('while two organizations search, each has a turn', async () => {
    const begun: string[] = [];
    const { begin, end } = beginning(new SearchTurns(2), begun);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void begin('a', name);
    void begin('b', 'b1');
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    // The second turn is for the others.
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    void begin('b', 'b2');
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });

  it('waiting ends with its time, and takes no turn', async () => {
    const turns = new SearchTurns(2);
    const [end] = [await turns.begin('a', 1_000), await turns.begin('a', 1_000)];
    await expect(turns.begin('b', 1)).rejects.toThrow(TimeIsOver);
    end();
    await turns.begin('c', 1);
  });
});
