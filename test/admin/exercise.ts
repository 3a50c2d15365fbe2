import { Client } from '../support/client.js';
import { ADMIN_TOKEN, type Parley, type Tenant } from '../support/parley.js';
import { PNG } from '../support/pictures.js';

const HOURS = { timeZone: 'UTC', week: {} };

/** Creates, reads, changes, and removes what administrators manage. */
export async function exerciseAdmin(parley: Parley, { admin, chatId, botId, id, widgetKey }: Tenant): Promise<void> {
  const organizations = parley.admin;
  const installation = new Client(`${parley.url}/api/admin`, ADMIN_TOKEN);
  await installation.post('/secrets/reseal', {}).expect(200);
  await installation.get('/nodes').expect(200);
  await organizations.get('').expect(200);
  await organizations.get(`/${id}`).expect(200);
  await organizations
    .patch(`/${id}`, { name: 'Other', allowedOrigins: [], timeZone: 'UTC', typingPreview: true, officeHours: HOURS })
    .expect(200);
  await organizations.patch(`/${id}`, { storeAddresses: false }).expect(200);
  await organizations.post(`/${id}/rotate-identity-secret`, {}).expect(200);
  await admin.put('/captcha', { provider: 'TURNSTILE', siteKey: 'key', secret: 'secret' }).expect(200);
  const { body: pictures } = await admin.put('/widget/pictures/bot', { content: PNG }).expect(200);
  await new Client(parley.url).get(`/api/visitor/widget/pictures/${pictures.bot}?key=${widgetKey}`).expect(200);
  await admin.get('/widget/pictures').expect(200);
  await admin.get('/health').expect(200);
  await admin.delete('/widget/pictures/bot').expect(204);
  await admin.get('/captcha').expect(200);
  await admin.delete('/captcha').expect(204);
  const { body: group } = await admin.post('/groups', { name: 'Second', isDefault: true }).expect(201);
  const { body: gone } = await admin.post('/groups', { name: 'Gone' }).expect(201);
  await admin.patch(`/groups/${gone.id}`, { name: 'Soon gone', officeHours: HOURS }).expect(200);
  await parley.query('UPDATE groups SET hours_due_at = clock_timestamp() WHERE id = $1', [gone.id]);
  await parley.untilRow(
    `SELECT FROM groups WHERE id = '${gone.id}' AND hours_due_at > clock_timestamp() + interval '1 hour'`,
  );
  await admin.patch(`/groups/${gone.id}`, { isDefault: true }).expect(200);
  await admin.patch(`/groups/${group.id}`, { isDefault: true }).expect(200);
  await admin.get('/groups').expect(200);
  await admin.get(`/groups/${gone.id}`).expect(200);
  const agent = { name: 'Ada', email: 'ada@example.com', groupIds: [gone.id] };
  const { body: ada } = await admin.post('/agents', agent).expect(201);
  await admin.get('/agents').expect(200);
  await admin.get(`/agents/${ada.id}`).expect(200);
  await admin.patch(`/agents/${ada.id}`, { name: 'Ada L.', groupIds: [group.id] }).expect(200);
  await admin.delete(`/agents/${ada.id}`).expect(204);
  await admin.delete(`/groups/${gone.id}`).expect(204);
  await admin.get('/chats').expect(200);
  await admin.get(`/chats/${chatId}`).expect(200);
  await admin.post('/chats', { groupId: group.id }).expect(201);
  for (const status of ['CLOSED', 'CLOSED', 'ACTIVE']) await admin.patch(`/chats/${chatId}`, { status }).expect(200);
  await admin.get('/bots').expect(200);
  await admin.get(`/bots/${botId}`).expect(200);
  await admin.patch(`/bots/${botId}`, { name: 'Robot' }).expect(200);
  const { body: token } = await admin.post(`/bots/${botId}/tokens`, { name: 'second' }).expect(201);
  await admin.get(`/bots/${botId}/tokens`).expect(200);
  await admin.get(`/bots/${botId}/tokens/${token.id}`);
  await admin.delete(`/bots/${botId}/tokens/${token.id}`).expect(204);
}
