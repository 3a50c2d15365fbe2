import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { fillChat } from '../support/traces.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('what the audit log proves about data', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let own: Client;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'ADMIN' });
    own = new Client(`${parley.url}/api/admin/organizations/${tenant.id}`, ada.token);
  });

  const entries = async () =>
    (await tenant.admin.get('/audit?limit=50').expect(200)).body.entries.toReversed() as any[];
  /** The entries of these actions, oldest first, with who did it. */
  const found = async (...actions: string[]) =>
    (await entries())
      .filter(({ action }) => actions.includes(action))
      .map(({ action, actor, target }) => [action, actor.id ?? actor.type, target]);
  const erasure = () => found('visitor.erasure_began', 'visitor.erased');

  it('a repeated DELETE of a visitor adds nothing, and the end of the erasure is recorded once, under the same name', async () => {
    const { visitorId } = tenant;
    await fillChat(parley, tenant.id, tenant.chatId, 2_000);
    const removal = parley.app.get(DataRemoval);
    const { erasureTimeout } = removal;
    removal.erasureTimeout = 0;
    const statuses = [await own.delete(`/visitors/${visitorId}`), await tenant.admin.delete(`/visitors/${visitorId}`)];
    removal.erasureTimeout = erasureTimeout;
    expect(statuses.map(({ status }) => status)).toContain(202);
    await eventually(
      () => own.delete(`/visitors/${visitorId}`),
      ({ status }) => status === 404,
    );
    expect(await erasure()).toEqual([
      ['visitor.erasure_began', ada.id, visitorId],
      ['visitor.erased', ada.id, visitorId],
    ]);
  });

  it.each(['chats WHERE id', 'messages WHERE chat_id'])(
    'an erasure answers 202 and goes on while another session holds a row of %s',
    async (rows) => {
      const { visitorId, chatId } = tenant;
      parley.app.get(DataRemoval).erasureTimeout = 3_000;
      await tenant.bot.post('/messages', { chatId, content: 'hello' }).expect(200);
      const session = new pg.Client(parley.databaseUrl);
      await session.connect();
      await session.query('BEGIN');
      await session.query(`SELECT FROM ${rows} = $1 FOR UPDATE`, [chatId]);
      try {
        await own.delete(`/visitors/${visitorId}`).expect(202);
        await own.delete(`/visitors/${visitorId}`).expect(202);
        expect(await erasure()).toEqual([['visitor.erasure_began', ada.id, visitorId]]);
      } finally {
        await session.end();
      }
      await eventually(erasure, ({ length }) => length === 2);
      await own.delete(`/visitors/${visitorId}`).expect(404);
      expect(await erasure()).toEqual([
        ['visitor.erasure_began', ada.id, visitorId],
        ['visitor.erased', ada.id, visitorId],
      ]);
    },
  );

  it('lists of visitors and chats are recorded once for each actor and day', async () => {
    for (const admin of [own, tenant.admin, own])
      for (const path of ['/visitors', '/visitors?search=v', '/blocked-visitors', '/chats', '/chats?limit=1'])
        await admin.get(path).expect(200);
    expect(await found('visitors.listed', 'chats.listed')).toEqual([
      ['visitors.listed', ada.id, tenant.id],
      ['chats.listed', ada.id, tenant.id],
      ['visitors.listed', 'ADMIN', tenant.id],
      ['chats.listed', 'ADMIN', tenant.id],
    ]);
    await parley.query(`UPDATE audit_entries SET at = at - interval '1 day' WHERE organization_id = $1`, [tenant.id]);
    const otherNode = await Parley.start({}, parley.databaseUrl);
    await otherNode.admin.get(`/${tenant.id}/visitors`).expect(200);
    expect(await found('visitors.listed')).toHaveLength(3);
    await otherNode.stop();
  });

  it('exports of chats, a visitor, and the audit log itself are recorded', async () => {
    await ada.client.get('/reports/chats/export?from=2026-11-01&to=2026-11-30').expect(200);
    await own.get(`/visitors/${tenant.visitorId}/export`).expect(200);
    await own.get('/audit/export').expect(200);
    await own.get('/audit/export?actor=none').expect(400);
    expect(await found('chats.exported', 'visitor.exported', 'audit.exported')).toEqual([
      ['chats.exported', ada.id, tenant.id],
      ['visitor.exported', ada.id, tenant.visitorId],
      ['audit.exported', ada.id, tenant.id],
    ]);
    const [chats] = (await entries()).filter(({ action }) => action === 'chats.exported');
    expect(chats.changes).toEqual([
      { field: 'from', from: null, to: '2026-11-01' },
      { field: 'to', from: null, to: '2026-11-30' },
    ]);
  });

  it('a run of retention records what it removed, and one that removed nothing records nothing', async () => {
    const before = await Scrape.of(parley.url);
    await tenant.admin.patch('', { retentionDays: 1 }).expect(200);
    await fillChat(parley, tenant.id, tenant.chatId, 1_200);
    const { body: session } = await parley.beginSession(tenant).expect(201);
    await parley.visitor(session.token).post('/chats', {}).expect(201);
    const removal = parley.app.get(DataRemoval);
    const later = new Date(Date.now() + 2 * DAY_MS);
    await removal.run(later);
    await removal.run(later);
    const runs = (await entries()).filter(({ action }) => action === 'retention.removed');
    expect(runs.map(({ actor, target }) => [actor.type, target])).toEqual([['SYSTEM', tenant.id]]);
    expect(Object.fromEntries(runs[0].changes.map(({ field, to }: any) => [field, to]))).toEqual({
      chats: 2,
      messages: 1_200,
      visitors: 2,
    });
    const after = await Scrape.of(parley.url);
    const counted = (kind: string) =>
      after.value('parley_retention_removed_total', { kind })! -
      before.value('parley_retention_removed_total', { kind })!;
    expect(['chats', 'messages', 'visitors'].map(counted)).toEqual([2, 1_200, 2]);
  });

  it('the removal of anonymous visitors who never wrote is recorded', async () => {
    const { body: session } = await parley.beginSession(tenant).expect(201);
    await parley.visitor(session.token).post('/chats', {}).expect(201);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 40 * DAY_MS));
    const [run] = (await entries()).filter(({ action }) => action === 'anonymous.removed');
    expect(Object.fromEntries(run.changes.map(({ field, to }: any) => [field, to]))).toEqual({ chats: 1, visitors: 1 });
  });
});
