import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Silence } from '../bot-silence/support/silence.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { ConnectedBot, says, stream, text } from './support/model.js';

describe('answers that visitors have stopped', () => {
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

  const path = () => `/chats/${bot.tenant.chatId}`;
  const stop = (node = parley) => node.visitor(bot.tenant.visitorToken).post(`${path()}/answer/stop`, {});
  const retry = (node = parley) => node.visitor(bot.tenant.visitorToken).post(`${path()}/answer/retry`, {});
  const isRunning = () =>
    eventually(
      () => bot.turns('?status=RUNNING'),
      ([one]) => one !== undefined,
    );
  const deleteMessages = () =>
    parley.query(`UPDATE messages SET content = '', deleted_at = now() WHERE chat_id = $1`, [bot.tenant.chatId]);
  /** The visitor stops an answer before its first word. */
  const stopWordless = async () => {
    bot.model.become((_, response) => void stream(response));
    await bot.say('Hi');
    await isRunning();
    await stop().expect(200, { isStopped: true });
    await bot.ended(1);
  };

  it('a stop before the first word counts as an answer for botReplySeconds, until the visitor writes again', async () => {
    const silence = new Silence(parley, bot.tenant);
    await stopWordless();
    await bot.tenant.admin.patch('', { botReplySeconds: 1 }).expect(200);
    await silence.letTimePass();
    expect(await bot.owner()).toBe('BOT');
    expect(await bot.said()).toEqual(['VISITOR: Hi']);
    await bot.say('And now?');
    await silence.untilHandedOver();
  });

  it('a stop keeps the chat of a bot that never takes the message, until the visitor writes again', async () => {
    const silence = await Silence.start(parley);
    const { chatId, visitorToken } = silence.tenant;
    await silence.listen();
    await silence.say();
    await parley.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {}).expect(200, { isStopped: false });
    await silence.letTimePass();
    expect(await silence.owner()).toBe('BOT');
    await silence.say('And now?');
    await silence.untilHandedOver();
  });

  it('a chat that agents return is answered once, even if the visitor tries again at the same time', async () => {
    await bot.connect({ onNewMessage: 'queue' });
    await stopWordless();
    const release = bot.holdAnswers(says(text('Hello!')));
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    const blocker = await parley.database.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM bot_connections WHERE organization_id = $1 FOR UPDATE', [bot.tenant.id]);
    await ada.client.post(`${path()}/claim`, { force: true }).expect(200);
    await ada.client.post(`${path()}/return`, {}).expect(200);
    const tried = Promise.all([retry().expect(202), retry().expect(202)]);
    await eventually(
      () =>
        parley.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      ({ length }) => length > 1,
    );
    await blocker.query('COMMIT');
    blocker.release();
    await tried;
    release();
    await bot.ended(2);
    bot.model.become(says(text('Bye!')));
    await bot.say('Thanks');
    expect(await bot.ended(3)).toHaveLength(3);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Hello!', 'VISITOR: Thanks', 'BOT: Bye!']);
  });

  it('there is no other answer to messages that were deleted, nor to one that was repeated 30 times', async () => {
    await bot.say('Hi');
    await bot.ended(1);
    await parley.query(`UPDATE bot_turns SET replaces = array_fill('trn_1'::text, '{30}') WHERE chat_id = $1`, [
      bot.tenant.chatId,
    ]);
    expect((await retry().expect(409)).body.code).toBe('conflict');
    await parley.query(`UPDATE bot_turns SET replaces = '{}' WHERE chat_id = $1`, [bot.tenant.chatId]);
    await deleteMessages();
    expect((await retry().expect(409)).body.code).toBe('conflict');
    expect(bot.model.received).toHaveLength(1);
  });

  it('a turn whose messages are deleted before it begins asks nothing', async () => {
    await bot.connect({ collectFor: 10_000 });
    await bot.say('Hi');
    await eventually(
      () => bot.turns('?status=WAITING'),
      ([one]) => one !== undefined,
    );
    await deleteMessages();
    await parley.query(`UPDATE bot_turns SET due_at = now() WHERE chat_id = $1 AND status = 'WAITING'`, [
      bot.tenant.chatId,
    ]);
    expect(await bot.ended(1)).toMatchObject([{ status: 'ABORTED', runs: [] }]);
    expect(bot.model.received).toEqual([]);
    expect(await bot.owner()).toBe('BOT');
  });
});

describe('visitors who have the chat open', () => {
  it('they learn when its bot is connected, paused, disconnected, and deleted, and when the chat gets another bot', async () => {
    const parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    const bot = await ConnectedBot.start(parley);
    const { admin, botId, chatId, visitorToken } = bot.tenant;
    const visitor = await parley.connectVisitor(visitorToken);
    const opened = await visitor.ask('chat:open', { chatId });
    expect(opened).toMatchObject({ isConnected: true });
    const known = () => visitor.all('chat').map((chat) => chat.isConnected as unknown);
    const learns = (count: number, value: boolean) =>
      visitor.until(() => known().length === count && known().at(-1) === value);
    await admin.patch(bot.path, { collectFor: 1 }).expect(200);
    await admin.patch(bot.path, { isEnabled: false }).expect(200);
    await learns(1, false);
    await admin.patch(bot.path, { isEnabled: true }).expect(200);
    await learns(2, true);
    const { body: other } = await admin.post('/bots', { name: 'Other' }).expect(201);
    const { body: groups } = await admin.get('/groups').expect(200);
    const groupPath = `/groups/${groups.groups[0].id}`;
    await admin.patch(groupPath, { botId: other.id }).expect(200);
    await learns(3, false);
    await admin.patch(groupPath, { botId }).expect(200);
    await learns(4, true);
    await admin.delete(bot.path).expect(204);
    await learns(5, false);
    const connection = { kind: 'openai', url: 'https://model.example/v1', model: 'm-1' };
    await admin.put(bot.path, connection).expect(200);
    await learns(6, true);
    await admin.delete(`/bots/${botId}`).expect(204);
    await learns(7, false);
    await bot.close();
    await parley.stop();
  });
});

describe('bots that call the API, and visitors of another node', () => {
  it('the bot learns of a stop from any node, and after a restart', async () => {
    const database = await createDatabase();
    const here = await Parley.start({}, database.url);
    let there = await Parley.start({}, database.url);
    const { chatId, token, visitorToken } = await here.createTenant();
    await here.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content: 'Hi' }).expect(201);
    const type = async (node: Parley) =>
      (await node.bot(token).post(`/chats/${chatId}/typing`, { isTyping: true, text: 'At', canStop: true }).expect(200))
        .body.isStopped as unknown;
    const stop = (node: Parley) => node.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {}).expect(200);
    expect((await stop(there)).body).toEqual({ isStopped: false });
    await here.bot(token).post('/messages', { chatId, content: 'Yes?' }).expect(200);
    expect(await type(here)).toBeUndefined();
    expect((await stop(here)).body).toEqual({ isStopped: true });
    expect(await type(there)).toBe(true);
    await there.stop();
    there = await Parley.start({}, database.url);
    expect(await type(there)).toBe(true);
    await here.bot(token).post('/messages', { chatId, content: 'At nine' }).expect(200);
    expect(await type(there)).toBeUndefined();
    await there.stop();
    await here.stop();
    await database.drop();
  });
});
