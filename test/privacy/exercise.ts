import { Client } from '../support/client.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { ADMIN_TOKEN, type Parley, type Tenant } from '../support/parley.js';

/** Finds, exports, and erases a visitor, and removes expired data. Counters are set so that the chats seem long. */
export async function exercisePrivacy(parley: Parley, { admin, bot, id, chatId }: Tenant): Promise<void> {
  const begin = async () => (await admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201)).body;
  const { id: erased, visitor } = await begin();
  await bot.put(`/chats/${erased}/state`, { state: { step: 1 } }).expect(200);
  for (const path of ['', '?search=v', `/${visitor.id}`, `/${visitor.id}/export`])
    await admin.get(`/visitors${path}`).expect(200);
  await parley.query('UPDATE chats SET message_count = 300 WHERE id = $1', [erased]);
  const leaveBehind = `UPDATE messages SET sender_id = $1 WHERE chat_id = $2 AND client_message_id = 'socket'`;
  await parley.query(leaveBehind, [visitor.id, chatId]);
  await admin.delete(`/visitors/${visitor.id}`).expect(204);
  await parley.admin.patch(`/${id}`, { retentionDays: 1 }).expect(200);
  const later = new Date(Date.now() + 10 * 86_400_000);
  await parley.query('UPDATE chats SET message_count = 2000 WHERE id = $1', [(await begin()).id]);
  await parley.query('UPDATE chats SET last_message_at = $2 WHERE id = $1', [chatId, later]);
  await parley.app.get(DataRemoval).run(later);
  await removeAnonymous(parley);
}

/** Removes two anonymous visitors: one who wrote, and one who never did. */
async function removeAnonymous(parley: Parley): Promise<void> {
  const tenant = await parley.createTenant();
  for (const content of ['hello', null]) {
    const { body: session } = await parley.beginSession(tenant).expect(201);
    const visitor = parley.visitor(session.token);
    const { body: opened } = await visitor.post('/chats', {}).expect(201);
    if (content) await visitor.post(`/chats/${opened.chat.id}/messages`, { content }).expect(201);
  }
  await parley.app.get(DataRemoval).run(new Date(Date.now() + 40 * 86_400_000));
  await parley.admin.delete(`/${tenant.id}`).expect(204);
  await parley.admin.get('?deleted=true').expect(200);
  await parley.admin.post(`/${tenant.id}/restore`, {}).expect(200);
  await parley.admin.delete(`/${tenant.id}?now=true`).expect(204);
  await parley.app.get(DataRemoval).run();
  const installation = new Client(`${parley.url}/api/admin/installation`, ADMIN_TOKEN);
  for (const query of ['', `?target=${tenant.id}&action=organization.removed&limit=1`])
    await installation.get(`/audit${query}`).expect(200);
  const operators = new Client(`${parley.url}/api/admin/operators`, ADMIN_TOKEN);
  const { body: operator } = await operators.post('', { name: 'Olga' }).expect(201);
  await new Client(`${parley.url}/api/admin/organizations`, operator.token).get('').expect(200);
  for (const path of ['', `/${operator.id}`]) await operators.get(path).expect(200);
  await operators.delete(`/${operator.id}`).expect(204);
}
