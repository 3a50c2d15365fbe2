import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster } from './support/cluster.js';
import { type Fault, FAULTS } from './support/faults.js';
import { Random } from './support/random.js';
import { Report } from './support/report.js';
import { Swarm } from './support/swarm.js';
import { killEach, Talk } from './support/talk.js';
import { verify } from './support/verify.js';

const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000) + 1);
const isSoak = process.env.FAULT_MINUTES !== undefined;

(isSoak ? describe.skip : describe)(`three nodes under load, seed ${SEED}`, () => {
  const report = new Report(SEED);
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start();
  }, 60_000);
  afterAll(async () => {
    process.stdout.write(report.table());
    await cluster?.stop();
  }, 60_000);

  it.each(FAULTS.map((fault, place): [string, Fault, number] => [fault.name, fault, place]))(
    'the service recovers from a fault: %s',
    async (name, fault, place) => {
      const seed = SEED + place * 1_000;
      await cluster.areReady();
      const swarm = await Swarm.start(cluster, { seed, ...fault.options });
      try {
        await fault.run(cluster, new Random(seed));
        await swarm.settles();
        await swarm.rest(cluster);
        const verdict = await verify(cluster, swarm);
        report.add(name, verdict);
        expect(verdict.faults).toEqual([]);
      } finally {
        await swarm.close();
      }
      expect(cluster.nodes.filter((node) => node.hasDied).map(({ output }) => output)).toEqual([]);
    },
  );

  it('an SDK bot answers exactly once while the bot, a node, and PostgreSQL are killed repeatedly', async () => {
    await cluster.areReady();
    const random = new Random(SEED + FAULTS.length * 1_000);
    const talk = await Talk.start(cluster, random);
    try {
      for (let round = 0; round < 2; round++) await killEach(cluster, talk.bot, random);
      const { answered, faults, kills } = await talk.verify(cluster);
      process.stdout.write(`  a bot on the SDK: ${answered} messages answered once, ${kills} kills; seed ${SEED}\n`);
      expect(faults).toEqual([]);
      expect(answered).toBeGreaterThan(0);
    } finally {
      await talk.close();
    }
  });
});
