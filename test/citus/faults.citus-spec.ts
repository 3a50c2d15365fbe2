import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { areReady, type Node, startNodes } from '../faults/support/cluster.js';
import { Random } from '../faults/support/random.js';
import { Report } from '../faults/support/report.js';
import { Swarm } from '../faults/support/swarm.js';
import { verify } from '../faults/support/verify.js';
import { RedisServer } from '../support/redis.js';
import { CitusLab } from './support/lab.js';

/** The agents who work while a server is killed, in an organization of their own. */
const AGENTS = 6;
const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000) + 1);

interface Fault {
  name: string;
  /** None while shards are moved: each statement of a request may wait for the move, and on a busy machine, two take longer than a request may. */
  agents?: number;
  /** Causes the fault, and repairs it. */
  run(lab: CitusLab, swarm: Swarm, random: Random): Promise<void>;
}

const FAULTS: Fault[] = [
  {
    name: 'the worker with an organization is killed',
    agents: AGENTS,
    async run(lab, { organizationId, crew }, random) {
      for (const id of [organizationId, crew!.tenant.id]) {
        const worker = await lab.workerOf(id);
        await worker.kill();
        await sleep(random.between(0, 1_000));
        await worker.restart();
        await sleep(random.between(500, 1_500));
      }
    },
  },
  {
    name: 'the coordinator is killed',
    agents: AGENTS,
    async run({ coordinator }, _, random) {
      for (let round = 0; round < 2; round++) {
        await coordinator.kill();
        await sleep(random.between(0, 1_000));
        await coordinator.restart();
        await sleep(random.between(500, 1_500));
      }
    },
  },
  {
    name: 'the organization is moved to the other worker, and back',
    async run(lab, { organizationId }) {
      await lab.move(organizationId);
      await lab.move(organizationId);
    },
  },
  {
    name: 'a third worker joins, and shards are moved to it',
    async run(lab) {
      await lab.addWorker();
      await lab.query('SELECT rebalance_table_shards()');
      const { port } = lab.workers.at(-1)!;
      const moved = await lab.query('SELECT FROM citus_shards WHERE nodeport = $1 AND citus_table_type = $2', [
        port,
        'distributed',
      ]);
      expect(moved.length).toBeGreaterThan(0);
    },
  },
];

describe(`two nodes on a Citus cluster under load, seed ${SEED}`, () => {
  const report = new Report(SEED);
  let lab: CitusLab;
  let redis: RedisServer;
  let nodes: Node[] = [];

  beforeAll(async () => {
    lab = await CitusLab.start(2);
    redis = await RedisServer.start();
    nodes = await startNodes([lab.url, lab.url], redis);
  });
  afterAll(async () => {
    process.stdout.write(report.table());
    await Promise.allSettled(nodes.map((node) => node.stop()));
    await redis?.kill();
    await lab?.stop();
  });

  it.each(FAULTS.map((fault, place): [string, Fault, number] => [fault.name, fault, place]))(
    'nothing is lost, doubled, or out of order when %s',
    async (name, fault, place) => {
      const seed = SEED + place * 1_000;
      const installation = { postgres: lab, nodes };
      await areReady(nodes);
      const swarm = await Swarm.start(installation, { seed, agents: fault.agents });
      try {
        await fault.run(lab, swarm, new Random(seed));
        await swarm.settles();
        await swarm.rest(installation);
        const verdict = await verify(installation, swarm);
        report.add(name, verdict);
        expect(verdict.faults).toEqual([]);
      } finally {
        await swarm.close();
      }
      expect(nodes.filter((node) => node.hasDied).map(({ output }) => output)).toEqual([]);
    },
  );
});
