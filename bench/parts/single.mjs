import { sender, verifyPair } from '../setup/pair.mjs';
import { inTurns } from '../figures/rounds.mjs';
import { row } from '../figures/rows.mjs';
import { pluck } from '../figures/stats.mjs';

/** One connection that sends one message after the other: the latency of a send that shares nothing. */
export async function measureSingle(bench) {
  const pair = await bench.pair();
  const { parley, baseline, requestsFile } = pair;
  const alone = (side) => sender(bench, side, requestsFile, { connections: 1 });
  const [ours, theirs] = await inTurns([alone(parley), alone(baseline)], bench.rounds);
  await verifyPair(pair);
  return [
    row({
      key: 'single',
      measure: 'one connection, one send after the other, median latency',
      unit: 'ms',
      ours: { name: 'Parley', values: pluck(ours, 'p50') },
      theirs: { name: 'baseline', values: pluck(theirs, 'p50') },
      atLeast: 1.1,
      aim: 0.8,
      isLessBetter: true,
    }),
  ];
}
