import { expect, it } from '@jest/globals';
import { Lines } from './lines.js';
import { TrafficLog } from './traffic-log.js';

function answer(log: TrafficLog, ack: string, numbers: number[], isWaiting = true): void {
  const events = numbers.map((seq) => ({
    id: `evt_${seq}`,
    type: 'message.created',
    data: { message: { id: `msg_${seq}`, seq, content: '', sender: { type: 'VISITOR' } } },
  }));
  const poll = { method: 'GET', path: '/api/bot/events', status: 200, isWaiting, isLost: false, milliseconds: 1 };
  log.answered({ ...poll, body: { events, ack, pending: 0 } });
}

it("an earlier response's ack still completes its events after a newer response", () => {
  const log = new TrafficLog(new Lines(true, false, () => undefined));
  const done = () => [1, 2, 3].map((seq) => log.isDone(`msg_${seq}`));
  answer(log, 'older', [1, 2]);
  answer(log, 'newer', [1, 2, 3]);
  log.acknowledging('older');
  expect(done()).toEqual([true, true, false]);
  log.acknowledging('newer');
  expect(done()).toEqual([true, true, true]);
});

it("counts no event as repeated that a bot is sent while it's handling it, only after its ack was lost", () => {
  const printed: string[] = [];
  const log = new TrafficLog(new Lines(false, false, (line) => printed.push(line)));
  answer(log, 'first', [1]);
  answer(log, 'second', [1, 2], false);
  expect([log.given, log.repeated, printed.length]).toEqual([2, 0, 2]);
  log.acknowledging('first');
  answer(log, 'third', [1, 2], false);
  answer(log, 'fourth', [2]);
  expect([log.given, log.repeated, printed.length]).toEqual([4, 2, 5]);
});
