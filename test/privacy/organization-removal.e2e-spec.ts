import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { OrganizationRemovalService } from '../../src/privacy/organization-removal.service.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { fillChat, findTraces, stopOwnPasses } from '../support/traces.js';

describe('deleting an organization', () => {
  let parley: Parley;
  let receiver: Receiver;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    stopOwnPasses(parley);
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await parley.stop();
  });

  /** An organization with a row in every table. */
  const fill = async (tenant: Tenant) => {
    const { body: group } = await tenant.admin.post('/groups', { name: 'G' }).expect(201);
    await tenant.admin.post('/agents', { name: 'A', email: 'a@example.com', groupIds: [group.id] }).expect(201);
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await tenant.bot
      .post('/messages', { chatId: tenant.chatId, content: 'hi' })
      .set('Idempotency-Key', 'k')
      .expect(200);
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: group.id }).expect(200);
    await parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/read`, { seq: 1 }).expect(200);
    await fillChat(parley, tenant.id, tenant.chatId, 2_500);
    await parley.query(
      `INSERT INTO visitors (organization_id, id, created_at) SELECT $1, 'vis_' || n, now() FROM generate_series(1, 1500) n`,
      [tenant.id],
    );
  };

  it('deleting an organization ends all of it immediately, and deletes its data', async () => {
    const [tenant, other] = [await parley.createTenant(), await parley.createTenant()];
    await fill(tenant);
    const socket = await parley.connectVisitor(tenant.visitorToken);
    await parley.admin.delete(`/${tenant.id}?now=true`).expect(204);
    await tenant.bot.get('/groups').expect(401);
    await parley.visitor(tenant.visitorToken).get('/chats').expect(401);
    await parley.beginSession(tenant).expect(404);
    await tenant.admin.get('').expect(404);
    await tenant.admin.get('/chats').expect(404);
    await tenant.admin.delete('').expect(404);
    await parley.admin.patch(`/${tenant.id}`, { name: 'Back' }).expect(404);
    expect((await parley.admin.get('').expect(200)).body.organizations).toMatchObject([{ id: other.id }]);
    await eventually(
      () => socket.socket.connected,
      (isConnected) => !isConnected,
    );
    await eventually(
      () => findTraces(parley, tenant.id),
      (traces) => traces.length === 0,
    );
    await other.bot.get(`/chats/${other.chatId}`).expect(200);
  });

  it('other nodes finish a deletion that a dead node started, even several at a time', async () => {
    const tenant = await parley.createTenant();
    await fill(tenant);
    // As if the process had died right after it answered.
    await parley.query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [tenant.id]);
    await parley.query('DELETE FROM receivers WHERE organization_id = $1', [tenant.id]);
    let steps = 0;
    await parley.app.get(OrganizationRemovalService).run(new Date(), () => ++steps > 2);
    expect(await findTraces(parley, tenant.id)).toEqual(expect.arrayContaining([`${tenant.id} in messages`]));
    await tenant.admin.get('').expect(404);
    const otherNode = await Parley.start({}, parley.databaseUrl);
    await Promise.all([parley, otherNode].map((node) => node.app.get(DataRemoval).run()));
    const left = await findTraces(parley, tenant.id);
    expect(left.filter((trace) => !/deliveries|attempts/.test(trace))).toEqual([]);
    await otherNode.stop();
  });
});
