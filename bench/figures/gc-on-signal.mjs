// Loaded into a service whose memory is measured. On SIGUSR2, it collects all garbage. Some objects can be freed only after others and
// a turn of the event loop, so it collects several times.
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

// Unwritten pages aren't resident, so every page for young objects is written once before memory is measured.
function fillYoungSpace() {
  for (let count = 0, last; count < OBJECTS; count++) last = [count, last && count, {}, {}];
}
