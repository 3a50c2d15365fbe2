import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { stopIndexing } from '../changes/support/indexing.js';
import { Follower } from '../changes/support/follower.js';
import { createClusterDatabase, moveOrganization } from '../support/cluster.js';
import type { TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('the changes of an organization on a Citus cluster', () => {
  let database: TestDatabase;
  let parley: Parley;
  let tenant: Tenant;
  let follower: Follower;

  beforeAll(async () => {
    database = await createClusterDatabase();
    await migrate(database.url);
    parley = await Parley.start({}, database.url);
    await stopIndexing(parley);
  });
  afterAll(async () => {
    await parley.stop();
    await database.drop();
  });
  beforeEach(async () => {
    tenant = await parley.createTenant();
    follower = new Follower(parley, tenant.id);
    await follower.follow();
  });

  const send = (content: string, { bot, chatId } = tenant) => bot.post('/messages', { chatId, content }).expect(200);
  const follow = async () => {
    await follower.follow();
    await follower.expectTruth();
  };
  const epoch = async () => {
    const text = `SELECT epoch FROM change_readers WHERE organization_id = $1 AND name = ''`;
    return Number((await parley.query<{ epoch: string }>(text, [tenant.id]))[0]!.epoch);
  };

  it('a reader gets messages, closed chats, new names, and tombstones, and nothing of another organization', async () => {
    const other = await parley.createTenant();
    await send('one');
    await send('elsewhere', other);
    await follow();
    expect(follower.copy.get(tenant.chatId)!.messages).toMatchObject([{ content: 'one' }]);
    await parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/close`, {}).expect(200);
    await parley.beginSession(tenant, { visitor: { name: 'Renamed' } }, tenant.visitorToken).expect(201);
    await follow();
    expect(follower.copy.get(tenant.chatId)).toMatchObject({ status: 'CLOSED', visitor: 'Renamed' });
    await tenant.admin.delete(`/visitors/${tenant.visitorId}`).expect(204);
    await follow();
    expect(follower.copy.get(tenant.chatId)).toMatchObject({ visitor: null });
    expect([...follower.copy.keys()]).toEqual([tenant.chatId]);
  });

  it('a change of a transaction that is still open is not skipped', async () => {
    await send('first');
    const open = new pg.Client(database.url);
    await open.connect();
    await open.query('BEGIN');
    // The chat has its row of this epoch, so the transaction records nothing.
    await open.query(
      `UPDATE chats SET status = 'CLOSED', status_changed_at = now(), rev = rev + 1 WHERE organization_id = $1 AND id = $2`,
      [tenant.id, tenant.chatId],
    );
    const before = await epoch();
    const page = follower.read();
    await until('the reader has begun an epoch', async () => (await epoch()) > before);
    await open.query('COMMIT');
    await open.end();
    await follower.apply(await page);
    await follow();
    expect(follower.copy.get(tenant.chatId)).toMatchObject({ status: 'CLOSED' });
  });

  it('changes before and after the organization was moved to another worker are read, each once', async () => {
    await send('one');
    await follow();
    await send('two');
    await moveOrganization(database.url, tenant.id);
    await send('three');
    await follow();
    await send('four');
    await follow();
    const { applied } = follower;
    expect(applied.slice(1)).toEqual([0, 1, 3].map((afterSeq) => ({ chatId: tenant.chatId, afterSeq })));
  });
});
