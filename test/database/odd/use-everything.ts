import { expect } from '@jest/globals';
import type { Pool } from 'pg';
import { POOL } from '../../../src/platform/database/pool.js';
import { exerciseChanges } from '../../changes/exercise.js';
import type { Parley, Tenant } from '../../support/parley.js';

/** Texts of many alphabets, and the characters that mean something to SQL, arrays, and JSON. */
const TEXTS = [
  '€ 5 – “quoted”',
  '👩🏽‍🚀 שלום',
  String.raw`\ \\ \n ' '' " {a,"b"} NULL $$ %s ?`,
  '東京\tİıß',
  'NULL',
  'null',
];

/** Everything that must be right on each database: sends, transfers, claims, searches, reports, and erases. */
export async function useEverything(parley: Parley): Promise<void> {
  const tenant = await parley.createTenant({ name: '€ 東京 😀' });
  await sendAll(tenant);
  await transferAndClaim(parley, tenant);
  await searchAndErase(parley, tenant);
  await exerciseChanges(parley, tenant);
  const { rows } = await parley.app
    .get<Pool>(POOL)
    .query(`SELECT current_setting('synchronous_commit') <> 'off' AS waits`);
  expect(rows).toEqual([{ waits: true }]);
  await fetch(`${parley.url}/health/ready`).then(({ status }) => expect(status).toBe(200));
}

async function sendAll({ bot, admin, chatId }: Tenant): Promise<void> {
  const { body: other } = await admin.post('/chats', {}).expect(201);
  await bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
  const contents = [...TEXTS, ...TEXTS, ...TEXTS];
  const send = (id: string, content: string, key: number) =>
    bot
      .post('/messages', { chatId: id, content, metadata: { text: content } })
      .set('Idempotency-Key', String(key))
      .expect(200);
  const both = contents.flatMap((content, index) => [
    send(chatId, content, index),
    send(other.id as string, content, 100 + index),
  ]);
  await Promise.all(both);
  await send(chatId, contents[0]!, 0);
  const { body } = await bot.get(`/chats/${chatId}/messages?limit=100`).expect(200);
  const messages = body.messages as { seq: number; content: string; metadata: { text: string } }[];
  expect(messages.map(({ seq }) => seq)).toEqual(contents.map((_, index) => index + 1));
  expect(messages.map(({ content }) => content).toSorted()).toEqual(contents.toSorted());
  expect(messages.every(({ content, metadata }) => metadata.text === content)).toBe(true);
  const { body: polled } = await bot.get('/events?wait=0').expect(200);
  expect(polled.events.length).toBeGreaterThan(0);
}

async function transferAndClaim(parley: Parley, tenant: Tenant): Promise<void> {
  const agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR', name: 'Zoë' });
  await tenant.bot.post('/transfer', { chatId: tenant.chatId, summary: TEXTS[0] }).expect(200);
  await agent.client.post(`/chats/${tenant.chatId}/claim`).expect(200);
  await agent.client.post(`/chats/${tenant.chatId}/messages`, { content: TEXTS[1] }).expect(201);
  await Promise.all(
    TEXTS.map((content) =>
      parley.visitor(tenant.visitorToken).post(`/chats/${tenant.chatId}/messages`, { content }).expect(201),
    ),
  );
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  for (const path of ['', '/agents', '/ratings', '/chats/export'])
    await agent.client.get(`/reports${path}?from=${day(-1)}&to=${day(1)}&timeZone=Asia/Tokyo`).expect(200);
}

async function searchAndErase(parley: Parley, tenant: Tenant): Promise<void> {
  const { admin } = tenant;
  const agent = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
  const visitor = { name: 'Zoë Östberg İnce', email: 'zoe@example.com' };
  const { body: chat } = await admin.post('/chats', { visitor }).expect(201);
  await admin.post('/chats', { visitor: { name: '💬', email: 'other@example.com' } }).expect(201);
  const find = async (search: string) => {
    const { body } = await admin.get(`/visitors?search=${encodeURIComponent(search)}`).expect(200);
    const { body: chats } = await agent.client.get(`/chats/search?search=${encodeURIComponent(search)}`).expect(200);
    return [body.visitors.map(({ id }: { id: string }) => id), chats.chats.map(({ id }: { id: string }) => id)];
  };
  expect(await find('zo')).toEqual([[chat.visitor.id], [chat.id]]);
  expect(await find('Zoë Öst')).toEqual([[chat.visitor.id], [chat.id]]);
  const { body: byEmail } = await admin.get('/visitors?email=ZOE@example.com').expect(200);
  expect(byEmail.visitors).toMatchObject([{ id: chat.visitor.id, name: visitor.name }]);
  await admin.delete(`/visitors/${chat.visitor.id}`).expect(204);
  expect(await find('zo')).toEqual([[], []]);
}
