import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './support/cluster.js';
import { FAULTS } from './support/faults.js';
import { describeVitals, type Vitals, vitalsAtRest } from './support/health.js';
import { Random } from './support/random.js';
import { Report } from './support/report.js';
import { Swarm } from './support/swarm.js';
import { verify } from './support/verify.js';

const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000) + 1);
const MINUTES = Number(process.env.FAULT_MINUTES ?? 0);
/** How long each fault's swarm continues after it, in milliseconds. */
const LOAD = 10_000;
/**
 * Tolerated growth of a process: files and handles that are just being closed, and bytes of a heap that has grown to
 * its size.
 */
const SPARE = { files: 20, heap: 64 * 1_048_576 };

(MINUTES > 0 ? describe : describe.skip)(`faults for ${MINUTES} minutes, seed ${SEED}`, () => {
  const report = new Report(SEED);
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  }, 60_000);
  afterAll(async () => {
    process.stdout.write(report.table());
    await cluster?.stop();
  }, 60_000);

  // The first node survives all faults, so a leak would show in its figures at the end.
  it(
    "random faults lose nothing, and the surviving node doesn't grow",
    async () => {
      const random = new Random(SEED);
      const [survivor, ...mortal] = cluster.nodes;
      const end = Date.now() + MINUTES * 60_000;
      const vitals: Vitals[] = [];
      for (let round = 0; Date.now() < end; round++) {
        const fault = round < FAULTS.length ? FAULTS[round]! : random.pick(FAULTS);
        await cluster.areReady();
        const swarm = await Swarm.start(cluster, { seed: SEED + round * 1_000, ...fault.options });
        try {
          await fault.run(cluster, random, mortal);
          await swarm.settles();
          await sleep(LOAD);
          await swarm.rest(cluster);
          const verdict = await verify(cluster, swarm);
          report.add(fault.name, verdict);
          expect({ round, fault: fault.name, faults: verdict.faults }).toMatchObject({ faults: [] });
        } finally {
          await swarm.close();
        }
        expect(cluster.nodes.filter((node) => node.hasDied).map(({ output }) => output)).toEqual([]);
        vitals.push(await vitalsAtRest(survivor!));
        process.stdout.write(`    ${describeVitals(vitals.at(-1)!)}\n`);
      }
      // The first round is the warm-up.
      const [first, last] = [vitals[Math.min(1, vitals.length - 1)]!, vitals.at(-1)!];
      process.stdout.write(`  at the start: ${describeVitals(first)}\n  at the end:   ${describeVitals(last)}\n`);
      expect(last.files).toBeLessThanOrEqual(first.files + SPARE.files);
      expect(last.handles).toBeLessThanOrEqual(first.handles + SPARE.files);
      expect(last.heap).toBeLessThanOrEqual(first.heap + SPARE.heap);
    },
    (MINUTES + 3) * 60_000,
  );
});
