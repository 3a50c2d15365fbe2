import { Client } from '../support/client.js';
import { signIdentity } from '../support/identity.js';
import type { Parley, Tenant } from '../support/parley.js';

/** A visitor starts a session, chats over HTTP, and signs in. */
export async function exerciseVisitor(parley: Parley, tenant: Tenant): Promise<void> {
  const identity = await signIdentity(tenant, { name: 'Vera', sub: 'vera' });
  const { body: session } = await parley.beginSession(tenant, { visitor: { name: 'V' } }).expect(201);
  await parley.beginSession(tenant, { visitor: { name: 'W' } }, session.token).expect(201);
  const visitor = parley.visitor(session.token);
  const { body: opened } = await visitor.post('/chats', {}).expect(201);
  const { id } = opened.chat;
  await visitor.get('/chats').expect(200);
  const said = { content: 'hello', clientMessageId: 'mine' };
  for (let time = 0; time < 2; time++) await visitor.post(`/chats/${id}/messages`, said).expect(201);
  const metadata = { options: [{ label: 'Yes', value: 'yes' }] };
  const question = { chatId: id, content: 'Well?', type: 'QUICK_REPLY', metadata };
  const { body: asked } = await tenant.bot.post('/messages', question).expect(200);
  const reply = { content: 'Yes', replyTo: { messageId: asked.id, value: 'yes' } };
  await visitor.post(`/chats/${id}/messages`, reply).expect(201);
  await visitor.get(`/chats/${id}/messages`).expect(200);
  await visitor.post(`/chats/${id}/typing`, { isTyping: true, text: 'Hel' }).expect(200);
  await visitor.post(`/chats/${id}/read`, { seq: 2 }).expect(200);
  await rate(parley, tenant, id, visitor);
  await rateMessage(tenant, id, visitor);
  await askForPerson(parley, tenant, id, visitor);
  // The anonymous visitor's open chats move to the signed identity.
  const { body: known } = await parley.beginSession(tenant, { identity, merge: true }, session.token).expect(201);
  await parley.visitor(known.token).delete('/sessions').expect(204);
}

/** Rates a chat that has ended, changes the rating, and reopens the chat. */
async function rate(parley: Parley, { admin, widgetKey }: Tenant, chatId: string, visitor: Client): Promise<void> {
  await admin.get('/widget').expect(200);
  await admin.patch('/widget', { rating: true, greeting: null }).expect(200);
  await new Client(parley.url)
    .get(`/api/visitor/widget?key=${widgetKey}`)
    .set('Origin', 'https://example.com')
    .expect(200);
  await parley.untilRow('SELECT FROM organizations WHERE widget_seen_at IS NOT NULL');
  await admin.get('/setup').expect(200);
  await visitor.post(`/chats/${chatId}/close`, {}).expect(200);
  for (const score of [4, 5]) await visitor.post(`/chats/${chatId}/rating`, { score, comment: 'Good' }).expect(200);
  await admin.patch(`/chats/${chatId}`, { status: 'ACTIVE' }).expect(200);
}

/** Rates a bot's message, changes the rating, and lists it. */
async function rateMessage({ admin, bot }: Tenant, chatId: string, visitor: Client): Promise<void> {
  await admin.patch('/widget', { messageRating: true }).expect(200);
  const { body: message } = await bot.post('/messages', { chatId, content: 'An answer' }).expect(200);
  for (const rating of ['UP', 'DOWN'])
    await visitor.put(`/chats/${chatId}/messages/${message.id}/rating`, { rating, comment: 'Good' }).expect(200);
  await visitor.get(`/chats/${chatId}/ratings`).expect(200);
}

/** Asks for a person, and lets the bots' time to react pass. */
async function askForPerson(parley: Parley, { admin }: Tenant, chatId: string, visitor: Client): Promise<void> {
  await admin.patch('/widget', { personAfter: 0 }).expect(200);
  await visitor.post(`/chats/${chatId}/handoff`, {}).expect(200);
  await parley.query('UPDATE person_requests SET due_at = now() WHERE chat_id = $1', [chatId]);
  await parley.untilRow('SELECT WHERE NOT EXISTS (SELECT FROM person_requests)');
}
