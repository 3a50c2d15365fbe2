import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { eventually } from '../support/eventually.js';
import type { Parley } from '../support/parley.js';
import { RedisServer } from '../support/redis.js';
import { startNodes } from './support/nodes.js';

describe('widget settings on several nodes', () => {
  let redis: RedisServer;
  let nodes: Parley[];

  beforeAll(async () => {
    redis = await RedisServer.start();
    nodes = await startNodes(redis);
  });
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.stop();
    await redis.kill();
  });

  it("a change of the widget's settings is visible on each node, even if it had cached them", async () => {
    const tenant = await nodes[0]!.createTenant({ name: 'Acme' });
    const ask = (node: Parley) => request(node.url).get('/api/visitor/widget').query({ key: tenant.widgetKey });
    for (const node of nodes) expect((await ask(node).expect(200)).body).toMatchObject({ name: 'Acme', rating: false });
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    for (const node of nodes)
      await eventually(
        () => ask(node).expect(200),
        ({ body }) => body.rating === true,
      );
    await nodes[0]!.admin.delete(`/${tenant.id}`).expect(204);
    for (const node of nodes)
      await eventually(
        () => ask(node),
        ({ status }) => status === 404,
      );
  });
});
