import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { ConversationRemovals } from '../../src/bot-connections/forgetting/conversation-removals.service.js';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import type { Received } from '../support/receiver.js';
import { ConnectedBot, stream } from './support/model.js';

// The shapes of the events were recorded from Dify.
const OF_ALL = { conversation_id: 'cnv-1', message_id: 'msg-1', created_at: 1_785_000_000, task_id: 'task-1' };
const event = (name: string, fields: object = {}) =>
  `data: ${JSON.stringify({ event: name, ...OF_ALL, ...fields })}\n\n`;
const part = (answer: string, name = 'message') =>
  event(name, { id: 'msg-1', answer, from_variable_selector: ['answer'] });
const END = event('message_end', {
  id: 'msg-1',
  metadata: {
    usage: { prompt_tokens: 33, completion_tokens: 5, total_tokens: 38, currency: 'USD' },
    retriever_resources: [],
  },
  files: null,
});
const says =
  (...parts: string[]) =>
  (_: unknown, response: ServerResponse): void =>
    void stream(response).end(parts.join(''));

describe('a bot that is connected to Dify', () => {
  let parley: Parley;
  let bot: ConnectedBot;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    // The tests say when it runs.
    clearTimeout(parley.app.get(ConversationRemovals)['job']['timer']);
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley, { kind: 'dify', key: 'app-1', inputs: { plan: 'free' } });
    bot.model.become(says(part('Hello!'), END));
  });
  afterEach(() => bot.close());

  const answered = async (content: string, count = 1) => {
    await bot.say(content);
    return (await bot.ended(count)).at(-1);
  };
  const asked = (): any[] => bot.model.received.map(({ event: body }) => body);
  const failed = async (code: string, ...parts: string[]) => {
    bot.model.become(says(...parts));
    expect(await answered('Hi')).toMatchObject({ status: 'FAILED', code });
    expect(await bot.said()).toEqual(['VISITOR: Hi']);
    expect(await bot.owner()).toBe('QUEUE');
  };

  it('asks in its own form, and stores the answer once', async () => {
    bot.model.become(
      says(
        'event: ping\n\n',
        event('workflow_started', { data: {} }),
        event('node_started', { data: { title: 'Look_up' } }),
        part('Hel'),
        event('agent_thought', { tool: 'search', thought: 'x' }),
        part('lo!', 'agent_message'),
        event('something_new'),
        END,
        event('workflow_finished', { data: { status: 'succeeded' } }),
      ),
    );
    const turn = await answered('Hi there');
    expect(turn).toMatchObject({
      status: 'DONE',
      usage: { inputTokens: 33, outputTokens: 5 },
      runs: [{ warnings: [] }],
    });
    expect(await bot.said()).toEqual(['VISITOR: Hi there', 'BOT: Hello!']);
    const [{ path, headers, event: body }] = bot.model.received as any;
    expect(path).toBe('/v1/chat-messages');
    expect(headers).toMatchObject({ authorization: 'Bearer app-1', 'idempotency-key': `${turn.id}.1` });
    expect(headers).not.toHaveProperty('webhook-signature');
    expect(body).toEqual({
      query: 'Hi there',
      inputs: { plan: 'free' },
      response_mode: 'streaming',
      conversation_id: '',
      user: bot.tenant.visitorId,
      auto_generate_name: false,
    });
  });

  it('keeps the conversation, and gets what agents wrote since its last answer once', async () => {
    await answered('One');
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    await ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
    await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'I can help' }).expect(201);
    await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
    await answered('Two', 2);
    await answered('Three', 3);
    expect(asked().map(({ query, conversation_id: id }) => [query, id])).toEqual([
      ['One', ''],
      ['Earlier in this chat:\nAda: I can help\n\nTwo', 'cnv-1'],
      ['Three', 'cnv-1'],
    ]);
  });

  it('begins again with what was said if it has forgotten the conversation', async () => {
    await answered('One');
    bot.model.become((received, response) => {
      if (received.event.conversation_id === '') return says(part('Again.'), END)(received, response);
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"code":"not_found","message":"Conversation Not Exists.","status":404}');
    });
    expect(await answered('Two', 2)).toMatchObject({ status: 'DONE', runs: [{ outcome: 'DONE', try: 1 }] });
    expect(asked().at(-1)).toMatchObject({
      query: 'Earlier in this chat:\nVisitor: One\nAssistant: Hello!\n\nTwo',
      conversation_id: '',
    });
  });

  it('an address that is not there is a failure, and is asked once', async () => {
    bot.model.become((_, response) => void response.writeHead(404).end());
    expect(await answered('Hi')).toMatchObject({ status: 'FAILED', code: 'status' });
    expect(asked()).toHaveLength(1);
  });

  it('text that is replaced is not stored, nor what it thinks aloud', async () => {
    bot.model.become(says(part('<think>Hm</think>Bad'), event('message_replace', { answer: 'Good.' }), END));
    await answered('Hi');
    bot.model.become(says(part('<think>Hm'), part('</think>Fine.'), END));
    await answered('Hi', 2);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Good.', 'VISITOR: Hi', 'BOT: Fine.']);
  });

  it('hands over by a line of its own', async () => {
    bot.model.become(says(part('One moment.\n[[hand_over: a refund]]\nignored'), END));
    expect(await answered('Money back')).toMatchObject({ status: 'HANDED_OVER' });
    expect(await bot.said()).toEqual(['VISITOR: Money back', 'BOT: One moment.']);
    expect((await bot.messages()).at(-1).metadata).toMatchObject({ reason: 'a refund' });
  });

  it('shares the visitor and the page as variables only', async () => {
    await bot.connect({ kind: 'dify', share: ['visitor', 'page'] });
    await answered('Hi');
    const [{ inputs }] = asked();
    expect(JSON.parse(inputs.parley_visitor)).toEqual({ name: 'Vera', email: 'vera@example.com', isVerified: false });
  });

  it('a workflow that was stopped stores nothing, and the bot keeps the chat', async () => {
    bot.model.become(says(part('Half'), event('workflow_finished', { data: { status: 'stopped' } })));
    expect(await answered('Hi')).toMatchObject({ status: 'CANCELLED', runs: [{ outcome: 'CANCELLED' }] });
    expect(await bot.said()).toEqual(['VISITOR: Hi']);
    expect(await bot.owner()).toBe('BOT');
  });

  it.each<[string, string[]]>([
    ['endpoint_error', [part('Half'), event('error', { status: 400, code: 'x', message: 'out of credits' })]],
    ['endpoint_error', [event('workflow_finished', { data: { status: 'failed', error: 'a node failed' } }), END]],
    ['unsupported', [event('human_input_required', { data: {} })]],
    ['unsupported', [event('workflow_paused', { data: {} })]],
    ['truncated', [part('Half')]],
    ['protocol', [event('message', { answer: 3 }), END]],
    ['protocol', ['data: {"event"\n\n']],
    ['protocol', ['data: {"answer": "x"}\n\n']],
    ['empty', [END]],
    ['too_large', [part('x'.repeat(50_001)), END]],
  ])('agents get the chat, with nothing of the answer: %s', (code, parts) => failed(code, ...parts));

  it('a page of HTML is no stream', async () => {
    bot.model.become(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
    );
    expect(await answered('Hi')).toMatchObject({ status: 'FAILED', code: 'content_type' });
  });

  it('an agent who takes over stops it there too, once', async () => {
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    bot.model.become((received, response) => {
      if (received.path.endsWith('/stop')) return void response.end('{"result":"success"}');
      stream(response).write(part('Half'));
    });
    const visitor = await parley.connectVisitor(bot.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: bot.tenant.chatId });
    await bot.say('Hi');
    await visitor.until(() => visitor.all('typing').some((typing) => typing.text === 'Half'));
    await ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
    const [turn] = await bot.ended(1);
    expect(turn.status).toBe('ABORTED');
    const isStop = ({ path }: Received) => path === '/v1/chat-messages/task-1/stop';
    const received = await bot.model.until((all) => all.some(isStop));
    expect(received.filter(isStop).map(({ event: body }) => body)).toEqual([{ user: bot.tenant.visitorId }]);
  });

  describe('when the visitor is erased', () => {
    const erase = async () => {
      await answered('Hi');
      expect([202, 204]).toContain((await bot.tenant.admin.delete(`/visitors/${bot.tenant.visitorId}`)).status);
      await eventually(rows, ({ length }) => length === 1);
    };
    const rows = () => parley.query('SELECT * FROM conversation_removals WHERE organization_id = $1', [bot.tenant.id]);
    const removals = (): Received[] => bot.model.received.filter(({ path }) => path === '/v1/conversations/cnv-1');
    const again = async () => {
      await parley.query(`UPDATE conversation_removals SET due_at = now() - interval '1 s'`);
      await parley.app.get(ConversationRemovals).removeDue();
    };

    it('its conversation is removed there', async () => {
      await erase();
      await parley.app.get(ConversationRemovals).removeDue();
      expect(await rows()).toEqual([]);
      const [{ headers, event: body }] = removals() as [Received];
      expect(headers.authorization).toBe('Bearer app-1');
      expect(body).toEqual({ user: bot.tenant.visitorId });
    });

    it('a deleted message takes the conversation along, and the next turn begins again', async () => {
      await answered('One');
      const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
      await ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
      const sent = await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'Secret' }).expect(201);
      await ada.client.delete(`/chats/${bot.tenant.chatId}/messages/${sent.body.message.seq}`).expect(204);
      await ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
      await parley.app.get(ConversationRemovals).removeDue();
      expect(removals()).toHaveLength(1);
      await answered('Two', 2);
      const last = bot.model.received.findLast(({ path }) => path === '/v1/chat-messages');
      expect(last!.event).toMatchObject({
        query: 'Earlier in this chat:\nVisitor: One\nAssistant: Hello!\n\nTwo',
        conversation_id: '',
      });
    });

    it('a failed removal is repeated, for a day', async () => {
      await erase();
      bot.model.become((_, response) => void response.writeHead(500).end());
      await again();
      expect(await rows()).toHaveLength(1);
      const count = removals().length;
      await parley.app.get(ConversationRemovals).removeDue();
      expect(removals()).toHaveLength(count);
      await parley.query(`UPDATE conversation_removals SET created_at = now() - interval '25 hours'`);
      await again();
      expect(await rows()).toHaveLength(1);
      await parley.query('UPDATE conversation_removals SET tries = 4');
      await again();
      expect(await rows()).toEqual([]);
    });

    it("an organization whose endpoint doesn't answer delays no other one's removals", async () => {
      await erase();
      const other = await ConnectedBot.start(parley, { kind: 'dify', key: 'app-2' });
      await parley.query(
        `INSERT INTO conversation_removals (organization_id, id, bot_id, connection_id, remote_id, remote_user, due_at, created_at)
         SELECT organization_id, 'b' || n, bot_id, connection_id, 'b' || n, remote_user, now() - interval '1 h', now()
         FROM conversation_removals, generate_series(1, 100) n WHERE organization_id = $1`,
        [bot.tenant.id],
      );
      await parley.query(
        `INSERT INTO conversation_removals (organization_id, id, bot_id, connection_id, remote_id, remote_user, due_at, created_at)
         SELECT organization_id, 'o', bot_id, id, 'o', 'u', now(), now() FROM bot_connections WHERE organization_id = $1`,
        [other.tenant.id],
      );
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      bot.model.become(async (_, response) => {
        await isReleased;
        response.writeHead(500).end();
      });
      const before = bot.model.received.length;
      const pass = parley.app.get(ConversationRemovals).removeDue();
      await other.model.until((all) => all.some(({ path }) => path === '/v1/conversations/o'));
      release();
      await pass;
      // One that failed ends the turn of its organization.
      expect(bot.model.received).toHaveLength(before + 1);
      await parley.query('DELETE FROM conversation_removals');
      await other.close();
    });

    it('a conversation that is not there, or a deleted connection, ends it', async () => {
      await erase();
      bot.model.become((_, response) => void response.writeHead(404).end());
      await again();
      expect(await rows()).toEqual([]);
    });
  });
});
