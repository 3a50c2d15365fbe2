import { PushOutbox } from '../../../src/push/push-outbox.service.js';
import { eventually } from '../../support/eventually.js';
import { Scrape } from '../../support/scrape.js';
import type { NewAgent, Parley, SignedInAgent } from '../../support/parley.js';
import { defaultGroupOf, type Tenant } from '../../support/tenant.js';
import type { FakeBrowser } from './push-service.js';

/** Subscribes a browser of an agent. */
export async function subscribe({ client }: SignedInAgent, { subscription }: FakeBrowser, more: object = {}) {
  await client.put('/push/subscriptions', { ...subscription, ...more }).expect(204);
}

/** An agent of the tenant's default group. */
export async function signInMember(parley: Parley, tenant: Tenant, fields: NewAgent = {}): Promise<SignedInAgent> {
  return parley.signInAgent(tenant, { ...fields, groupIds: [await defaultGroupOf(tenant)] });
}

/** A chat whose visitor writes. */
export interface OpenChat {
  chatId: string;
  say: (content: string) => Promise<void>;
}

/** A new chat that waits in its group. */
export async function queueChat(parley: Parley, { admin, bot }: Tenant, name = 'Vera'): Promise<OpenChat> {
  const { body } = await admin.post('/chats', { visitor: { name } }).expect(201);
  const { id: chatId, visitorToken } = body as { id: string; visitorToken: string };
  await bot.post('/transfer', { chatId }).expect(200);
  const say = async (content: string) =>
    void (await parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content }).expect(201));
  return { chatId, say };
}

/** A new chat that the agent has claimed. */
export async function openChat(parley: Parley, tenant: Tenant, { client }: SignedInAgent, name?: string) {
  const chat = await queueChat(parley, tenant, name);
  await client.post(`/chats/${chat.chatId}/claim`, {}).expect(200);
  return chat;
}

/** How many notifications wait. */
export async function waiting(parley: Parley): Promise<number> {
  const [row] = await parley.query<{ count: number }>('SELECT count(*)::integer AS count FROM push_notifications');
  return row!.count;
}

/** Waits until no notification waits. */
export async function untilNone(parley: Parley): Promise<void> {
  await eventually(
    () => waiting(parley),
    (count) => count === 0,
  );
}

/** Does something that queues notifications, and waits until this many of them were dropped unsent. */
export async function untilLapsed(parley: Parley, work: () => Promise<unknown>, count = 1): Promise<void> {
  const read = async () => (await Scrape.of(parley.url)).value('parley_push_lapsed_total') ?? 0;
  const before = await read();
  await work();
  await eventually(read, (lapsed) => lapsed === before + count);
}

/** How many subscriptions an agent has. */
export async function subscriptionsOf(parley: Parley, { id }: SignedInAgent): Promise<number> {
  const text = 'SELECT count(*)::integer AS count FROM push_subscriptions WHERE agent_id = $1';
  const [row] = await parley.query<{ count: number }>(text, [id]);
  return row!.count;
}

/** Lets every waiting notification be due now. */
export async function hasten(...nodes: [Parley, ...Parley[]]): Promise<void> {
  // Once: it would end the lease of a node that has begun.
  await nodes[0].query("UPDATE push_notifications SET due_at = now() - interval '1 s', retry_at = NULL");
  for (const { app } of nodes) app.get(PushOutbox).wake();
}
