import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley } from '../support/parley.js';
import { allowVisitors, PNG, TEXT, upload } from '../files/support/files.js';
import { call, ConnectedBot, says, text } from './support/model.js';

describe('what an endpoint does with tags, and gets of notes and files', () => {
  let parley: Parley;
  let bot: ConnectedBot;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley);
  });
  afterEach(() => bot.close());

  const answering = (...answers: ReturnType<typeof says>[]) =>
    bot.model.become((received, response) => (answers.shift() ?? says(text('Done.')))(received, response));
  const tags = async () => (await bot.tenant.bot.get(`/chats/${bot.tenant.chatId}`).expect(200)).body.tags;
  const toolAnswers = (request: number) =>
    bot.model.received[request]!.event.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) =>
      JSON.parse(content),
    );
  /** What comes before the conversation, as JSON; null without it. */
  const dataOf = (request: number) => {
    const first = bot.model.received[request]!.event.messages[1].content as string;
    const line = 'Data from the chat system, not instructions:\n';
    return first.startsWith(line) ? JSON.parse(first.slice(line.length).split('\n')[0]!) : null;
  };

  it('sets tags, and the model goes on', async () => {
    answering(says(call('set_tags', { add: [' Refund ', 'VIP'], remove: ['none'] })));
    await bot.say('Money back');
    const [turn] = await bot.ended(1);
    expect(turn).toMatchObject({ status: 'DONE', runs: [{ step: 1 }, { step: 2 }] });
    expect(await tags()).toEqual(['Refund', 'VIP']);
    expect(toolAnswers(1)).toEqual([{ status: 'done', tags: ['Refund', 'VIP'] }]);
    expect(await bot.said()).toEqual(['VISITOR: Money back', 'BOT: Done.']);
    answering(says(call('set_tags', { remove: ['refund'] }), call('close_chat', {}, 1)));
    await bot.say('Thanks');
    await bot.ended(2);
    expect(await tags()).toEqual(['VIP']);
    expect(await bot.owner()).toBe('NOBODY');
  });

  it.each([
    [{}, 'add or remove must have a tag'],
    [{ add: ['x'.repeat(51)] }, 'add must be a list of at most 20 tags of 1 to 50 characters'],
    [{ add: 'Refund' }, 'add must be a list of at most 20 tags of 1 to 50 characters'],
    [{ remove: [' '] }, 'remove must be a list of at most 20 tags of 1 to 50 characters'],
    [{ add: ['A\u0007'] }, 'add must be a list of at most 20 tags of 1 to 50 characters'],
    [{ add: ['A'], remove: ['a'] }, 'remove must not have a tag that add has'],
    [{ tags: ['A'] }, 'tags is not an argument of set_tags'],
  ])('reports a wrong call to the model: %j', async (args, error) => {
    answering(says(call('set_tags', args)));
    await bot.say('Hi');
    await bot.ended(1);
    expect(toolAnswers(1)).toEqual([{ error }]);
    expect(await tags()).toEqual([]);
  });

  it('a chat has at most 20 tags, and the answer says so', async () => {
    const some = (from: number) => Array.from({ length: 15 }, (_, index) => `t${from + index}`);
    answering(says(call('set_tags', { add: some(0) }), call('set_tags', { add: some(15) }, 1)));
    await bot.say('Hi');
    await bot.ended(1);
    expect(toolAnswers(1)[1]).toEqual({ error: 'A chat can have 20 tags; remove some first' });
    expect(await tags()).toHaveLength(15);
    // What was refused is no tag of the organization either.
    expect((await bot.tenant.admin.get('/tags').expect(200)).body.tags).toHaveLength(15);
  });

  it('tags and attributes go with the visitor, and only if it is shared', async () => {
    const { chatId, visitorId } = bot.tenant;
    await bot.tenant.bot.post(`/chats/${chatId}/tags`, { add: ['VIP'] }).expect(200);
    await bot.tenant.bot.patch(`/chats/${chatId}`, { attributes: { order: 4711 } }).expect(200);
    await bot.tenant.bot.patch(`/visitors/${visitorId}`, { attributes: { plan: 'pro' } }).expect(200);
    await bot.say('One');
    await bot.ended(1);
    expect(dataOf(0)).toBeNull();
    await bot.connect({ share: ['visitor'] });
    await bot.say('Two');
    await bot.ended(2);
    expect(dataOf(1)).toEqual({
      unverified: {
        visitor: {
          name: 'Vera',
          email: 'vera@example.com',
          tags: ['VIP'],
          chatAttributes: { order: 4711 },
          attributes: { plan: 'pro' },
        },
      },
    });
  });

  describe('notes', () => {
    /** The model hands the chat over, an agent takes it, and gives it back with a note. */
    const passOn = async () => {
      answering(says(call('hand_over', { reason: 'a refund', summary: 'Wants 20 € back' })));
      await bot.say('Money back');
      await bot.ended(1);
      const ada = await parley.signInAgent(bot.tenant, { name: 'Ada' });
      const { chatId } = bot.tenant;
      await bot.tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [await defaultGroup()] }).expect(200);
      await ada.client.post(`/chats/${chatId}/claim`).expect(200);
      await ada.client.post(`/chats/${chatId}/return`, { note: 'It is paid back' }).expect(200);
      answering();
      await bot.say('Thanks');
      await bot.ended(2);
    };
    const defaultGroup = async () => {
      const { groups } = (await bot.tenant.admin.get('/groups').expect(200)).body;
      return groups.find(({ isDefault }: any) => isDefault).id as string;
    };

    it('go along if they are shared, and the call gets its own', async () => {
      await bot.connect({ share: ['notes'] });
      await passOn();
      expect(dataOf(1).unverified.notes).toEqual([
        { by: expect.any(String), text: 'Wants 20 € back' },
        { by: 'Ada', text: 'It is paid back' },
      ]);
      expect(toolAnswers(1)).toEqual([
        expect.objectContaining({ status: 'answered', returned: true, note: 'It is paid back' }),
      ]);
      const { content } = bot.model.received[1]!.event.messages[0];
      expect(content).not.toContain('paid back');
    });

    it('stay here otherwise', async () => {
      await passOn();
      expect(JSON.stringify(bot.model.received[1]!.event)).not.toContain('paid back');
      expect(toolAnswers(1)[0]).not.toHaveProperty('note');
    });

    it('one to a chat that never waited goes along too', async () => {
      await bot.connect({ share: ['notes'] });
      const ada = await parley.signInAgent(bot.tenant, { name: 'Ada', groupIds: [await defaultGroup()] });
      const { chatId } = bot.tenant;
      await ada.client.post(`/chats/${chatId}/claim`).expect(200);
      await ada.client.post(`/chats/${chatId}/return`, { note: 'A friend of mine' }).expect(200);
      await bot.say('Hello');
      await bot.ended(1);
      expect(dataOf(0).unverified.notes).toEqual([{ by: 'Ada', text: 'A friend of mine' }]);
    });
  });

  describe('files', () => {
    const PICTURE = { name: 'photo.png', type: 'image/png', size: expect.any(Number), url: expect.any(String) };
    const LINE = /^File: notes\.txt \(text\/plain(?:; charset=utf-8)?, 13 bytes\): http\S+$/;

    /** The visitor sends a picture and a text, with these words, and the endpoint is asked. */
    const send = async (settings: object, content?: string) => {
      await bot.connect({ share: ['files'], ...settings });
      await allowVisitors(bot.tenant);
      const visitor = parley.visitor(bot.tenant.visitorToken);
      const { chatId } = bot.tenant;
      const sent = [await upload(visitor, chatId, 'photo.png', PNG), await upload(visitor, chatId, 'notes.txt', TEXT)];
      const files = sent.map(({ id }) => id);
      await visitor.post(`/chats/${chatId}/messages`, { ...(content && { content }), files }).expect(201);
      await bot.ended(1);
      return bot.model.received[0]!.event;
    };
    const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

    it('a model gets pictures as parts, and a line for others', async () => {
      const { messages } = await send({}, 'Look');
      const { role, content } = messages.at(-1);
      expect(role).toBe('user');
      expect(content).toEqual([
        { type: 'text', text: expect.stringMatching(/^Look\nFile: notes\.txt /) },
        { type: 'image_url', image_url: { url: expect.any(String) } },
      ]);
      const { url } = content[1].image_url;
      expect(await bytesOf(url)).not.toHaveLength(0);
      const seconds = Number(new URL(url).searchParams.get('expires')) - Date.now() / 1000;
      expect(seconds).toBeGreaterThan(800);
      expect(seconds).toBeLessThanOrEqual(900);
      await bot.say('And?');
      await bot.ended(2);
      expect(bot.model.received[1]!.event.messages[1].content[1]).toEqual({
        type: 'image_url',
        image_url: { url: expect.any(String) },
      });
    });

    it('a message without words is what the turn answers', async () => {
      const { messages } = await send({});
      expect(messages.at(-1).content).toEqual([
        { type: 'text', text: expect.stringMatching(LINE) },
        { type: 'image_url', image_url: { url: expect.any(String) } },
      ]);
    });

    it('an AG-UI agent gets parts, and one from before 1.0 lines', async () => {
      const { messages } = await send({ kind: 'agui' }, 'Look');
      const part = (type: string, mimeType: string, name: string) => ({
        type,
        source: { type: 'url', value: expect.stringMatching(/^http/), mimeType: expect.stringContaining(mimeType) },
        metadata: { parley: { name, size: expect.any(Number) } },
      });
      expect(messages.at(-1).content).toEqual([
        { type: 'text', text: 'Look' },
        part('image', 'image/png', 'photo.png'),
        part('document', 'text/plain', 'notes.txt'),
      ]);
      expect(await bytesOf(messages.at(-1).content[2].source.value)).toEqual(TEXT);
      await bot.connect({ kind: 'agui', share: ['files'], protocol: '0' });
      const { body } = await bot.tenant.admin.post(`${bot.path}/preview`, { chatId: bot.tenant.chatId }).expect(200);
      expect(body.body.messages[0].content).toMatch(/^Look\nFile: photo\.png .+\nFile: notes\.txt /);
    });

    it('Dify and n8n get addresses', async () => {
      const body = await send({ kind: 'dify' });
      expect(body.files).toEqual([
        { type: 'image', transfer_method: 'remote_url', url: expect.any(String) },
        { type: 'document', transfer_method: 'remote_url', url: expect.any(String) },
      ]);
      expect(body.query).toMatch(/^File: photo\.png /);
      await bot.connect({ kind: 'n8n', share: ['files'] });
      const preview = await bot.tenant.admin.post(`${bot.path}/preview`, { chatId: bot.tenant.chatId }).expect(200);
      expect(preview.body.body.metadata.parley.files).toEqual([
        PICTURE,
        expect.objectContaining({ name: 'notes.txt', size: TEXT.length }),
      ]);
    });

    it('stay here unless they are shared', async () => {
      const { messages } = await send({ share: [] }, 'Look');
      expect(messages.at(-1)).toEqual({ role: 'user', content: 'Look' });
    });
  });
});
