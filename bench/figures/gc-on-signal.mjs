// Loaded into a service whose memory is measured: on SIGUSR2 it frees all that it can. Some things become free only after
// others have been freed and the event loop has turned, so it takes several times.
import { setTimeout as sleep } from 'node:timers/promises';

const TIMES = 4;
const PAUSE = 150;
const OBJECTS = 1_000_000;

process.on('SIGUSR2', async () => {
  fillYoungSpace();
  for (let time = 1; time <= TIMES; time++) {
    globalThis.gc();
    await sleep(PAUSE);
  }
});

// Pages that were never written are not resident: every page for young objects is used once before anybody looks.
function fillYoungSpace() {
  for (let count = 0, last; count < OBJECTS; count++) last = [count, last && count, {}, {}];
}
