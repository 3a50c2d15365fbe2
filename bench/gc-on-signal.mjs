// Loaded into a service whose memory is measured: on SIGUSR2 it frees all that it can. Some things become free only after
// others have been freed and the event loop has turned, so it takes several times.
import { setTimeout as sleep } from 'node:timers/promises';

const TIMES = 4;
const PAUSE = 150;

process.on('SIGUSR2', async () => {
  for (let time = 1; time <= TIMES; time++) {
    globalThis.gc();
    await sleep(PAUSE);
  }
});
