import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TurnRetention } from '../../src/bot-connections/engine/turn-retention.js';
import { Parley } from '../support/parley.js';
import { call, ConnectedBot, says, text, usage } from './support/model.js';

describe('the usage of a connected bot', () => {
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

  const days = async (query = '') =>
    (await bot.tenant.admin.get(`/bots/${bot.tenant.botId}/usage${query}`).expect(200)).body.days;
  const today = () => new Date().toISOString().slice(0, 10);

  it('turns and tokens are added up by day', async () => {
    expect(await days()).toEqual([]);
    const answers = [says(call('unknown', {}), usage(10, 2)), says(text('Hello!'), usage(20, 5))];
    bot.model.become((received, response) => answers.shift()!(received, response));
    const first = today();
    await bot.say('Hi');
    await bot.ended(1);
    bot.model.become((_, response) => void response.writeHead(401).end());
    await bot.say('Hi');
    await bot.ended(2);
    // Midnight may have passed.
    if (today() !== first) return;
    const day = { day: first, turns: 2, failed: 1, handedOver: 0, inputTokens: 30, outputTokens: 7 };
    expect(await days()).toEqual([day]);
    expect(await days(`?from=${first}&to=${first}`)).toEqual([day]);
    expect(await days('?to=2026-01-01')).toEqual([]);
    await bot.tenant.admin.get(`/bots/${bot.tenant.botId}/usage?from=yesterday`).expect(400);
    await bot.tenant.admin.get('/bots/bot_none/usage').expect(404);
  });

  it('a day is kept for 400 days', async () => {
    await bot.say('Hi');
    await bot.ended(1);
    const age = (interval: string) =>
      parley.query(`UPDATE bot_usage SET created_at = now() - interval '${interval}' WHERE organization_id = $1`, [
        bot.tenant.id,
      ]);
    await age('399 days');
    await parley.app.get(TurnRetention).removeExpired();
    expect(await days()).toHaveLength(1);
    await age('401 days');
    await parley.app.get(TurnRetention).removeExpired();
    expect(await days()).toEqual([]);
  });

  it('agents get the chats once the tokens of the day are used up', async () => {
    await bot.tenant.admin.patch(bot.path, { dailyTokens: 1_000 }).expect(200);
    bot.model.become(says(text('Hello!'), usage(900, 100)));
    await bot.say('Hi');
    await bot.ended(1);
    await bot.say('Hi again');
    const [, turn] = await bot.ended(2);
    expect(turn).toMatchObject({ status: 'FAILED', code: 'budget', runs: [] });
    expect(await bot.owner()).toBe('QUEUE');
    expect(bot.model.received).toHaveLength(1);
    const { body: connection } = await bot.tenant.admin.get(bot.path).expect(200);
    expect(connection).toMatchObject({ dailyTokens: 1_000, health: { lastFailure: null } });
    await bot.tenant.admin.patch(bot.path, { dailyTokens: null }).expect(200);
    const { body: other } = await bot.tenant.admin.post('/chats', { visitor: { name: 'Val' } }).expect(201);
    await bot.say('Hi', other.visitorToken, other.id);
    expect((await bot.ended(3)).at(-1).status).toBe('DONE');
  });
});
