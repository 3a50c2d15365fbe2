import { expect, it } from '@jest/globals';
import { Lines } from './lines.js';
import { TrafficLog } from './traffic-log.js';

it("an earlier response's ack still completes its events after a newer response", () => {
  const log = new TrafficLog(new Lines(true, false, () => undefined));
  const answer = (ack: string, ...numbers: number[]) => {
    const events = numbers.map((seq) => ({
      id: `evt_${seq}`,
      type: 'message.created',
      data: { message: { id: `msg_${seq}`, seq, content: '', sender: { type: 'VISITOR' } } },
    }));
    const body = { events, ack, pending: 0 };
    log.answered({ method: 'GET', path: '/api/bot/events', status: 200, body, isLost: false, milliseconds: 1 });
  };
  const done = () => [1, 2, 3].map((seq) => log.isDone(`msg_${seq}`));
  answer('older', 1, 2);
  answer('newer', 1, 2, 3);
  log.acknowledging('older');
  expect(done()).toEqual([true, true, false]);
  log.acknowledging('newer');
  expect(done()).toEqual([true, true, true]);
});
