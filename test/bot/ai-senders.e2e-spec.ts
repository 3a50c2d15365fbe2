import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { defaultGroupOf } from '../support/tenant.js';
import type { VisitorSocket } from '../support/visitor.js';

const OWN = 'You are chatting with an AI, not with a person.';

describe('an AI that sends messages', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    receiver = await Receiver.start();
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [await defaultGroupOf(tenant)] });
    await tenant.admin.post('/webhooks', { url: receiver.url, events: ['message.created'] }).expect(201);
  });
  afterEach(() => receiver.close());

  const botOf = (isAi: boolean) => ({ type: 'BOT', id: tenant.botId, name: 'Bot', isAi });
  const setAi = (isAi: unknown) => tenant.admin.patch(`/bots/${tenant.botId}`, { isAi });
  const say = async (content = 'hello') =>
    (await tenant.bot.post('/messages', { chatId: tenant.chatId, content }).expect(200)).body;
  const open = async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    return { visitor, opened: await visitor.ask('chat:open', { chatId: tenant.chatId }) };
  };
  const readByAgent = async () => (await ada.client.get(`/chats/${tenant.chatId}/messages`).expect(200)).body.messages;
  const exported = async () => (await tenant.admin.get(`/visitors/${tenant.visitorId}/export`).expect(200)).body;
  const sendersOf = (messages: { sender: object }[]) => messages.map(({ sender }) => sender);
  const pointersOf = ({ body }: any) => body.errors.map(({ pointer }: any) => pointer);

  it('its messages say so wherever they are read', async () => {
    const { visitor } = await open();
    await say();
    expect((await visitor.next('message')).sender).toEqual(botOf(true));
    const event = (await receiver.count(1))[0]!.event;
    expect(event.data.message.sender).toEqual(botOf(true));
    const { body: chat } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    expect(sendersOf(chat.messages)).toEqual([botOf(true)]);
    expect(sendersOf((await open()).opened.messages)).toEqual([botOf(true)]);
    expect(sendersOf(await readByAgent())).toEqual([botOf(true)]);
    const { body: inbox } = await ada.client.get('/chats?view=BOT').expect(200);
    expect(inbox.chats[0].lastMessage.sender).toEqual(botOf(true));
    expect(sendersOf((await exported()).chats[0].messages)).toEqual([botOf(true)]);
  });

  it('its typing and live text say so', async () => {
    const { visitor } = await open();
    await tenant.bot.post(`/chats/${tenant.chatId}/typing`, { isTyping: true, text: 'Hel' }).expect(200);
    expect((await visitor.next('typing')).sender).toEqual(botOf(true));
  });

  it('messages of visitors and agents say nothing of it', async () => {
    const { visitor } = await open();
    await visitor.ask('message:send', { chatId: tenant.chatId, content: 'Hi', clientMessageId: 'a' });
    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/messages`, { content: 'Hi', clientMessageId: 'b' }).expect(201);
    for (const { sender } of await readByAgent()) expect(sender).not.toHaveProperty('isAi');
  });

  it('stored messages keep what they say when the bot changes', async () => {
    await say('by an AI');
    expect((await setAi(false).expect(200)).body.isAi).toBe(false);
    await say('by a script');
    expect(sendersOf(await readByAgent())).toEqual([botOf(true), botOf(false)]);
    const events = await receiver.count(2);
    expect(events.map(({ event }) => event.data.message.sender.isAi)).toEqual([true, false]);
    for (const isAi of ['no', 0, {}]) expect(pointersOf(await setAi(isAi).expect(400))).toEqual(['/isAi']);
  });

  it('a bot with a connection is always one', async () => {
    const connection = { kind: 'n8n', url: 'http://127.0.0.1:9/chat' };
    await setAi(false).expect(200);
    await tenant.admin.put(`/bots/${tenant.botId}/connection`, connection).expect(200);
    expect((await tenant.admin.get(`/bots/${tenant.botId}`).expect(200)).body.isAi).toBe(true);
    expect(pointersOf(await setAi(false).expect(400))).toEqual(['/isAi']);
  });

  describe('the disclosure', () => {
    const widgetIn = async (query: string) =>
      (await request(parley.url).get(`/api/visitor/widget?key=${tenant.widgetKey}${query}`).expect(200)).body
        .aiDisclosure;
    const choose = (aiDisclosure: unknown, more: object = {}) =>
      tenant.admin.patch('/widget', { aiDisclosure, ...more });
    const begin = async (locale?: string): Promise<{ chatId: string; visitor: VisitorSocket }> => {
      const { body } = await parley.beginSession(tenant).expect(201);
      const visitor = await parley.connectVisitor(body.token);
      return { chatId: (await visitor.ask('chat:open', { locale })).chat.id, visitor };
    };
    const recordOf = async (chatId: string) =>
      (await tenant.admin.get(`/chats/${chatId}`).expect(200)).body.aiDisclosure;
    const answer = (chatId: string) => tenant.bot.post('/messages', { chatId, content: 'Hello' }).expect(200);

    it("the page reads it in its language, in Parley's own words or the organization's", async () => {
      expect(await widgetIn('')).toEqual({ text: OWN });
      expect(await widgetIn('&locale=de-AT')).toEqual({
        text: 'Sie schreiben mit einer KI, nicht mit einem Menschen.',
      });
      expect(await widgetIn('&locale=zh-TW')).toEqual({ text: '與您對話的是 AI，不是真人。' });
      await choose(
        { text: 'A machine.' },
        { translations: { de: { aiDisclosure: { text: 'Eine Maschine.' } } } },
      ).expect(200);
      expect(await widgetIn('&locale=fr')).toEqual({ text: 'A machine.' });
      expect(await widgetIn('&locale=de-AT')).toEqual({ text: 'Eine Maschine.' });
      expect((await choose(null).expect(200)).body.aiDisclosure).toBeNull();
      expect(await widgetIn('&locale=en')).toEqual({ text: OWN });
    });

    it('it has 1 to 200 characters', async () => {
      for (const [chosen, pointer] of [
        [{ text: '' }, '/aiDisclosure/text'],
        [{ text: ' ' }, '/aiDisclosure/text'],
        [{ text: 'x'.repeat(201) }, '/aiDisclosure/text'],
        [{ text: null }, '/aiDisclosure/text'],
        ['none', '/aiDisclosure'],
        [{ text: 'A', hidden: true }, '/aiDisclosure'],
      ] as const)
        expect(pointersOf(await choose(chosen).expect(400))).toEqual([pointer]);
      const translations = { de: { aiDisclosure: { text: '' } } };
      const refused = await tenant.admin.patch('/widget', { translations }).expect(400);
      expect(pointersOf(refused)).toEqual(['/translations/de/aiDisclosure/text']);
    });

    it('the chat records what was shown before the first message of an AI', async () => {
      const { chatId, visitor } = await begin('de');
      expect(await recordOf(chatId)).toBeNull();
      await visitor.ask('message:send', { chatId, content: 'Hallo', clientMessageId: 'a' });
      await choose({ text: 'Changed since.' }).expect(200);
      await answer(chatId);
      await answer(chatId);
      const record = { text: 'Sie schreiben mit einer KI, nicht mit einem Menschen.', locale: 'de', seq: 2 };
      expect(await recordOf(chatId)).toEqual(record);
      const visitorId = (await tenant.admin.get(`/chats/${chatId}`).expect(200)).body.visitor.id;
      const { body } = await tenant.admin.get(`/visitors/${visitorId}/export`).expect(200);
      expect(body.chats[0].aiDisclosure).toEqual(record);
    });

    it("the chat's version counts the record", async () => {
      const { chatId } = await begin('de');
      await answer(chatId);
      const { headers } = await tenant.admin.get(`/chats/${chatId}`).expect(200);
      await tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).set('If-Match', headers.etag!).expect(200);
    });

    it('a chat of a client that names no language has no record', async () => {
      const { chatId } = await begin();
      await answer(chatId);
      expect(await recordOf(chatId)).toBeNull();
    });

    it('a chat where no AI has written has no record', async () => {
      await setAi(false).expect(200);
      const { chatId } = await begin('fr');
      await answer(chatId);
      expect(await recordOf(chatId)).toBeNull();
    });
  });
});
