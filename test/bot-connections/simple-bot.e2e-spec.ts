import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';

let parley: Parley;
beforeAll(async () => {
  parley = await Parley.start();
});
afterAll(() => parley.stop());

// An organization, and a visitor who writes to it.
const begin = async (settings: object) => {
  const { id, widgetKey } = (await parley.admin.post('', { name: 'Acme', ...settings }).expect(201)).body;
  const { token } = (await parley.visitor().post('/sessions', { widgetKey }).expect(201)).body;
  const visitor = parley.visitor(token);
  const { chat } = (await visitor.post('/chats', {}).expect(201)).body;
  await visitor.post(`/chats/${chat.id}/messages`, { content: 'Hello' }).expect(201);
  const said = async () => (await visitor.get(`/chats/${chat.id}/messages`).expect(200)).body.messages;
  return { admin: parley.admin.below(`/${id}`), chat, said };
};

it('a new organization that begins with a simple bot answers its first visitor, and the audit log names the bot', async () => {
  const { admin, said } = await begin({ simpleBot: true });
  const messages = await eventually(said, ({ length }) => length > 1);
  expect(messages[1]).toMatchObject({ type: 'QUICK_REPLY', sender: { type: 'BOT', name: 'Assistant' } });
  const { bots } = (await admin.get('/bots').expect(200)).body;
  expect(bots).toEqual([expect.objectContaining({ name: 'Assistant', isAi: false, hasConnection: true })]);
  const { entries } = (await admin.get('/audit').expect(200)).body;
  const actions = entries.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['organization.created', 'bot.created', 'connection.created']));
});

it('a new organization has no bot otherwise, and its first visitor waits for people', async () => {
  const { admin, chat } = await begin({});
  expect((await admin.get('/bots').expect(200)).body.bots).toEqual([]);
  expect(chat.status).toBe('QUEUED');
});
