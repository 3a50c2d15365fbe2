import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';
import { findTraces } from '../support/traces.js';

const DAY = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);

describe('removal of attributes', () => {
  let parley: Parley;
  let tenant: Tenant;
  let id: string;
  let chatId: string;
  let mark: string;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    mark = `mark-${tenant.chatId.slice(-12)}`;
    await tenant.bot.put('/subscription', { events: ['visitor.updated', 'chat.updated'] }).expect(200);
    const identity = await signIdentity(tenant, { sub: 'vera', attributes: { plan: `signed ${mark}` } });
    const { body } = await parley.beginSession(tenant, { identity }).expect(201);
    id = body.visitor.id;
    chatId = (await parley.visitor(body.token).post('/chats', {}).expect(201)).body.chat.id;
    await tenant.bot.patch(`/chats/${chatId}`, { attributes: { order: `chat ${mark}` } }).expect(200);
    await tenant.bot.patch(`/visitors/${id}`, { attributes: { plan: `visitor ${mark}` } }).expect(200);
  });

  const clean = (now: Date) => parley.app.get(DataRemoval).run(now);
  const chat = async () => (await tenant.bot.get(`/chats/${chatId}`).expect(200)).body;

  it('the export has them', async () => {
    const { body } = await tenant.admin.get(`/visitors/${id}/export`).expect(200);
    expect(body.visitor).toMatchObject({
      attributes: { plan: `visitor ${mark}` },
      verifiedAttributes: { plan: `signed ${mark}` },
    });
    expect(body.chats[0].attributes).toEqual({ order: `chat ${mark}` });
  });

  it('erasing leaves none of them, also in events that wait', async () => {
    expect((await findTraces(parley, mark)).length).toBeGreaterThan(0);
    expect([202, 204]).toContain((await tenant.admin.delete(`/visitors/${id}`)).status);
    await parley.untilRow(`SELECT FROM audit_entries WHERE action = 'visitor.erased' AND target = '${id}'`);
    expect(await findTraces(parley, mark)).toEqual([]);
    await tenant.bot.patch(`/visitors/${id}`, { attributes: { plan: 'x' } }).expect(404);
    await tenant.bot.patch(`/chats/${chatId}`, { attributes: { plan: 'x' } }).expect(404);
  });

  it('old attributes are removed with their events when the retention ends, and signed ones stay', async () => {
    await parley.admin.patch(`/${tenant.id}`, { retentionDays: 30 }).expect(200);
    await parley.query('UPDATE chats SET last_message_at = $2, attributes_at = $3 WHERE id = $1', [
      chatId,
      inDays(20),
      inDays(1),
    ]);
    await parley.query('UPDATE visitors SET attributes_at = $2 WHERE id = $1', [id, inDays(1)]);
    await clean(inDays(30.5));
    const known = { attributes: { order: `chat ${mark}` }, visitor: { attributes: { plan: `visitor ${mark}` } } };
    expect(await chat()).toMatchObject(known);
    await clean(inDays(31.5));
    const left = { attributes: {}, visitor: { attributes: {}, verifiedAttributes: { plan: `signed ${mark}` } } };
    expect(await chat()).toMatchObject(left);
    expect(await parley.query('SELECT id FROM deliveries WHERE organization_id = $1', [tenant.id])).toEqual([]);
  });
});
