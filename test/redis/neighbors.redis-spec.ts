import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Neighbors, type NodeDescription } from '../../src/platform/cluster/neighbors.js';
import { readDatabaseIdentity } from '../../src/platform/cluster/nodes.queries.js';
import { ALL_NODES, OtherNodes } from '../../src/platform/cluster/other-nodes.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { BUILD } from '../../src/platform/telemetry/build.js';
import { Client } from '../support/client.js';
import { eventually, until } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import { Scrape } from '../support/scrape.js';
import { startNodes } from './support/nodes.js';

const SECRET_KEY = 'the-key-of-the-neighbors';

describe('nodes that describe themselves to each other', () => {
  let redis: RedisServer;
  const nodes: Parley[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    for (const node of nodes.splice(0).reverse()) await node.stop();
  });
  afterAll(() => redis.kill());

  const start = async (environment: NodeJS.ProcessEnv = {}, databaseUrl?: string) => {
    const [node] = (await startNodes(redis, { SECRET_KEY, ...environment }, databaseUrl, 1)) as [Parley];
    node.app.get(Neighbors).patienceMs = 0;
    nodes.push(node);
    return node;
  };
  const listed = async ({ url }: Parley) =>
    (await new Client(url, ADMIN_TOKEN).get('/api/admin/nodes').expect(200)).body;
  const untilOther = (node: Parley, expected: object) =>
    eventually(
      async () => (await listed(node)).others as object[],
      (others) =>
        others.some((other) => Object.entries(expected).every(([name, value]) => (other as any)[name] === value)),
    );
  const ready = async ({ url }: Parley) => (await request(url).get('/health/ready').expect(200)).body;
  const countOf = async ({ url }: Parley, differs_by: string) =>
    (await Scrape.of(url)).value('parley_other_nodes', { differs_by });
  /** Publishes as another node does, until the work is done. */
  const describeAs = async (description: NodeDescription, work: () => Promise<unknown>) => {
    const other = new OtherNodes(loadConfig({ ADMIN_TOKEN, SECRET_KEY, REDIS_URL: redis.url }));
    await other.onModuleInit();
    const timer = setInterval(() => other.publish(ALL_NODES, 'node.seen', description), 100);
    try {
      await work();
    } finally {
      clearInterval(timer);
      other.onApplicationShutdown();
    }
  };
  const descriptionOf = async (node: Parley): Promise<NodeDescription> => ({
    id: 'n'.repeat(24),
    ...BUILD,
    key: 'AAAAAAAA',
    ...(await readDatabaseIdentity(node.database)),
  });

  it('nodes on one database are listed, and ready', async () => {
    const [here, there] = [await start(), await start({}, nodes[0]?.databaseUrl)] as const;
    await untilOther(here, { ...BUILD, usesSameDatabase: true, usesSameKey: true });
    await untilOther(there, { ...BUILD, usesSameDatabase: true });
    expect(await listed(here)).toMatchObject({ self: { ...BUILD }, others: [{ usesSameKey: true }] });
    expect(await ready(here)).toEqual({ status: 'ok' });
    for (const difference of ['database', 'build', 'key']) expect(await countOf(here, difference)).toBe(0);
  });

  it('nodes on different databases are degraded until one of them ends', async () => {
    const [here, there] = [await start(), await start()] as const;
    await untilOther(here, { usesSameDatabase: false });
    await untilOther(there, { usesSameDatabase: false });
    const detail = 'Nodes use different databases: 1 others on this Redis store elsewhere';
    expect(await ready(here)).toEqual({ status: 'degraded', detail });
    expect(await countOf(there, 'database')).toBe(1);
    await nodes.pop()!.stop();
    await until('ready again', async () => (await ready(here)).status === 'ok');
    expect(await countOf(here, 'database')).toBe(0);
  });

  it('a node on another timeline, of another build, or with another key is noticed', async () => {
    const here = await start();
    const same = await descriptionOf(here);
    expect(same.timeline).toBeGreaterThan(0);
    await describeAs({ ...same, timeline: same.timeline! + 1, commit: 'another' }, async () => {
      await untilOther(here, { usesSameDatabase: false, usesSameKey: false, commit: 'another' });
      expect((await ready(here)).status).toBe('degraded');
      await new Client(here.url, ADMIN_TOKEN).post('/api/admin/secrets/reseal', {}).expect(409);
      for (const difference of ['database', 'build', 'key']) expect(await countOf(here, difference)).toBe(1);
    });
  });

  it("a server that doesn't say which one it is counts as the same", async () => {
    const here = await start();
    await describeAs({ ...(await descriptionOf(here)), system: null, timeline: null }, () =>
      untilOther(here, { usesSameDatabase: true }),
    );
  });
});
