import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import type { Received } from '../support/receiver.js';
import { frame, started } from './support/agui.js';
import { call, ConnectedBot, says, STOP, stream, text } from './support/model.js';

const DIFY = { conversation_id: 'c', task_id: 't' };
const N8N = { metadata: { nodeId: 'a', runIndex: 0 } };
/** What an endpoint of each kind sends before it's stopped. */
const HALVES: Record<string, (received: Received) => string> = {
  openai: () => text('Half an'),
  dify: () => frame({ event: 'message', answer: 'Half an', ...DIFY }),
  n8n: () =>
    [{ type: 'begin' }, { type: 'item', content: 'Half an' }]
      .map((line) => `${JSON.stringify({ ...line, ...N8N })}\n`)
      .join(''),
  agui: (received) =>
    started(received) +
    frame({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }) +
    frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Half an' }),
};

describe('visitors and the answers of a connected bot', () => {
  let parley: Parley;
  let bot: ConnectedBot;
  let open: ServerResponse[];
  let closed: number;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley);
    [open, closed] = [[], 0];
  });
  afterEach(() => bot.close());

  const path = () => `/chats/${bot.tenant.chatId}/answer`;
  const stop = (token = bot.tenant.visitorToken, node = parley) => node.visitor(token).post(`${path()}/stop`, {});
  const retry = (token = bot.tenant.visitorToken) => parley.visitor(token).post(`${path()}/retry`, {});
  const claim = async () => {
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    await ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
    return ada;
  };
  /** The visitor writes, and reads the beginning of an answer that doesn't end. */
  const begin = async (kind = 'openai') => {
    bot.model.become((received, response) => {
      if (received.path.endsWith('/stop')) return void response.end('{}');
      stream(response).write(HALVES[kind]!(received));
      response.on('close', () => closed++);
      open.push(response);
    });
    const visitor = await parley.connectVisitor(bot.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: bot.tenant.chatId });
    await bot.say('Hi');
    await visitor.until(() => visitor.all('typing').some((typing) => typing.text === 'Half an'));
    return visitor;
  };
  const messagesOf = (received: Received) => received.event.messages.slice(1).map((one: any) => one.content);

  describe('stopping', () => {
    it('stores at most 10 messages of an answer in many, and joins the rest', async () => {
      await bot.connect({ kind: 'agui' });
      const parts = Array.from({ length: 12 }, (_, index) => `Part ${index + 1}`);
      const part = (words: string, index: number) => {
        const messageId = `m${index}`;
        return [
          { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: words },
          { type: 'TEXT_MESSAGE_END', messageId },
        ]
          .map(frame)
          .join('');
      };
      bot.model.become((received, response) => {
        stream(response).write(started(received) + parts.map(part).join(''));
      });
      const visitor = await parley.connectVisitor(bot.tenant.visitorToken);
      await visitor.ask('chat:open', { chatId: bot.tenant.chatId });
      await bot.say('Hi');
      await visitor.until(() => visitor.all('typing').some((typing) => typing.text?.includes('Part 12')));
      await stop().expect(200, { isStopped: true });
      const [turn] = await bot.ended(1);
      expect(turn).toMatchObject({ status: 'CANCELLED', runs: [{ outcome: 'CANCELLED' }] });
      const said = (await bot.said()).slice(1);
      expect(said).toEqual([
        ...parts.slice(0, 9).map((words) => `BOT: ${words}`),
        'BOT: Part 10\n\nPart 11\n\nPart 12',
      ]);
    });

    it("keeps Dify's conversation, so that its next answer knows it", async () => {
      await bot.connect({ kind: 'dify', key: 'app-1' });
      await begin('dify');
      await stop().expect(200, { isStopped: true });
      await bot.ended(1);
      await bot.say('And now?');
      const asked = () => bot.model.received.filter(({ event }) => event.query !== undefined);
      await eventually(asked, ({ length }) => length === 2);
      expect(asked().map(({ event }) => event.conversation_id)).toEqual(['', DIFY.conversation_id]);
    });

    it.each(Object.keys(HALVES))('keeps what %s has written, closes the request, and is no failure', async (kind) => {
      if (kind !== 'openai') await bot.connect({ kind, ...(kind === 'dify' && { key: 'app-1' }) });
      const visitor = await begin(kind);
      // The run can't learn of the first stop before the second one has its answer.
      const blocker = await parley.database.connect();
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE person_requests');
      const answers = await Promise.all([stop(), stop()]);
      await blocker.query('COMMIT');
      blocker.release();
      expect(answers.map(({ status, body }) => [status, body.isStopped])).toEqual([
        [200, true],
        [200, true],
      ]);
      await eventually(() => closed, Boolean);
      const [turn] = await bot.ended(1);
      expect(turn).toMatchObject({ status: 'CANCELLED', code: null, runs: [{ outcome: 'CANCELLED' }] });
      expect(turn.messageIds).toHaveLength(1);
      expect(turn.firstTokenMs).toEqual(expect.any(Number));
      expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Half an']);
      expect(await bot.owner()).toBe('BOT');
      await visitor.until(() => visitor.all('typing').at(-1)?.isTyping === false);
      const { body } = await bot.tenant.admin.get(bot.path).expect(200);
      expect(body.health).toMatchObject({ lastFailure: null, failuresInRow: 0 });
      if (kind === 'dify') {
        const isStop = (one: Received) => one.path === '/v1/chat-messages/t/stop';
        const all = await bot.model.until((received) => received.some(isStop));
        expect(all.filter(isStop)).toHaveLength(1);
      }
      expect((await stop().expect(200)).body).toEqual({ isStopped: false });
    });

    it('the endpoint reads what it had written with the next message', async () => {
      await begin();
      await stop().expect(200);
      await bot.ended(1);
      bot.model.become(says(text('Bye')));
      await bot.say('Thanks');
      await bot.ended(2);
      expect(messagesOf(bot.model.received.at(-1)!)).toEqual(['Hi', 'Half an', 'Thanks']);
    });

    it('ends a turn between two tries and one between two steps, without another request', async () => {
      await bot.connect({ tries: 3 });
      bot.model.become((_, response) => void response.writeHead(500, { 'retry-after': '30' }).end());
      await bot.say('Hi');
      await eventually(
        () => bot.turns('?status=WAITING'),
        ([one]) => one?.runs.length === 1,
      );
      expect((await stop().expect(200)).body.isStopped).toBe(true);
      const [failed] = await bot.ended(1);
      expect(failed).toMatchObject({ status: 'CANCELLED', code: null, messageIds: [] });
      let respond: (() => void) | undefined;
      bot.model.become((_, response) => {
        respond = () => void response.end(call('unknown', {}) + STOP);
        stream(response).write(text('Let me see'));
      });
      await bot.say('Hi again');
      await eventually(() => respond, Boolean);
      await parley.query(`UPDATE bot_turns SET stopped_at = now() WHERE status = 'RUNNING' AND chat_id = $1`, [
        bot.tenant.chatId,
      ]);
      respond!();
      expect((await bot.ended(2)).at(-1)).toMatchObject({ status: 'CANCELLED', code: null });
      expect(await bot.owner()).toBe('BOT');
      expect(bot.model.received).toHaveLength(2);
      expect(await bot.said()).toEqual(['VISITOR: Hi', 'VISITOR: Hi again', 'BOT: Let me see']);
    });

    it('a visitor can not stop answers in the chats of others, nor while a person has the chat', async () => {
      await begin();
      const { body: stranger } = await parley.beginSession(bot.tenant).expect(201);
      const other = await parley.createTenant();
      for (const token of [stranger.token, other.visitorToken]) {
        await stop(token).expect(404);
        await retry(token).expect(404);
      }
      await claim();
      for (const refused of [await stop().expect(409), await retry().expect(409)])
        expect(refused.body.code).toBe('conflict');
      expect(await bot.ended(1)).toMatchObject([{ status: 'ABORTED' }]);
      expect(await bot.said()).toEqual(['VISITOR: Hi']);
    });

    it('a stop and a person who takes the chat at the same time leave one end, and nothing after the person', async () => {
      await begin();
      const [, stopped] = await Promise.all([claim(), stop()]);
      expect([200, 409]).toContain(stopped.status);
      const [turn] = await bot.ended(1);
      const said = await bot.said();
      if (turn.status === 'CANCELLED') expect(said).toEqual(['VISITOR: Hi', 'BOT: Half an']);
      else expect([turn.status, said]).toEqual(['ABORTED', ['VISITOR: Hi']]);
      expect(await bot.owner()).toBe('AGENT');
    });
  });

  describe('trying again', () => {
    it('asks once more for the same message, without the earlier answers, which stay', async () => {
      bot.model.become(says(text('First')));
      await bot.say('Hi');
      await bot.ended(1);
      const release = bot.holdAnswers(says(text('Second')));
      await Promise.all([retry().expect(202), retry().expect(202), retry().expect(202)]);
      release();
      const turns = await bot.ended(2);
      expect(turns.map(({ status, firstSeq, lastSeq }) => [status, firstSeq, lastSeq])).toEqual([
        ['DONE', 1, 1],
        ['DONE', 1, 1],
      ]);
      bot.model.become(says(text('Third')));
      await retry().expect(202);
      await bot.ended(3);
      expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: First', 'BOT: Second', 'BOT: Third']);
      expect(bot.model.received.map(messagesOf)).toEqual([['Hi'], ['Hi'], ['Hi']]);
      await bot.say('Thanks');
      await bot.ended(4);
      expect(messagesOf(bot.model.received.at(-1)!)).toEqual(['Hi', 'First\n\nSecond\n\nThird', 'Thanks']);
    });

    it('follows a stop, leaves out the calls of the answer, and is refused after a newer message or a question', async () => {
      bot.model.become(says(text('Look.'), call('offer_choices', { text: 'Which?', choices: [{ label: 'A' }] })));
      await bot.say('Hi');
      await bot.ended(1);
      bot.model.become((_, response) => void stream(response).write(text('Half')));
      await retry().expect(202);
      await eventually(
        () => bot.turns('?status=RUNNING'),
        ([one]) => one !== undefined,
      );
      await bot.model.count(2);
      expect(bot.model.received[1]!.event.messages.slice(1)).toEqual([{ role: 'user', content: 'Hi' }]);
      await stop().expect(200);
      await bot.ended(2);
      bot.model.become(says(text('Whole')));
      await retry().expect(202);
      await bot.ended(3);
      const ada = await claim();
      await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'I can help' }).expect(201);
      await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
      await retry().expect(409);
    });

    it('a visitor can not try again beyond the turns of a chat, with a script, and without an answer', async () => {
      await retry().expect(409);
      await bot.say('Hi');
      await bot.ended(1);
      await parley.query(
        `INSERT INTO bot_turns (organization_id, id, bot_id, chat_id, status, first_seq, last_seq, due_at, began_at, created_at)
          SELECT organization_id, 'trn_0' || n, bot_id, chat_id, status, first_seq, last_seq, due_at, began_at, created_at
          FROM bot_turns, generate_series(1, 29) AS n WHERE chat_id = $1`,
        [bot.tenant.chatId],
      );
      const limited = await retry().expect(429);
      expect(limited.headers['retry-after']).toBe('60');
      await bot.tenant.admin.delete(bot.path).expect(204);
      await retry().expect(409);
      await bot.tenant.admin.put(bot.path, { kind: 'script' }).expect(200);
      await retry().expect(409);
    });

    it('asks with the same message, however short the history of the connection', async () => {
      await bot.connect({ history: 1 });
      bot.model.become(says(text('First')));
      await bot.say('Hi');
      for (const turns of [1, 2]) {
        await bot.ended(turns);
        await retry().expect(202);
      }
      await bot.ended(3);
      expect(bot.model.received.map(messagesOf)).toEqual([['Hi'], ['Hi'], ['Hi']]);
    });
  });
});

describe('visitors of another node', () => {
  it('an answer that another node writes is stopped there', async () => {
    const database = await createDatabase();
    const runner = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, database.url);
    const bot = await ConnectedBot.start(runner);
    let closed = 0;
    bot.model.become((_, response) => {
      stream(response).write(text('Half an'));
      response.on('close', () => closed++);
    });
    await bot.say('Hi');
    await bot.model.count(1);
    await eventually(
      () => bot.turns('?status=RUNNING'),
      ([one]) => one !== undefined,
    );
    // It begins after the run, so the run is the other one's.
    const other = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }, database.url);
    const { visitorToken, chatId } = bot.tenant;
    await other.visitor(visitorToken).post(`/chats/${chatId}/answer/stop`, {}).expect(200);
    await eventually(() => closed, Boolean);
    expect(await bot.ended(1)).toMatchObject([{ status: 'CANCELLED', runs: [{ outcome: 'CANCELLED' }] }]);
    expect((await bot.said())[0]).toBe('VISITOR: Hi');
    await bot.close();
    await other.stop();
    await runner.stop();
    await database.drop();
  });
});
