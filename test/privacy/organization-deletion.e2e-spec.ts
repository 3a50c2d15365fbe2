import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { fillChat, findTraces, stopOwnPasses } from '../support/traces.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('deleting and restoring an organization', () => {
  let parley: Parley;
  let otherNode: Parley;
  let receiver: Receiver;
  let installation: Client;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    stopOwnPasses(parley);
    otherNode = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, parley.databaseUrl);
    stopOwnPasses(otherNode);
    receiver = await Receiver.start();
    installation = new Client(`${parley.url}/api/admin/installation`, ADMIN_TOKEN);
  });
  afterAll(async () => {
    await otherNode.stop();
    await receiver.close();
    await parley.stop();
  });

  const remove = (id: string, query = '') => parley.admin.delete(`/${id}${query}`);
  const restore = (id: string) => parley.admin.post(`/${id}/restore`, {});
  const entriesOf = async (id: string) =>
    (await installation.get(`/audit?target=${id}`).expect(200)).body.entries.toReversed() as any[];
  const actionsOf = async (id: string) => (await entriesOf(id)).map(({ action }) => action);
  const deletedOnes = async () =>
    (await parley.admin.get('?deleted=true&limit=50').expect(200)).body.organizations as any[];
  /** Everything that is stored about an organization, except times of use, which are written with a delay. */
  const snapshotOf = async ({ id }: Tenant) => {
    const tables = await parley.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'organization_id' AND table_schema = 'public'`,
    );
    const rows = tables.map(async ({ name }) => {
      const found = await parley.query<{ row: object }>(
        `SELECT to_jsonb(t) - 'last_used_at' AS row FROM ${name} t WHERE organization_id = $1`,
        [id],
      );
      return [name, found.map(({ row }) => JSON.stringify(row)).toSorted()] as const;
    });
    return Object.fromEntries(await Promise.all(rows));
  };

  it('a deleted organization is rejected everywhere immediately, on every node, and comes back with everything', async () => {
    const tenant = await parley.createTenant();
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    await tenant.bot.put('/subscription', {}).expect(200);
    const say = (content: string) =>
      parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201);
    await say('before');
    await receiver.until((all) => all.some(({ event }) => event.organizationId === tenant.id));
    const sockets = [await parley.connectVisitor(tenant.visitorToken), await parley.connectAgent(ada.token)];
    const poll = tenant.bot
      .get('/events?wait=50&limit=1')
      .then(({ body }) => tenant.bot.get(`/events?wait=50&ack=${body.ack}`));

    await remove(tenant.id).expect(204);

    for (const node of [parley, otherNode]) {
      await node.bot(tenant.token).get('/groups').expect(401);
      await node.bot(tenant.token).post('/messages', { chatId: tenant.chatId, content: 'x' }).expect(401);
      await node.visitor(tenant.visitorToken).get('/chats').expect(401);
      await node.agent(ada.token).get('/session').expect(401);
      await node.beginSession(tenant).expect(404);
      await node.visitor().get(`/widget?key=${tenant.widgetKey}`).expect(404);
      await node.admin.get(`/${tenant.id}`).expect(404);
      await node.admin.get(`/${tenant.id}/chats`).expect(404);
      await node.admin.patch(`/${tenant.id}`, { name: 'Back' }).expect(404);
    }
    await remove(tenant.id).expect(404);
    expect((await poll).status).toBe(401);
    for (const { socket } of sockets)
      await eventually(
        () => socket.connected,
        (isConnected) => !isConnected,
      );
    const [listed] = (await deletedOnes()).filter(({ id }) => id === tenant.id);
    expect(Date.parse(listed.removeAt) - Date.parse(listed.deletedAt)).toBe(7 * DAY_MS);
    expect(listed).toMatchObject({ name: 'Acme', isRestorable: true });
    expect((await parley.admin.get('?limit=50')).body.organizations).not.toContainEqual(
      expect.objectContaining({ id: tenant.id }),
    );

    expect((await restore(tenant.id).expect(200)).body).toMatchObject({ id: tenant.id, widgetKey: tenant.widgetKey });

    for (const node of [parley, otherNode]) {
      await node.bot(tenant.token).get(`/chats/${tenant.chatId}`).expect(200);
      await node.visitor(tenant.visitorToken).get('/chats').expect(200);
      await node.agent(ada.token).get('/session').expect(200);
      await node.beginSession(tenant).expect(201);
    }
    await say('after');
    await receiver.until((all) => all.some(({ event }) => event.data.message?.content === 'after'));
    const { body } = await tenant.bot.get('/events?limit=50').expect(200);
    expect(body.events.length).toBeGreaterThan(0);
    expect((await deletedOnes()).map(({ id }) => id)).not.toContain(tenant.id);
    await restore(tenant.id).expect(409);
    await restore('org_unknown').expect(404);
    expect(await actionsOf(tenant.id)).toEqual([
      'organization.created',
      'organization.deleted',
      'organization.restored',
    ]);
    const { body: own } = await tenant.admin.get('/audit').expect(200);
    expect(own.entries.slice(0, 2).map(({ action }: any) => action)).toEqual([
      'organization.restored',
      'organization.deleted',
    ]);
  });

  it('no timer, sweep, or retention touches a deleted organization, and nothing of it is sent', async () => {
    const [gone, control] = [await parley.createTenant(), await parley.createTenant()];
    for (const { admin, bot, chatId, visitorToken } of [gone, control]) {
      const { body: group } = await admin.post('/groups', { name: 'Slow', maxWaitSeconds: 3_600 }).expect(201);
      await admin.patch('', { retentionDays: 1, botSilenceSeconds: 600, awayAfterMinutes: 5 }).expect(200);
      await admin.post('/webhooks', { url: receiver.url }).expect(201);
      const { body: second } = await parley.visitor(visitorToken).post('/chats', {}).expect(201);
      await parley.visitor(visitorToken).post(`/chats/${second.chat.id}/messages`, { content: 'hello' }).expect(201);
      await bot.post('/transfer', { chatId, targetGroupId: group.id }).expect(200);
    }
    await receiver.until((all) => all.filter(({ event }) => event.type === 'chat.transferred').length >= 2);
    // Results of attempts are stored, and lanes released, after the receiver's answers.
    await parley.untilRow(
      `SELECT WHERE NOT EXISTS (SELECT FROM deliveries WHERE organization_id = '${gone.id}' AND outcome IS NULL)
         AND NOT EXISTS (SELECT FROM webhook_lanes WHERE organization_id = '${gone.id}' AND leased_until IS NOT NULL)`,
    );
    await remove(gone.id).expect(204);
    await parley.query(`UPDATE handoffs SET due_at = now() - interval '1 minute'`);
    await parley.query(`UPDATE groups SET hours_due_at = now() - interval '1 minute'`);
    await parley.query(
      `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at)
       SELECT organization_id, receiver_id, id || 'x', nextval('deliveries_position'), chat_id, event_type,
         '{"organizationId":"' || organization_id || '","type":"late"}', now() FROM deliveries WHERE event_type = 'chat.transferred'
         AND organization_id = ANY ($1)`,
      [[gone.id, control.id]],
    );
    const before = await snapshotOf(gone);

    await receiver.until((all) =>
      all.some(({ event }) => event.type === 'late' && event.organizationId === control.id),
    );
    await parley.untilRow(`SELECT FROM handoffs WHERE organization_id = '${control.id}' AND unanswered_at IS NOT NULL`);
    await parley.untilRow(`SELECT FROM groups WHERE organization_id = '${control.id}' AND hours_due_at IS NULL`);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 3 * DAY_MS));
    expect(await parley.query('SELECT FROM chats WHERE organization_id = $1', [control.id])).toEqual([]);

    expect(await snapshotOf(gone)).toEqual(before);
    expect(receiver.received.filter(({ event }) => event.type === 'late' && event.organizationId === gone.id)).toEqual(
      [],
    );
    await restore(gone.id).expect(200);
    await receiver.until((all) => all.some(({ event }) => event.type === 'late' && event.organizationId === gone.id));
  });

  it('an organization is removed when its time is over, and the audit log of the installation has the number of rows', async () => {
    const tenant = await parley.createTenant();
    await fillChat(parley, tenant.id, tenant.chatId, 1_500);
    await remove(tenant.id).expect(204);
    await parley.app.get(DataRemoval).run(new Date(Date.now() + 6.9 * DAY_MS));
    await restore(tenant.id).expect(200);
    await remove(tenant.id).expect(204);
    const later = new Date(Date.now() + 7.1 * DAY_MS);
    await Promise.all([parley, otherNode].map((node) => node.app.get(DataRemoval).run(later)));
    await eventually(
      () => findTraces(parley, tenant.id),
      (traces) => traces.length === 0,
    );
    await restore(tenant.id).expect(404);
    const entries = await entriesOf(tenant.id);
    expect(entries.map(({ action }) => action)).toEqual([
      'organization.created',
      'organization.deleted',
      'organization.restored',
      'organization.deleted',
      'organization.removal_began',
      'organization.removed',
    ]);
    const rows = { chats: 1, messages: 1_500, visitors: 1, agents: 0, bots: 1 };
    expect(entries.slice(-2).map(({ details, actor }) => [details, actor.type])).toEqual([
      [rows, 'SYSTEM'],
      [rows, 'SYSTEM'],
    ]);
    expect(entries[0]).toMatchObject({
      targetName: 'Acme',
      actor: { type: 'ADMIN', id: null, name: null },
    });
    expect(entries[1].details).toEqual({ removeAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  it('now=true removes an organization immediately, even when it is deleted already', async () => {
    const [first, second] = [await parley.createTenant(), await parley.createTenant()];
    await remove(first.id, '?now=true').expect(204);
    await remove(second.id).expect(204);
    await remove(second.id, '?now=yes').expect(400);
    await remove(second.id, '?now=true').expect(204);
    for (const { id } of [first, second])
      await eventually(
        () => actionsOf(id),
        (actions) => actions.at(-1) === 'organization.removed',
      );
    await remove(second.id, '?now=true').expect(404);
  });

  it('an organization is either restored or removed, never half, when both begin at the same time', async () => {
    const tenants = await Promise.all(Array.from({ length: 6 }, () => parley.createTenant()));
    for (const tenant of tenants) await remove(tenant.id).expect(204);
    await parley.query('UPDATE organizations SET remove_at = now() WHERE id = ANY ($1)', [tenants.map(({ id }) => id)]);
    const removals = [parley, otherNode].map((node) => node.app.get(DataRemoval).run());
    const restored = await Promise.all(
      tenants.map(async ({ id }, at) => (await [parley, otherNode][at % 2]!.admin.post(`/${id}/restore`, {})).status),
    );
    await Promise.all(removals);
    for (const [at, status] of restored.entries()) {
      const { id, bot, chatId } = tenants[at]!;
      if (status === 200) {
        await bot.get(`/chats/${chatId}`).expect(200);
        expect(await actionsOf(id)).not.toContain('organization.removal_began');
        continue;
      }
      expect([404, 409]).toContain(status);
      await eventually(
        () => actionsOf(id),
        (actions) => actions.at(-1) === 'organization.removed',
      );
    }
  });

  it('every message that is acknowledged during a deletion is there after the organization was restored', async () => {
    const tenant = await parley.createTenant();
    const say = async (n: number) => {
      const node = n % 2 === 0 ? parley : otherNode;
      const { status } = await node
        .bot(tenant.token)
        .post('/messages', { chatId: tenant.chatId, content: `said ${n}` });
      return { content: `said ${n}`, status };
    };
    const sends = Array.from({ length: 30 }, (_, n) => say(n));
    const isDeleted = remove(tenant.id).expect(204);
    const later = Array.from({ length: 30 }, (_, n) => say(30 + n));
    await isDeleted;
    const last = await say(60);
    const results = [...(await Promise.all([...sends, ...later])), last];
    expect(last.status).toBe(401);
    expect(new Set(results.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
    await restore(tenant.id).expect(200);
    const { body } = await tenant.bot.get(`/chats/${tenant.chatId}/messages?limit=200`).expect(200);
    const acknowledged = results.filter(({ status }) => status === 200).map(({ content }) => content);
    expect(body.messages.map(({ content }: any) => content).toSorted()).toEqual(acknowledged.toSorted());
  });

  it('an organization that a node of the previous release deleted is removed immediately', async () => {
    const tenant = await parley.createTenant();
    await parley.query('UPDATE organizations SET deleted_at = now() WHERE id = $1', [tenant.id]);
    expect((await deletedOnes()).find(({ id }) => id === tenant.id)).toMatchObject({ isRestorable: false });
    await restore(tenant.id).expect(409);
    await parley.app.get(DataRemoval).run();
    await eventually(
      () => actionsOf(tenant.id),
      (actions) => actions.at(-1) === 'organization.removed',
    );
  });

  it('a deleted organization keeps its widget key, and its agents sign in to the others', async () => {
    const [gone, kept] = [await parley.createTenant(), await parley.createTenant({ name: 'Other' })];
    const agent = { email: 'shared@example.com', password: 'a long enough password' };
    await parley.signInAgent(gone, agent);
    await parley.signInAgent(kept, agent);
    await remove(gone.id).expect(204);
    const signIn = () => parley.agent().post('/session', { ...agent, mode: 'token' });
    const { body } = await signIn().expect(201);
    expect(body.organization.id).toBe(kept.id);
    await restore(gone.id).expect(200);
    expect((await signIn()).status).not.toBe(401);
    await parley.beginSession(gone).expect(201);
  });

  it('administrators of an organization can neither delete, list, nor restore organizations', async () => {
    const tenant = await parley.createTenant();
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    const own = (path: string) => new Client(`${parley.url}/api/admin${path}`, ada.token);
    await own('/organizations').get('?deleted=true').expect(403);
    await own(`/organizations/${tenant.id}`).post('/restore', {}).expect(403);
    await own(`/organizations/${tenant.id}`).delete('?now=true').expect(403);
    await own('/installation').get('/audit').expect(403);
    await new Client(`${parley.url}/api/admin/installation`).get('/audit').expect(401);
  });
});
