import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase } from '../support/database.js';
import { eventually, until } from '../support/eventually.js';
import { Parley, type SignedInAgent } from '../support/parley.js';
import { call, ConnectedBot, says, text } from './support/model.js';

describe('a chat that an agent takes and returns while a node of its connected bot does not notice', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let nodes: Parley[];
  let bot: ConnectedBot;
  let ada: SignedInAgent;

  beforeAll(async () => {
    database = await createDatabase();
    const options = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };
    nodes = [await Parley.start(options, database.url), await Parley.start(options, database.url)];
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await database.drop();
  });
  beforeEach(async () => {
    bot = await ConnectedBot.start(nodes[0]!);
    const { id } = await nodes[0]!.signInAgent(bot.tenant, { role: 'ADMIN' });
    ada = await nodes[1]!.signInAgain(bot.tenant, id);
  });
  afterEach(() => bot.close());

  const path = () => `/chats/${bot.tenant.chatId}`;

  it.each(['collect', 'queue', 'interrupt'])('the visitor gets one answer (%s)', async (onNewMessage) => {
    await bot.connect({ onNewMessage });
    const release = bot.holdAnswers(says(text('Hello!')));
    await bot.say('Hi');
    await bot.model.count(1);
    await ada.client.post(`${path()}/claim`, { force: true }).expect(200);
    await ada.client.post(`${path()}/return`, {}).expect(200);
    await eventually(
      () => bot.turns(),
      ({ length }) => length === 2,
    );
    release();
    const ended = await bot.ended(2);
    expect(ended.map(({ status }: { status: string }) => status).toSorted()).toEqual(['ABORTED', 'DONE']);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Hello!']);
  });

  it('the bot adds nothing to an answer that the agent gave while a turn waited for its next try', async () => {
    await bot.connect({ tries: 2 });
    bot.model.become((_, response) => void response.writeHead(429, { 'retry-after': '30' }).end());
    await bot.say('Hi');
    await eventually(
      () => bot.turns('?status=WAITING'),
      ([turn]) => turn?.runs.length === 1,
    );
    await ada.client.post(`${path()}/claim`, { force: true }).expect(200);
    await ada.client.post(`${path()}/messages`, { content: 'I can help' }).expect(201);
    await ada.client.post(`${path()}/return`, {}).expect(200);
    const [turn] = await bot.ended(1);
    expect(turn).toMatchObject({ status: 'ABORTED' });
    expect(await bot.turns()).toHaveLength(1);
  });

  it('the messages of a turn that waits are answered when the chat comes back', async () => {
    await bot.connect({ collectFor: 10_000 });
    await bot.say('One');
    await bot.say('Two');
    await eventually(
      () => bot.turns(),
      ([turn]) => turn?.lastSeq === 2,
    );
    await ada.client.post(`${path()}/claim`, { force: true }).expect(200);
    await bot.connect({ collectFor: 0 });
    await ada.client.post(`${path()}/return`, {}).expect(200);
    const turns = await bot.ended(2);
    expect(turns).toMatchObject([{ status: 'ABORTED' }, { status: 'DONE', firstSeq: 1, lastSeq: 2 }]);
    expect(bot.model.received.at(-1)!.event.messages.at(-1)).toEqual({ role: 'user', content: 'One\n\nTwo' });
  });

  it.each(['collect', 'queue', 'interrupt'])(
    'what the visitor wrote while no agent took the chat is answered once when it comes back (%s)',
    async (onNewMessage) => {
      await bot.connect({ onNewMessage });
      await bot.say('Hi');
      await bot.ended(1);
      const { chatId } = bot.tenant;
      const wait = { chatId, maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' };
      await bot.tenant.bot.post('/transfer', wait).expect(200);
      await bot.say('Is anyone here?');
      const [, turn] = await bot.ended(2);
      expect(turn).toMatchObject({ status: 'DONE', firstSeq: 4, lastSeq: 4 });
      const told = ['VISITOR: Hi', 'BOT: Hello!', 'VISITOR: Is anyone here?', 'BOT: Hello!'];
      expect(await bot.said()).toEqual(told);
      expect(await bot.turns()).toHaveLength(2);
    },
  );

  it('a bot that hands over, or fails, each time gets the chat back without a turn for the same words', async () => {
    await bot.connect();
    const [{ id }] = (await bot.tenant.admin.get('/groups').expect(200)).body.groups;
    await bot.tenant.admin.patch(`/groups/${id}`, { maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' }).expect(200);
    const isBack = async (count: number) => {
      const events = (await bot.messages()).map(({ metadata }) => metadata?.event);
      return events.filter((event) => event === 'chat.unanswered').length === count;
    };
    bot.model.become(says(call('hand_over', { reason: 'A refund' })));
    await bot.say('A person, please');
    await until('the chat is back', () => isBack(1));
    bot.model.become((_, response) => void response.writeHead(400).end());
    await bot.say('Please');
    await until('the chat is back again', () => isBack(2));
    bot.model.become(says(text('Hello!')));
    await bot.say('Hello?');
    await bot.ended(3);
    expect((await bot.turns()).map(({ status }) => status)).toEqual(['DONE', 'FAILED', 'HANDED_OVER']);
    expect(bot.model.received).toHaveLength(3);
  });

  it('the bot stays silent when a chat that no agent took comes back without new words', async () => {
    await bot.connect();
    await bot.say('Hi');
    await bot.ended(1);
    const { chatId } = bot.tenant;
    const wait = { chatId, maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' };
    await bot.tenant.bot.post('/transfer', wait).expect(200);
    await eventually(
      () => bot.owner(),
      (owner) => owner === 'BOT',
    );
    await bot.say('Thanks');
    await bot.ended(2);
    expect(await bot.turns()).toHaveLength(2);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Hello!', 'VISITOR: Thanks', 'BOT: Hello!']);
  });

  it('the bot adds nothing to an answer of the agent', async () => {
    const release = bot.holdAnswers(says(text('Hello!')));
    await bot.say('Hi');
    await bot.model.count(1);
    await ada.client.post(`${path()}/claim`, { force: true }).expect(200);
    await ada.client.post(`${path()}/messages`, { content: 'I can help' }).expect(201);
    await ada.client.post(`${path()}/return`, {}).expect(200);
    const [turn] = await bot.ended(1);
    release();
    expect(turn).toMatchObject({ status: 'ABORTED' });
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'AGENT: I can help']);
  });
});
