import { beforeEach, describe, expect, it } from '@jest/globals';
import { Readings } from '../../console/lib/readings.js';

describe('readings that events change too', () => {
  let readings: Readings;
  let value: string[];

  beforeEach(() => {
    readings = new Readings();
    value = [];
  });

  const add = (text: string): void => {
    readings.note(() => add(text));
    value = [...value, text];
  };
  /** Starts a reading. Its response arrives when it's resolved. */
  const read = () => {
    let resolve: (answer: string[]) => void;
    let reject: (error: Error) => void;
    const promise = new Promise<string[]>((...ends) => ([resolve, reject] = ends));
    const done = readings.read(
      () => promise,
      (answer) => (value = answer),
    );
    return { done, answer: resolve!, fail: () => reject!(new Error('no answer')) };
  };

  it('events that arrive during a reading are applied once more', async () => {
    add('before');
    const { done, answer } = read();
    add('meanwhile');
    answer(['read']);
    await done;
    add('after');
    expect(value).toEqual(['read', 'meanwhile', 'after']);
  });

  it('only the response to the latest reading is used, in any order of arrival', async () => {
    const [first, second] = [read(), read()];
    add('meanwhile');
    second.answer(['second']);
    await second.done;
    first.answer(['first']);
    await first.done;
    expect(value).toEqual(['second', 'meanwhile']);
  });

  it('an overtaken reading ends like the later one, and records nothing after a failure', async () => {
    const [first, second] = [read(), read()];
    first.answer(['first']);
    second.fail();
    await expect(first.done).rejects.toThrow('no answer');
    await expect(second.done).rejects.toThrow('no answer');
    add('after');
    const third = read();
    third.answer(['third']);
    await third.done;
    expect(value).toEqual(['third']);
  });
});
