import { expect, it } from '@jest/globals';
import { FaultLog } from './fault-log.js';

it('a line of a task takes the place of no line of a request', () => {
  const log = new FaultLog();
  const cause = { name: 'database_unreachable', message: 'read ECONNRESET' };
  const task = () => log.admits({ cause, context: 'Search' }, 'the search index is behind');
  const requests = () =>
    [{ request: 'message:send' }, { method: 'POST' }, { method: 'POST' }].map((fields) =>
      log.admits({ cause, ...fields }, 'refused'),
    );
  expect([task(), ...requests(), task()]).toEqual([true, true, true, false, false]);
  log.onApplicationShutdown();
});
