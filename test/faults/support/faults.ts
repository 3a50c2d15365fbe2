import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Node } from './cluster.js';
import type { Random } from './random.js';
import type { SwarmOptions } from './swarm.js';

export interface Fault {
  name: string;
  options?: Omit<SwarmOptions, 'seed'>;
  /**
   * Causes the fault and repairs it; resolves once it's repaired. `mortal` are the nodes that may be ended, sometimes
   * not all.
   */
  run(cluster: Cluster, random: Random, mortal?: Cluster['nodes']): Promise<void>;
}

/** The response to a statement that commits: the batched append, the single one, and the end of a transaction. */
const COMMITS = /append|COMMIT/;

/** The end of an accepted offer, in the transaction that assigns the chat to the agent. */
const ACCEPTS = /ACCEPTED/;

/** The agents who work during the fault. */
const AGENTS = 9;
const MANY_AGENTS = 50;

export const FAULTS: Fault[] = [
  {
    name: 'nodes are killed',
    options: { agents: AGENTS },
    async run(cluster, random, mortal = cluster.nodes) {
      for (const node of mortal) {
        await node.end('SIGKILL');
        await sleep(random.between(100, 700));
        await node.restart();
      }
    },
  },
  {
    // During an accept: between its statements, and while it commits.
    name: 'PostgreSQL is killed',
    options: { agents: AGENTS },
    async run({ postgres }, random) {
      for (const isCommitting of [false, true]) {
        await postgres.isAsked(ACCEPTS);
        if (isCommitting) await postgres.isAsked(/COMMIT/);
        postgres.kill();
        await sleep(random.between(0, 1_000));
        await postgres.restart();
        await sleep(random.between(500, 1_500));
      }
    },
  },
  {
    name: 'every backend is terminated',
    async run({ postgres }, random) {
      for (let round = 0; round < 6; round++) {
        await postgres.terminateAll();
        await sleep(random.between(100, 600));
      }
    },
  },
  {
    name: 'PostgreSQL is frozen',
    async run({ postgres }, random) {
      postgres.freeze();
      await sleep(random.between(6_000, 7_000));
      postgres.thaw();
    },
  },
  {
    name: 'the answer to a COMMIT is lost',
    options: { agents: AGENTS },
    async run({ postgres: { road } }, random) {
      // Some connections end with it, and the others stay silent forever.
      road.losesAnswerTo = (said) => {
        const isToWithdraw = random.isHeads(0.05) && COMMITS.test(said.toString('latin1'));
        if (isToWithdraw && random.isHeads(0.7)) setTimeout(() => road.end(), 50);
        return isToWithdraw;
      };
      await sleep(4_000);
      road.losesAnswerTo = () => false;
    },
  },
  {
    name: 'connections are reset',
    options: { isByRoad: true },
    async run({ postgres, nodes }, random) {
      const roads = [postgres.road, ...nodes.map(({ road }) => road)];
      for (let round = 0; round < 20; round++) {
        random.pick(roads).reset();
        await sleep(random.between(50, 300));
      }
    },
  },
  {
    name: 'Redis is killed',
    async run({ redis }, random) {
      await redis.kill();
      await sleep(random.between(1_000, 2_000));
      await redis.restart();
    },
  },
  {
    name: 'Redis is away for 30 s',
    options: { agents: MANY_AGENTS },
    async run({ redis }) {
      await redis.kill();
      await sleep(30_000);
      await redis.restart();
    },
  },
  {
    name: 'the clocks of two nodes are 30 s apart',
    options: { agents: AGENTS },
    async run(cluster, random, mortal = cluster.nodes) {
      const [ahead, behind] = mortal.slice(-2) as [Node, Node];
      await ahead.shiftClock(15);
      await behind.shiftClock(-15);
      await sleep(random.between(8_000, 9_000));
      await ahead.shiftClock(0);
      await behind.shiftClock(0);
    },
  },
  {
    name: 'Redis is frozen',
    async run({ redis }, random) {
      redis.freeze();
      await sleep(random.between(3_000, 6_000));
      redis.thaw();
    },
  },
  {
    name: 'nodes are restarted one by one',
    options: { isStrict: true },
    async run(cluster, random, mortal = cluster.nodes) {
      for (const node of mortal) {
        const { code } = await node.end('SIGTERM');
        if (code !== 0) throw new Error(`a node ended with ${code}: ${node.output}`);
        await node.restart();
        await sleep(random.between(300, 600));
      }
    },
  },
  {
    name: 'all at once',
    options: { isByRoad: true, agents: AGENTS },
    async run(cluster, random, mortal = cluster.nodes) {
      const { postgres, redis } = cluster;
      const node = random.pick(mortal);
      postgres.kill();
      await Promise.all([node.end('SIGKILL'), redis.kill()]);
      await sleep(random.between(200, 800));
      await Promise.all([redis.restart(), postgres.restart()]);
      postgres.road.reset();
      await node.restart();
    },
  },
];
