import { beforeEach, describe, expect, it } from '@jest/globals';
import { Readings } from '../../console/lib/readings.js';

describe('readings of what events change too', () => {
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
  /** Reads; the answer comes when it is given. */
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

  it('do what came meanwhile again, once', async () => {
    add('before');
    const { done, answer } = read();
    add('meanwhile');
    answer(['read']);
    await done;
    add('after');
    expect(value).toEqual(['read', 'meanwhile', 'after']);
  });

  it('take the answer to the latest question alone, in whatever order they come', async () => {
    const [first, second] = [read(), read()];
    add('meanwhile');
    second.answer(['second']);
    await second.done;
    first.answer(['first']);
    await first.done;
    expect(value).toEqual(['second', 'meanwhile']);
  });

  it('end as the later one does when they are overtaken, and note nothing after a failure', async () => {
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
