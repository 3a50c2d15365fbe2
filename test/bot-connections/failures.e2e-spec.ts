import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { Runner } from '../../src/bot-connections/engine/runner.js';
import { Parley } from '../support/parley.js';
import { ConnectedBot, says, STOP, stream, text } from './support/model.js';

describe('the endpoint of a bot that fails', () => {
  let parley: Parley;
  let bot: ConnectedBot;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    parley.app.get(Runner).limits = { firstByte: 60_000, silence: 60_000, run: 300_000 };
    bot = await ConnectedBot.start(parley);
  });
  afterEach(() => bot.close());

  const failed = async (behave: (response: ServerResponse) => void) => {
    bot.model.become((_, response) => behave(response));
    await bot.say('Hi');
    const [turn] = await bot.ended(1);
    expect(turn.status).toBe('FAILED');
    expect(await bot.owner()).toBe('QUEUE');
    expect(await bot.said()).toEqual(['VISITOR: Hi']);
    expect(turn.runs.at(-1)).toMatchObject({ outcome: 'FAILED', code: turn.code });
    return turn;
  };
  const json = (response: ServerResponse, body: string, type = 'application/json') =>
    response.writeHead(200, { 'content-type': type }).end(body);

  it.each<[string, (response: ServerResponse) => void]>([
    ['status', (response) => response.writeHead(401).end('{"error": "wrong key sk-1"}')],
    ['status', (response) => response.writeHead(503).end()],
    ['redirect', (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()],
    ['content_type', (response) => json(response, '<html>Welcome</html>', 'text/html; charset=utf-8')],
    ['protocol', (response) => json(response, 'not JSON')],
    ['protocol', (response) => json(response, '{"choices": []}')],
    ['protocol', (response) => stream(response).end('data: {"choices"\n\n')],
    ['endpoint_error', (response) => stream(response).end('data: {"error": {"message": "overloaded"}}\n\n')],
    ['truncated', (response) => stream(response).end(text('Half'))],
    ['empty', (response) => stream(response).end(STOP)],
    ['empty', (response) => stream(response).end(text('<think>hm') + STOP)],
    ['too_large', (response) => stream(response).end(text('x'.repeat(50_001)) + STOP)],
    ['unreachable', (response) => response.destroy()],
  ])('agents get the chat, with nothing of the answer: %s', async (code, behave) => {
    const turn = await failed(behave);
    expect(turn.code).toBe(code);
    expect(JSON.stringify(turn)).not.toContain('sk-1');
  });

  it('an answer that breaks off in the middle is truncated', async () => {
    const turn = await failed((response) => {
      stream(response).write(text('Half'));
      setImmediate(() => response.destroy());
    });
    expect(turn.code).toBe('truncated');
  });

  it('a silent endpoint is a timeout', async () => {
    parley.app.get(Runner).limits = { firstByte: 200, silence: 200, run: 300_000 };
    const turn = await failed(() => undefined);
    expect(turn).toMatchObject({ code: 'timeout', runs: [{ detail: 'did not begin to answer within 0.2 s' }] });
  });

  it('an endpoint that sends a byte at a time is a timeout', async () => {
    parley.app.get(Runner).limits = { firstByte: 60_000, silence: 60_000, run: 300 };
    const turn = await failed((response) => {
      const timer = setInterval(() => response.write(':'), 20);
      stream(response).on('close', () => clearInterval(timer));
    });
    expect(turn.code).toBe('timeout');
  });

  it('an answer of more than 4 MB is too_large', async () => {
    const turn = await failed((response) => {
      stream(response);
      response.on('error', () => undefined);
      for (let n = 0; n < 100; n++) response.write(`: ${'x'.repeat(100_000)}\n`);
    });
    expect(turn.code).toBe('too_large');
  });

  it('visitors read the sentence, and agents the reason and the code', async () => {
    const ada = await parley.signInAgent(bot.tenant, { role: 'ADMIN' });
    const groups = (await bot.tenant.bot.get('/groups').expect(200)).body;
    const failure = { sentence: 'Sorry, one moment.', reason: 'The model is down', targetGroupId: groups[0].id };
    await bot.connect({ failure, tries: 2 });
    bot.model.become((_, response) => void response.writeHead(500).end());
    await bot.say('Hi');
    const [turn] = await bot.ended(1);
    expect(turn).toMatchObject({ status: 'FAILED', code: 'status', runs: [{ try: 1 }, { try: 2 }] });
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Sorry, one moment.']);
    expect((await bot.messages()).at(-1).metadata).toMatchObject({ reason: 'The model is down' });
    const { body } = await ada.client.get(`/chats/${bot.tenant.chatId}`).expect(200);
    expect(JSON.stringify(body)).toContain("The bot's endpoint failed. Code: status. Tries: 2.");
  });

  it('a later try may succeed, and the visitor gets one message', async () => {
    await bot.connect({ tries: 3 });
    const behaviors = [
      (_: unknown, response: ServerResponse) => void response.writeHead(503, { 'retry-after': '0' }).end(),
      (_: unknown, response: ServerResponse) => void stream(response).end(text('Half')),
      says(text('Whole.')),
    ];
    bot.model.become((received, response) => behaviors.shift()!(received, response));
    await bot.say('Hi');
    const [turn] = await bot.ended(1);
    expect(turn).toMatchObject({
      status: 'DONE',
      runs: [{ code: 'status' }, { code: 'truncated' }, { outcome: 'DONE' }],
    });
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Whole.']);
    const keys = bot.model.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([`${turn.id}.1`]));
  });

  it('a long Retry-After is not waited for', async () => {
    await bot.connect({ tries: 3 });
    const turn = await failed((response) => response.writeHead(429, { 'retry-after': '31' }).end());
    expect(turn.runs).toHaveLength(1);
  });

  it('a turn whose node was lost goes on, and the visitor gets one message', async () => {
    await bot.connect({ tries: 3 });
    bot.model.become((_, response) => void stream(response).write(text('Never')));
    await bot.say('Hi');
    await bot.model.count(1);
    bot.model.become(says(text('Whole.')));
    // As if another node had begun the run, and had ended without a word.
    const lost = `
      WITH turn AS (
        UPDATE bot_turns SET run_id = 'run_lost', leased_until = now() - interval '1 s' WHERE organization_id = $1 RETURNING id
      )
      INSERT INTO bot_runs (organization_id, id, turn_id, step, try, started_at) SELECT $1, 'run_lost', id, 1, 1, now() FROM turn`;
    await parley.query(lost, [bot.tenant.id]);
    const [turn] = await bot.ended(1);
    expect(turn.status).toBe('DONE');
    expect(turn.runs.map(({ outcome }: any) => outcome)).toEqual(expect.arrayContaining(['LOST', 'DONE']));
    expect(await bot.said()).toEqual(['VISITOR: Hi', 'BOT: Whole.']);
  });

  it('an address that has become private is refused', async () => {
    await parley.query(`UPDATE bot_connections SET url = 'http://10.0.0.1/v1' WHERE organization_id = $1`, [
      bot.tenant.id,
    ]);
    const turn = await failed(() => undefined);
    expect(turn.code).toBe('refused_address');
    expect(bot.model.received).toEqual([]);
  });

  it('secrets that cannot be decrypted are reported', async () => {
    await parley.query(`UPDATE bot_connections SET secrets = 'x' WHERE organization_id = $1`, [bot.tenant.id]);
    await bot.say('Hi');
    const [turn] = await bot.ended(1);
    expect(turn).toMatchObject({ status: 'FAILED', code: 'unsupported' });
    expect(await bot.owner()).toBe('QUEUE');
  });
});
