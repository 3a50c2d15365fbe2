import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent } from '../support/parley.js';
import { asks, calls, finished, frame, runs, says, started } from './support/agui.js';
import { ConnectedBot, stream } from './support/model.js';

describe('a bot that is connected to an AG-UI agent', () => {
  let parley: Parley;
  let bot: ConnectedBot;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    bot = await ConnectedBot.start(parley, { kind: 'agui' });
    ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    bot.model.become(runs(says('Hello!')));
  });
  afterEach(() => bot.close());

  const answered = async (content: string, count = 1) => {
    await bot.say(content);
    return (await bot.ended(count)).at(-1);
  };
  const inputs = (): any[] => bot.model.received.map(({ event }) => event);
  const claim = () => ada.client.post(`/chats/${bot.tenant.chatId}/claim`, { force: true }).expect(200);
  const giveBack = () => ada.client.post(`/chats/${bot.tenant.chatId}/return`, {}).expect(200);
  const choose = async (value: string) => {
    const question = (await bot.messages()).findLast(({ type }) => type === 'QUICK_REPLY');
    const answer = { content: value, replyTo: { messageId: question.id, value } };
    await parley.visitor(bot.tenant.visitorToken).post(`/chats/${bot.tenant.chatId}/messages`, answer).expect(201);
  };
  const lastFor = (input: any) => input.messages.at(-1);

  it('characters that can not be stored are left out of everything that an agent sends', async () => {
    const dirty = 'a\u0000b\ud800c';
    const result = { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: dirty, content: dirty };
    const state = { type: 'STATE_SNAPSHOT', snapshot: { [dirty]: [dirty] } };
    const unknown = { type: `NEW_${dirty}` };
    bot.model.become(runs([...calls(dirty, 'lookup', {}), result, state, unknown, ...says(`Fine${dirty}.`)]));
    const turn = await answered('Hi');
    expect(turn).toMatchObject({ status: 'DONE', runs: [{ outcome: 'DONE', warnings: ['event NEW_abc: unknown'] }] });
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Fineabc.']);
    await answered('And now?', 2);
    expect(inputs()[1]).toMatchObject({ state: { abc: ['abc'] } });
    expect(inputs()[1].messages).toContainEqual(expect.objectContaining({ toolCallId: 'abc', content: 'abc' }));
  });

  it('counts of tokens that no run has are left out', async () => {
    const usage = Array.from({ length: 2_000 }, () => ({
      inputTokens: Number.MAX_SAFE_INTEGER,
      outputTokens: 999_999_999,
    }));
    bot.model.become((received, response) => {
      const { threadId, runId } = received.event;
      const end = frame({ type: 'RUN_FINISHED', threadId, runId, usage });
      stream(response).end(started(received) + says('Hello!').map(frame).join('') + end);
    });
    expect(await answered('Hi')).toMatchObject({ status: 'DONE', usage: { outputTokens: 1_000_000_000 } });
  });

  it('an error after the end of a run does not show the secrets of the connection', async () => {
    await bot.connect({ kind: 'agui', headers: { 'X-Key': 's3cret-of-ours' } });
    const late = frame({ type: 'RUN_ERROR', message: 'bad key s3cret-of-ours' });
    bot.model.become((received, response) => {
      stream(response).end(started(received) + says('Hello!').map(frame).join('') + finished(received) + late);
    });
    expect(await answered('Hi')).toMatchObject({ runs: [{ outcome: 'FAILED', detail: 'bad key ***' }] });
  });

  it('gets the whole input, and answers with one message', async () => {
    await bot.connect({ kind: 'agui', share: ['groups', 'visitor'] });
    const turn = await answered('Hi there');
    expect(turn).toMatchObject({ status: 'DONE', runs: [{ protocolVersion: '1.0', warnings: [] }] });
    expect(await bot.said()).toEqual(['VISITOR: Hi there', 'BOT: Hello!']);
    const [{ headers, path }] = bot.model.received as any;
    expect(path).toBe('/v1');
    expect(headers).toMatchObject({ accept: 'text/event-stream', 'webhook-id': turn.runs[0].id });
    expect(headers['webhook-signature']).toMatch(/^v1,/);
    const [said] = await bot.messages();
    expect(inputs()[0]).toEqual({
      threadId: bot.tenant.chatId,
      runId: turn.runs[0].id,
      protocolVersion: '1.1',
      messages: [
        { id: `data_${bot.tenant.chatId}`, role: 'user', content: expect.stringContaining('not instructions') },
        { id: said.id, role: 'user', content: 'Hi there' },
      ],
      tools: ['hand_over', 'offer_choices', 'set_tags', 'close_chat'].map((name) => expect.objectContaining({ name })),
      context: [{ description: expect.any(String), value: expect.stringContaining('grp_') }],
      state: {},
      forwardedProps: {
        parley: {
          organizationId: bot.tenant.id,
          chatId: bot.tenant.chatId,
          turnId: turn.id,
          step: 1,
          try: 1,
          visitor: { name: 'Vera', email: 'vera@example.com', isVerified: false },
        },
      },
    });
  });

  it('gets its own messages with its ids, its state, and what agents wrote', async () => {
    bot.model.become(runs([...says('Hello!', 'own-1'), { type: 'STATE_SNAPSHOT', snapshot: { step: 2 } }]));
    await answered('One');
    await claim();
    await ada.client.post(`/chats/${bot.tenant.chatId}/messages`, { content: 'I can help' }).expect(201);
    await giveBack();
    await answered('Two', 2);
    const { messages, state } = inputs()[1];
    expect(state).toEqual({ step: 2 });
    expect(messages.map(({ role, name, content }: any) => [role, name, content])).toEqual([
      ['user', undefined, 'One'],
      ['assistant', undefined, 'Hello!'],
      ['assistant', 'Ada', 'I can help'],
      ['user', undefined, 'Two'],
    ]);
    expect(messages[1].id).toBe('own-1');
  });

  it('its stream may have any line ends, and any chunks', async () => {
    bot.model.become((received, response) => {
      const text = started(received) + says('Grüße 👋').map(frame).join('') + finished(received);
      const bytes = Buffer.from(text.replaceAll('\n', '\r\n'));
      stream(response);
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      response.end();
    });
    await answered('Hi');
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Grüße 👋']);
  });

  it('wrong calls are answered with errors, and the turn goes on', async () => {
    const answers = [
      runs([...calls('c1', 'refund', {}), ...calls('c2', 'hand_over', { groupId: 'grp_of_others', reason: 'x' })]),
      runs(says('Sorry.')),
    ];
    bot.model.become((received, response) => answers.shift()!(received, response));
    expect(await answered('Hi')).toMatchObject({ status: 'DONE', runs: [{ step: 1 }, { step: 2 }] });
    expect(inputs()[1].messages.filter(({ role }: any) => role === 'tool')).toMatchObject([
      { toolCallId: 'c1', error: 'There is no tool refund' },
      { toolCallId: 'c2', error: 'groupId must be one of the offered groups' },
    ]);
  });

  it('hands over by its tool, and reads afterwards who answered', async () => {
    bot.model.become(runs([...says('One moment.'), ...calls('c1', 'hand_over', { reason: 'a refund' })]));
    expect(await answered('Money back')).toMatchObject({ status: 'HANDED_OVER' });
    await claim();
    await giveBack();
    bot.model.become(runs(says('Welcome back.')));
    await answered('Thanks', 2);
    const tool = inputs()[1].messages.find(({ role }: any) => role === 'tool');
    expect(tool.toolCallId).toBe('c1');
    expect(JSON.parse(tool.content)).toMatchObject({ status: 'answered', agents: ['Ada'], returned: true });
  });

  it('asks with choices, and gets the answer', async () => {
    const question = { id: 'i1', reason: 'tool_call', message: 'Really refund?', toolCallId: 'c1' };
    bot.model.become(runs(calls('c1', 'refund', { amount: 5 }), asks(question)));
    expect(await answered('Refund')).toMatchObject({ status: 'INTERRUPTED', runs: [{ outcome: 'INTERRUPTED' }] });
    expect((await bot.messages()).at(-1)).toMatchObject({
      type: 'QUICK_REPLY',
      content: 'Really refund?',
      metadata: { options: [{ label: 'Yes' }, { label: 'No' }] },
    });
    expect(await bot.owner()).toBe('BOT');
    bot.model.become(
      runs([
        { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c1', content: 'done' },
        ...says('Refunded.', 'm2'),
      ]),
    );
    await choose('Yes');
    await bot.ended(2);
    const { resume, messages } = inputs()[1];
    expect(resume).toEqual([{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }]);
    expect(messages.some(({ role }: any) => role === 'tool')).toBe(false);
    expect(lastFor(inputs()[1])).toMatchObject({ role: 'user', content: 'Yes' });
    await answered('Thanks', 3);
    expect(inputs()[2]).not.toHaveProperty('resume');
    expect(inputs()[2].messages.filter(({ role }: any) => role === 'tool')).toMatchObject([
      { toolCallId: 'c1', content: 'done' },
    ]);
  });

  it('two questions of a run are answered together', async () => {
    const first = { id: 'i1', reason: 'input_required', message: 'How many?', responseSchema: { type: 'integer' } };
    bot.model.become(runs([], asks(first, { id: 'i2', reason: 'confirmation' })));
    await answered('Order');
    await answered('some', 2);
    await answered('3', 3);
    expect(bot.model.received).toHaveLength(1);
    bot.model.become(runs(says('Ordered.')));
    await choose('No');
    await bot.ended(4);
    expect(inputs()[1].resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: 3 },
      { interruptId: 'i2', status: 'resolved', payload: false },
    ]);
    const questions = (await bot.said()).filter((line) => line.startsWith('BOT'));
    expect(questions).toEqual(['BOT: How many?', 'BOT: How many?', 'BOT: Please answer.', 'BOT: Ordered.']);
  });

  it('an agent who takes the chat while it waits cancels the question, and no call dangles', async () => {
    bot.model.become(runs(calls('c1', 'refund', {}), asks({ id: 'i1', reason: 'tool_call', toolCallId: 'c1' })));
    await answered('Refund');
    await claim();
    await giveBack();
    bot.model.become(runs(says('Anything else?')));
    await answered('Hello?', 2);
    expect(inputs()[1].resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
    await answered('No', 3);
    expect(inputs()[2].messages.filter(({ role }: any) => role === 'tool')).toMatchObject([
      { toolCallId: 'c1', error: 'not executed' },
    ]);
  });

  it('a question that a chat can not ask goes to agents', async () => {
    bot.model.become(runs([], asks({ id: 'i1', reason: 'x', responseSchema: { type: 'array' } })));
    expect(await answered('Hi')).toMatchObject({ status: 'FAILED', code: 'unsupported' });
    expect(await bot.owner()).toBe('QUEUE');
  });

  it('with resumeHistory none, the answer comes without the history', async () => {
    await bot.connect({ kind: 'agui', resumeHistory: 'none', protocol: '0' });
    bot.model.become(runs([], asks({ id: 'i1', reason: 'input_required' })));
    await answered('Hi');
    bot.model.become(runs(says('Thanks.')));
    await answered('Blue', 2);
    expect(inputs()[1].messages).toEqual([expect.objectContaining({ role: 'user', content: 'Blue' })]);
    expect(inputs()[1]).not.toHaveProperty('protocolVersion');
  });

  it('an endpoint from before 1.0 gets the bare answer', async () => {
    bot.model.become((received, response) => {
      const { threadId } = received.event;
      const own = { threadId, runId: 'own' };
      const question = { type: 'CUSTOM', name: 'on_interrupt', value: '{"x":1}' };
      const events = [{ type: 'RUN_STARTED', ...own }, question, { type: 'RUN_FINISHED', ...own }];
      stream(response).end(events.map(frame).join(''));
    });
    expect(await answered('Hi')).toMatchObject({ status: 'INTERRUPTED' });
    bot.model.become(runs(says('Thanks.')));
    await answered('Blue', 2);
    expect(inputs()[1].forwardedProps.command).toEqual({ resume: 'Blue' });
    expect(inputs()[1]).not.toHaveProperty('resume');
  });

  it('what was complete before an error stays, and there is no further try', async () => {
    await bot.connect({ kind: 'agui', tries: 3 });
    bot.model.become((received, response) => {
      const state = frame({ type: 'STATE_SNAPSHOT', snapshot: { lost: true } });
      const error = frame({ type: 'RUN_ERROR', message: 'out of tokens' });
      stream(response).end(started(received) + state + says('First.').map(frame).join('') + error);
    });
    const turn = await answered('Hi');
    expect(turn).toMatchObject({ status: 'FAILED', code: 'endpoint_error', runs: [{ detail: 'out of tokens' }] });
    expect(turn.messageIds).toHaveLength(1);
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: First.']);
    expect(await bot.owner()).toBe('QUEUE');
    await claim();
    await giveBack();
    bot.model.become(runs(says('Again.')));
    await answered('Hi', 2);
    expect(inputs()[1].state).toEqual({});
  });

  it('an error after the end keeps the message, and the bot keeps the chat', async () => {
    bot.model.become((received, response) => {
      const error = frame({ type: 'RUN_ERROR', message: 'late' });
      stream(response).end(started(received) + says('Fine.').map(frame).join('') + finished(received) + error);
    });
    expect(await answered('Hi')).toMatchObject({
      status: 'DONE',
      runs: [{ outcome: 'FAILED', code: 'endpoint_error' }],
    });
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Fine.']);
    expect(await bot.owner()).toBe('BOT');
  });

  it('an end on purpose keeps the chat with the bot, without an answer', async () => {
    bot.model.become(runs([], { type: 'cancelled' }));
    expect(await answered('Hi')).toMatchObject({ status: 'CANCELLED', runs: [{ outcome: 'CANCELLED' }] });
    expect(await bot.owner()).toBe('BOT');
  });

  it('an agent who takes over in the middle of a tool ends the request, and no call dangles', async () => {
    const open: ServerResponse[] = [];
    bot.model.become((received, response) => {
      stream(response).write(started(received) + frame(calls('c1', 'hand_over', {})[0]!));
      open.push(response);
    });
    const visitor = await parley.connectVisitor(bot.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId: bot.tenant.chatId });
    await bot.say('Hi');
    await visitor.until(() => visitor.all('typing').some(({ status }) => status === 'hand over'));
    await claim();
    expect((await bot.ended(1))[0]).toMatchObject({ status: 'ABORTED' });
    await eventually(() => open[0]!.destroyed, Boolean);
    await giveBack();
    bot.model.become(runs(says('Back again.')));
    await bot.ended(2);
    expect(inputs()[1].messages).toEqual([{ id: expect.any(String), role: 'user', content: 'Hi' }]);
  });

  it('encrypted values go back to the endpoint, and not to an export', async () => {
    const value = {
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype: 'message',
      entityId: 'm1',
      encryptedValue: 'sea"l\\ed',
    };
    const text = 'It says "encryptedValue": "shown" here';
    bot.model.become(runs([...says(text), { ...value, encryptedValueType: 'k' }]));
    await answered('Hi');
    const { body } = await bot.tenant.admin.get(`/visitors/${bot.tenant.visitorId}/export`).expect(200);
    const [{ content }] = body.chats[0].transcript;
    const [message] = content.entries[0].messages;
    expect(message).toMatchObject({ id: 'm1', content: text, encryptedValue: null, encryptedValueType: 'k' });
    await answered('Hi', 2);
    expect(inputs()[1].messages[1]).toMatchObject({ id: 'm1', encryptedValue: 'sea"l\\ed', encryptedValueType: 'k' });
  });

  it('erasing the visitor leaves no state, transcript, or question', async () => {
    bot.model.become(
      runs([{ type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }], asks({ id: 'i1', reason: 'input_required' })),
    );
    await answered('Hi');
    const rows = () => parley.query('SELECT FROM bot_transcripts WHERE organization_id = $1', [bot.tenant.id]);
    expect(await rows()).toHaveLength(1);
    expect([202, 204]).toContain((await bot.tenant.admin.delete(`/visitors/${bot.tenant.visitorId}`)).status);
    await eventually(rows, ({ length }) => length === 0);
  });
});
