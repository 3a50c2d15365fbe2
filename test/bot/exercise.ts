import { SubscriptionUpkeep } from '../../src/pull/subscription-upkeep.js';
import type { Parley, Tenant } from '../support/parley.js';

/** A bot sends alone and in batches, repeats requests, transfers its chat, and reads it. */
export async function exerciseBot(parley: Parley, { bot, admin, chatId }: Tenant): Promise<void> {
  const send = (content: string, key?: string) => {
    const asked = bot.post('/messages', { chatId, content });
    return key === undefined ? asked : asked.set('Idempotency-Key', key);
  };
  await send('alone', 'key').expect(200);
  await send('alone', 'key').expect(200);
  await Promise.all(Array.from({ length: 20 }, (_, index) => send(`together ${index}`, `key-${index}`).expect(200)));
  await sendIntoLocked(parley, () => send('waits').expect(200));
  const { body: groups } = await bot.get('/groups').expect(200);
  const { body: group } = await admin.post('/groups', { name: 'People' }).expect(201);
  const transfer = { chatId, targetGroupId: group.id };
  for (let time = 0; time < 2; time++) await bot.post('/transfer', transfer).set('Idempotency-Key', 'move').expect(200);
  await bot.post('/transfer', { chatId, targetGroupId: groups[0].id }).expect(200);
  await bot.post('/transfer', { chatId }).expect(200);
  await bot.get('/chats?status=QUEUED').expect(200);
  await bot.get(`/chats/${chatId}`).expect(200);
  await bot.get(`/chats/${chatId}/messages`).expect(200);
  await bot.post(`/chats/${chatId}/typing`, { isTyping: true, text: 'Hel' }).expect(200);
  await bot.post(`/chats/${chatId}/read`, { seq: 1 }).expect(200);
  await bot.get(`/chats/${chatId}/read`).expect(200);
  await bot.get('/me').expect(200);
  const { body: other } = await admin.post('/chats', {}).expect(201);
  const visitorId = other.visitor.id;
  await bot.post('/chats', { visitorId }).expect(200);
  await bot.get(`/chats?visitorId=${visitorId}`).expect(200);
  await bot.patch(`/chats/${other.id}`, { title: 'Order 4711' }).expect(200);
  await bot.put(`/chats/${other.id}/state`, { state: { step: 1 } }).expect(200);
  await bot.get(`/chats/${other.id}/state`).expect(200);
  await bot.post(`/chats/${other.id}/close`).expect(200);
  const { body: opened } = await bot.post('/chats', { visitorId }).expect(200);
  const { body: seller } = await admin.post('/bots', { name: 'Seller' }).expect(201);
  await admin.post('/groups', { name: 'Sales', botId: seller.id }).expect(201);
  await bot.post('/transfer', { chatId: opened.chat.id, targetBotId: seller.id }).expect(200);
}

/** A bot polls its events, misses some, and stays away until its subscription expires. */
export async function exercisePull(parley: Parley, { bot, admin, botId, chatId }: Tenant): Promise<void> {
  const upkeep = parley.app.get(SubscriptionUpkeep);
  const poll = async (query: string) => (await bot.get(`/events?${query}`).expect(200)).body;
  await bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
  await bot.get('/subscription').expect(200);
  await admin.get(`/bots/${botId}/subscription`).expect(200);
  const { ack } = await poll('wait=1');
  await bot.post('/messages', { chatId, content: 'to be fetched' }).expect(200);
  const cursor = Buffer.from(chatId).toString('base64url');
  for (const query of ['', `?cursor=${cursor}`])
    await admin.get(`/bots/${botId}/subscription/events${query}`).expect(200);
  await poll(`ack=${ack}`);
  await parley.query(`UPDATE deliveries SET created_at = created_at - interval '8 days' WHERE receiver_id LIKE 'sub%'`);
  await upkeep.run();
  await upkeep.run(new Date(Date.now() + 8 * 86_400_000));
  await poll('wait=0');
  const share = await poll('wait=0&share=one');
  await poll(`wait=0&share=one&lease=0&ack=${share.ack}`);
  await poll('wait=1&share=one&lease=30');
  await bot.delete('/subscription').expect(204);
  await poll('wait=0');
}

/** Sends while another transaction holds the chat: the message leaves its batch, and is stored once the lock is free. */
async function sendIntoLocked(parley: Parley, send: () => PromiseLike<unknown>): Promise<void> {
  const holder = await parley.database.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM chats FOR UPDATE');
  // A request of supertest begins when it is awaited.
  const sending = Promise.resolve(send());
  await parley.untilRow(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  await holder.query('COMMIT');
  holder.release();
  await sending;
}
