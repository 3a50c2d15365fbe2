import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Swarm } from '../faults/support/swarm.js';
import { verify } from '../faults/support/verify.js';
import { until } from '../support/eventually.js';
import type { Member } from './support/member.js';
import { PatroniCluster } from './support/patroni.js';

/** How many agents take offers, claim, and pass on chats. */
const AGENTS = 6;

interface Case {
  name: string;
  /** Causes the fault and repairs it. Returns when the standby was promoted, in milliseconds of `performance.now()`; null if it wasn't. */
  run(cluster: PatroniCluster, placed: { primary: Member; standby: Member }, swarm: Swarm): Promise<number | null>;
}

const CASES: Case[] = [
  {
    name: 'the primary is killed',
    async run(cluster, { primary, standby }) {
      await primary.kill();
      const promotedAt = await cluster.isPromoted(standby);
      await primary.start();
      return promotedAt;
    },
  },
  {
    name: 'the primary is frozen, and returns',
    async run(cluster, { primary, standby }, swarm) {
      primary.freeze();
      const promotedAt = await cluster.isPromoted(standby);
      await hasAcks(swarm);
      primary.thaw();
      return promotedAt;
    },
  },
  {
    name: 'the primary is cut off from the other machines, and not from the service',
    async run(cluster, { primary, standby }, swarm) {
      primary.isolate();
      const promotedAt = await cluster.isPromoted(standby);
      await hasAcks(swarm);
      primary.rejoin();
      return promotedAt;
    },
  },
  {
    name: 'a switchover',
    async run(cluster, { primary, standby }) {
      const asked = primary.ask('/switchover', { leader: primary.name, candidate: standby.name });
      const promotedAt = await cluster.isPromoted(standby);
      expect((await asked).status).toBe(200);
      return promotedAt;
    },
  },
  {
    name: 'both databases are restarted, one after the other',
    async run(cluster, { primary, standby }) {
      expect((await standby.ask('/restart', {})).status).toBe(200);
      await cluster.isInPlace();
      expect((await primary.ask('/restart', {})).status).toBe(200);
      return null;
    },
  },
  {
    name: 'the disk of the primary is full',
    async run(cluster, { primary, standby }) {
      if (!primary.hasOwnDisk) return null;
      primary.fillDisk();
      // PostgreSQL rejects writes, or it crashes when it needs a new file for its log, and is replaced.
      const promotedAt = await cluster.isPromoted(standby, 30_000).catch(() => null);
      primary.freeDisk();
      return promotedAt;
    },
  },
  {
    name: 'the standby is gone for a minute',
    async run(_, { standby }) {
      await standby.kill();
      await sleep(60_000);
      await standby.start();
      return null;
    },
  },
];

/** Waits until a message is acknowledged again. */
async function hasAcks({ ledger }: Swarm): Promise<void> {
  const from = performance.now();
  await until('a message is acknowledged', () => ledger.ackedAt.at(-1)! > from);
}

/** Debian's Patroni, etcd, and HAProxy. */
describe('three nodes under load, with Patroni', () => {
  let cluster: PatroniCluster;
  const report: string[] = [];

  beforeAll(async () => {
    cluster = await PatroniCluster.start();
  }, 180_000);
  afterAll(async () => {
    process.stdout.write(
      `${['case | acknowledged | transitions | seconds without one | seconds after the promotion', ...report].join('\n')}\n`,
    );
    await cluster?.stop();
  }, 60_000);

  it.each(CASES.map((one, place): [string, Case, number] => [one.name, one, place]))(
    'what is acknowledged is stored once: %s',
    async (name, one, place) => {
      const placed = await cluster.isInPlace();
      await cluster.areReady();
      const swarm = await Swarm.start(cluster, { seed: place + 1, agents: AGENTS });
      try {
        const startedAt = performance.now();
        const promotedAt = await one.run(cluster, placed, swarm);
        await swarm.settles();
        const times = [startedAt, ...swarm.ledger.ackedAt.filter((time) => time > startedAt)];
        await cluster.isInPlace();
        await swarm.rest(cluster);
        const { faults, acked, agents } = await verify(cluster, swarm);
        const silences = [longestSilence(times), promotedAt === null ? '' : back(times, promotedAt)];
        report.push([name, acked, agents!.transitions, ...silences].join(' | '));
        process.stdout.write(`  ${report.at(-1)}\n`);
        expect(faults).toEqual([]);
      } finally {
        await swarm.close();
      }
      expect(cluster.nodes.filter((node) => node.hasDied).map(({ output }) => output)).toEqual([]);
    },
    300_000,
  );
});

/** The longest time without an acknowledgement. */
function longestSilence(times: readonly number[]): string {
  return seconds(Math.max(...times.slice(1).map((time, place) => time - times[place]!)));
}

/** From the promotion to the next acknowledgement. */
function back(times: readonly number[], promotedAt: number): string {
  const first = times.find((time) => time >= promotedAt) ?? promotedAt;
  return seconds(first - promotedAt);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}
