import { Logger } from '@nestjs/common';
import { afterEach, expect, it, jest } from '@jest/globals';
import { SLICE_MS, Turns } from './turns.js';

const events: string[] = [];
let now = 0;

afterEach(() => {
  events.length = 0;
});

function turns(): Turns<string> {
  return new Turns<string>({
    database: { query: () => Promise.resolve() },
    logger: { warn: () => undefined } as unknown as Logger,
    failure: 'failed',
    nameOf: (id) => ({ id }),
    shouldStop: () => false,
  });
}

/** Work whose steps take more than half of a turn each. */
async function* work(id: string, steps: number): AsyncGenerator<void> {
  try {
    for (let step = 1; step <= steps; step++) {
      events.push(`${id}${step}`);
      now += SLICE_MS * 0.6;
      if (id === 'bad') throw new Error();
      yield;
    }
  } finally {
    events.push(`${id} ends`);
  }
}

it('work for several organizations takes turns, and one that fails ends alone', async () => {
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const shared = turns();
  await shared.add(['a', 'bad', 'b'], (id) => work(id, id === 'a' ? 5 : 1));
  await shared.add(['c'], (id) => work(id, 1));
  await shared.finish();
  clock.mockRestore();
  const expected = ['a1', 'a2', 'bad1', 'bad ends', 'b1', 'b ends', 'c1', 'c ends', 'a3', 'a4', 'a5', 'a ends'];
  expect(events).toEqual(expected);
  expect(shared.failed).toEqual(['bad']);
});

it('work that has begun ends where it pauses', async () => {
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const shared = turns();
  await shared.add(['a'], (id) => work(id, 5));
  await shared.close();
  clock.mockRestore();
  expect(events).toEqual(['a1', 'a2', 'a ends']);
});
