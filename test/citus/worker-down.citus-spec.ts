import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/platform/database/migrate.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { type Received, Receiver } from '../support/receiver.js';
import { CitusLab } from './support/lab.js';

interface Office {
  tenant: Tenant;
  ada: SignedInAgent;
  webhookId: string;
}

const PASSWORD = 'correct horse battery';

describe('a Citus cluster while one of its workers is down', () => {
  let lab: CitusLab;
  let parley: Parley;
  let receiver: Receiver;
  let living: Office;
  let lost: Office;

  beforeAll(async () => {
    lab = await CitusLab.start(2);
    await migrate(lab.url);
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, lab.url);
    receiver = await Receiver.start();
    living = await open();
    const home = await lab.workerOf(living.tenant.id);
    do lost = await open();
    while ((await lab.workerOf(lost.tenant.id)) === home);
    await loseDuringDelivery(lost);
  });
  afterAll(async () => {
    await parley?.stop();
    await receiver?.close();
    await lab?.stop();
  });

  /** An organization with an agent and a webhook. */
  const open = async (): Promise<Office> => {
    const tenant = await parley.createTenant();
    const { body: groups } = await tenant.bot.get('/groups').expect(200);
    const ada = await parley.signInAgent(tenant, { groupIds: [groups[0].id], password: PASSWORD });
    const { body: webhook } = await tenant.admin.post('/webhooks', { url: receiver.url }).expect(201);
    return { tenant, ada, webhookId: webhook.id };
  };
  /** The status of the latest delivery for an event of this type. */
  const statusOf = async ({ tenant, webhookId }: Office, type: string): Promise<string | undefined> => {
    const { body } = await tenant.admin.get(`/webhooks/${webhookId}/deliveries`).expect(200);
    return body.deliveries.find((delivery: { type: string }) => delivery.type === type)?.status;
  };
  const presenceOf = async ({ ada }: Office) => (await ada.client.get('/session').expect(200)).body.agent.presence;
  /** Kills the worker of an organization while its webhook is answering an event. */
  const loseDuringDelivery = async (office: Office): Promise<void> => {
    const { tenant } = office;
    const held: (() => void)[] = [];
    receiver.become(({ event }, response) => {
      if (event.organizationId === tenant.id) held.push(() => response.end());
      else response.end();
    });
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'held' }).expect(200);
    await receiver.until(eventsOf(office, 'message.created'));
    await (await lab.workerOf(tenant.id)).kill();
    receiver.become((_, response) => void response.end());
    for (const answer of held) answer();
  };
  const eventsOf =
    ({ tenant }: Office, type: string) =>
    (received: Received[]) =>
      received.some(({ event }) => event.type === type && event.organizationId === tenant.id);

  it("agents' requests are answered by organization, even if they arrive together", async () => {
    const { tenant, ada } = living;
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        [living, lost, living, lost].map((office) => office.ada.client.get('/session')),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 503, 200, 503]);
    }
    await tenant.bot.post('/transfer', { chatId: tenant.chatId }).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/read`, { seq: 1 }).expect(200);
    const notes = `/chats/${tenant.chatId}/notes`;
    const { body: note } = await ada.client.post(notes, { content: 'a note', mentions: [ada.id] }).expect(201);
    await ada.client.patch(`${notes}/${note.id}`, { content: 'another', mentions: [] }).expect(200);
    await ada.client.delete(`${notes}/${note.id}`).expect(204);
    await ada.client.post(`/chats/${tenant.chatId}/release`, {}).expect(200);
  });

  it('results of webhooks are stored, although results of its organizations wait', async () => {
    const { tenant } = living;
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'delivered' }).expect(200);
    await eventually(
      () => statusOf(living, 'message.created'),
      (status) => status === 'delivered',
    );
  });

  it('agents sign in with a password or a link, and sign out', async () => {
    const { tenant, ada } = living;
    const signIn = (email: string, password: string) =>
      parley.agent().post('/session', { email, password, mode: 'token' });
    const { body } = await signIn(ada.email, PASSWORD).expect(201);
    const again = await parley.signInAgain(tenant, ada.id);
    for (const client of [parley.agent(body.token), again.client]) {
      await client.get('/session').expect(200);
      await client.delete('/session').expect(204);
      await client.get('/session').expect(401);
    }
    // The worker may have another organization with this address.
    await signIn(ada.email, 'wrong horse battery').expect(503);
    await signIn(lost.ada.email, PASSWORD).expect(503);
  });

  it('an agent who connects is online, and stays online with the next heartbeats', async () => {
    await parley.connectAgent(living.ada.token);
    expect(await presenceOf(living)).toBe('ONLINE');
    // As if the last heartbeat were old, on each node of the cluster that can be reached.
    const age = `UPDATE %s SET seen_at = seen_at - interval '1 minute'`;
    await lab.query(`SELECT run_command_on_placements('nodes', $1)`, [age]);
    await eventually(
      () => presenceOf(living),
      (presence) => presence === 'ONLINE',
    );
  });

  it('time limits of the other organizations end, and their webhooks get the events', async () => {
    const { tenant } = living;
    await tenant.bot.post('/transfer', { chatId: tenant.chatId, maxWaitSeconds: 600 }).expect(200);
    await parley.query(`UPDATE handoffs SET due_at = now() WHERE organization_id = $1 AND ended_at IS NULL`, [
      tenant.id,
    ]);
    await receiver.until(eventsOf(living, 'chat.unanswered'));
  });

  it('a visitor begins a chat, and writes', async () => {
    const { tenant } = living;
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const visitor = parley.visitor(session.token);
    const { body } = await visitor.post('/chats', {}).expect(201);
    await visitor.post(`/chats/${body.chat.id}/messages`, { content: 'hello', clientMessageId: 'one' }).expect(201);
  });

  it('a chat of an agent who was disabled waits again', async () => {
    const { tenant, ada } = living;
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    // Nothing announces this change, so only the sweep finds it.
    await parley.query(`UPDATE agents SET is_enabled = false WHERE organization_id = $1`, [tenant.id]);
    const owner = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body.owner;
    await eventually(owner, (found) => found === 'QUEUE');
  });

  it('its organizations continue when it accepts connections again', async () => {
    const { tenant, ada } = lost;
    await (await lab.workerOf(tenant.id)).restart();
    await eventually(
      () => ada.client.get('/session'),
      ({ status }) => status === 200,
    );
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    await eventually(
      () => statusOf(lost, 'message.created'),
      (status) => status === 'delivered',
    );
    await parley.connectAgent(ada.token);
    // The worker learns of the node by its next heartbeat.
    await eventually(
      () => presenceOf(lost),
      (presence) => presence === 'ONLINE',
    );
  });
});
