import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { BotSilenceService } from '../../src/bot-silence/bot-silence.service.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { call, ConnectedBot, says, STOP, stream, text } from './support/model.js';

describe('who has the chat of a connected bot', () => {
  let parley: Parley;
  let bot: ConnectedBot;
  let ada: SignedInAgent;
  let open: ServerResponse[];
  let closed: number;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley);
    ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    [open, closed] = [[], 0];
  });
  afterEach(() => bot.close());

  /** The visitor writes, and the endpoint has begun its answer. */
  const begin = async () => {
    bot.model.become((_, response) => {
      stream(response).write(text('Half an'));
      response.on('close', () => closed++);
      open.push(response);
    });
    await bot.say('Hi');
    await eventually(() => open.length, Boolean);
  };
  const claim = () => ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
  const aborted = async () => {
    await eventually(() => closed, Boolean);
    const [turn] = await bot.ended(1);
    expect(turn).toMatchObject({ status: 'ABORTED', runs: [{ outcome: 'ABORTED' }] });
    expect(await bot.said()).toEqual(['VISITOR: Hi']);
  };

  it('an agent who takes over in the middle ends the request, and nothing of the run is stored', async () => {
    const visitor = await parley.connectVisitor(bot.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: bot.tenant.chatId });
    await begin();
    await visitor.until(() => visitor.all('typing').some((typing) => typing.text === 'Half an'));
    await claim();
    await aborted();
    await visitor.until(() => visitor.all('typing').at(-1)?.isTyping === false);
    await bot.say('Are you there?');
    await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'Yes' }).expect(201);
    expect(await bot.turns()).toHaveLength(1);
  });

  it('a chat that goes to another connected bot in the middle is answered by that one', async () => {
    const other = await Receiver.start(says(text('Hello from the other')));
    const { admin, chatId } = bot.tenant;
    const { body: second } = await admin.post('/bots', { name: 'Second' }).expect(201);
    await admin.post('/groups', { name: 'Of the second', botId: second.id }).expect(201);
    const address = `http://127.0.0.1:${other.port}/v1`;
    const settings = { kind: 'openai', key: 'sk-2', model: 'm-2', url: address, collectFor: 0, tries: 1 };
    await admin.put(`/bots/${second.id}/connection`, settings).expect(200);
    await begin();
    await bot.tenant.bot.post('/transfer', { chatId, targetBotId: second.id }).expect(200);
    await eventually(() => closed, Boolean);
    await eventually(
      () => bot.said(),
      (said) => said.length === 2,
    );
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Hello from the other']);
    expect(await bot.ended(1)).toMatchObject([{ status: 'ABORTED' }]);
    expect(other.received).toHaveLength(1);
    await other.close();
  });

  it('a returned chat is answered if the visitor wrote last', async () => {
    await begin();
    await claim();
    await aborted();
    bot.model.become(says(text('Back again.')));
    await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
    await bot.ended(2);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Back again.']);
  });

  it('a returned chat is answered, however short the history', async () => {
    await bot.connect({ history: 1 });
    await begin();
    await claim();
    await aborted();
    bot.model.become(says(text('Back again.')));
    await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
    await bot.ended(2);
    expect(bot.model.received.at(-1)!.event.messages.slice(1)).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it('a chat that is returned after an answer of an agent makes no turn, and the endpoint reads it as the team', async () => {
    await bot.say('Hi');
    await bot.ended(1);
    await claim();
    await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'I can help' }).expect(201);
    await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
    await bot.say('Thanks');
    await bot.ended(2);
    expect(await bot.turns()).toHaveLength(2);
    expect(bot.model.received[1]!.event.messages.slice(1)).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello!\n\n[Team] Ada: I can help' },
      { role: 'user', content: 'Thanks' },
    ]);
  });

  it('closing the chat ends the request', async () => {
    await begin();
    await bot.tenant.admin.patch(`/chats/${bot.tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    await aborted();
  });

  it('erasing the visitor ends the request, and takes the chat from the turn', async () => {
    await begin();
    expect([202, 204]).toContain((await bot.tenant.admin.delete(`/visitors/${bot.tenant.visitorId}`)).status);
    await eventually(() => closed, Boolean);
    const [turn] = await bot.ended(1);
    expect(turn.status).toBe('ABORTED');
    await eventually(
      () => bot.turns(),
      ([one]) => one.chatId === null,
    );
    expect(await parley.query('SELECT FROM bot_transcripts WHERE organization_id = $1', [bot.tenant.id])).toEqual([]);
  });

  it('a visitor who asks for a person ends the request, and agents get the chat', async () => {
    await bot.tenant.admin.patch('/widget', { personAfter: 0 }).expect(200);
    await begin();
    await parley.visitor(bot.tenant.visitorToken).post(`/chats/${bot.tenant.chatId}/handoff`).expect(200);
    await aborted();
    expect(await bot.owner()).toBe('QUEUE');
  });

  it('pausing hands running and new turns over, and resuming answers again', async () => {
    await begin();
    await bot.tenant.admin
      .patch(bot.path, { isEnabled: false, failure: { reason: 'Paused', sentence: 'x' } })
      .expect(200);
    await eventually(() => closed, Boolean);
    const [turn] = await bot.ended(1);
    expect(turn).toMatchObject({ status: 'HANDED_OVER', code: null, runs: [{ outcome: 'ABORTED' }] });
    expect(await bot.said()).toEqual(['VISITOR: Hi']);
    expect((await bot.messages()).at(-1).metadata).toMatchObject({ reason: 'Paused' });
    await bot.tenant.bot.post('/transfer/cancel', { chatId: bot.tenant.chatId });
    const { body: other } = await bot.tenant.admin.post('/chats', { visitor: { name: 'Val' } }).expect(201);
    await bot.say('Hello?', other.visitorToken, other.id);
    await eventually(
      () => bot.owner(other.id),
      (owner) => owner === 'QUEUE',
    );
    await bot.tenant.admin.patch(bot.path, { isEnabled: true }).expect(200);
    bot.model.become(says(text('Hello!')));
    const { body: third } = await bot.tenant.admin.post('/chats', { visitor: { name: 'Val' } }).expect(201);
    await bot.say('Hello?', third.visitorToken, third.id);
    await eventually(
      () => bot.said(third.id),
      ({ length }) => length === 2,
    );
  });

  it('a connection that moves to another origin in the middle goes on there, without what the endpoint said before', async () => {
    const other = await Receiver.start(says(text('Hello from the other')));
    const release = bot.holdAnswers(says(call('set_tags', { add: ['VIP'] })));
    await bot.say('Hi');
    await bot.model.count(1);
    await bot.connect({ url: `http://127.0.0.1:${other.port}/v1`, key: 'sk-2' });
    release();
    const [turn] = await bot.ended(1);
    expect(turn.status).toBe('DONE');
    expect(bot.model.received).toHaveLength(1);
    const [{ event }] = other.received as [(typeof other.received)[0]];
    expect(event.messages.slice(1)).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Hello from the other']);
    expect(await parley.query('SELECT FROM bot_transcripts WHERE organization_id = $1', [bot.tenant.id])).toEqual([]);
    await other.close();
  });

  it('deleting the connection hands a running turn over, with its reason', async () => {
    await bot.connect({ failure: { reason: 'Gone' } });
    await begin();
    await bot.tenant.admin.delete(bot.path).expect(204);
    await eventually(() => closed, Boolean);
    await eventually(
      () => bot.owner(),
      (owner) => owner === 'QUEUE',
    );
    expect((await bot.messages()).at(-1).metadata).toMatchObject({ reason: 'Gone' });
  });

  it('deleting the bot gives its running chat to agents', async () => {
    await begin();
    await bot.tenant.admin.delete(`/bots/${bot.tenant.botId}`).expect(204);
    await eventually(() => closed, Boolean);
    const status = 'SELECT status FROM chats WHERE id = $1';
    await eventually(
      () => parley.query(status, [bot.tenant.chatId]),
      ([chat]) => chat!.status === 'QUEUED',
    );
  });

  it('of two connected bots, the one that the group names answers; without one, the first', async () => {
    const { body: second } = await bot.tenant.admin.post('/bots', { name: 'Second' }).expect(201);
    const other = { kind: 'openai', url: bot.base, model: 'm-2', collectFor: 0 };
    await bot.tenant.admin.put(`/bots/${second.id}/connection`, other).expect(200);
    await bot.say('Hi');
    await bot.ended(1);
    const [group] = (await bot.tenant.admin.get('/groups').expect(200)).body.groups;
    await bot.tenant.admin.patch(`/groups/${group.id}`, { botId: second.id }).expect(200);
    await bot.say('And now?');
    await bot.model.count(2);
    expect(bot.model.received.map(({ event }) => event.model)).toEqual(['m-1', 'm-2']);
    await eventually(
      () => bot.said(),
      ({ length }) => length === 4,
    );
    expect(bot.model.received).toHaveLength(2);
  });

  it('a bot that answers by its connection is not silent', async () => {
    await bot.tenant.admin.patch('', { botSilenceSeconds: 1 }).expect(200);
    await begin();
    await parley.query(`UPDATE messages SET created_at = now() - interval '100 s' WHERE chat_id = $1`, [
      bot.tenant.chatId,
    ]);
    const silence = parley.app.get(BotSilenceService);
    for (let n = 0; n < 3; n++) await silence.run();
    expect(await bot.owner()).toBe('BOT');
    open[0]!.end(STOP);
    await bot.ended(1);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Half an']);
  });

  it('a subscription of the bot keeps working beside its connection', async () => {
    await bot.tenant.bot.put('/subscription', {}).expect(200);
    await bot.say('Hi');
    await bot.ended(1);
    const { body } = await bot.tenant.bot.get('/events?wait=0').expect(200);
    expect(body.events.map(({ type }: any) => type)).toContain('message.created');
    expect((await bot.tenant.admin.get('/webhooks').expect(200)).body.webhooks).toEqual([]);
  });
});
