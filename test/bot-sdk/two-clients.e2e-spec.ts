import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBot } from '../../packages/bot/src/index.js';
import { until } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { PullClient } from '../support/pull-client.js';
import { Proxy } from './support/proxy.js';

describe('an SDK bot beside another client', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  it('the SDK handles 200 events once and completes all of them when another client polls before each of its polls', async () => {
    const tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', { events: ['chat.created'] }).expect(200);
    for (let count = 0; count < 200; count += 10)
      await Promise.all(Array.from({ length: 10 }, () => tenant.admin.post('/chats', {}).expect(201)));
    const pending = async () => (await tenant.bot.get('/subscription').expect(200)).body.pending as number;

    const proxy = await Proxy.start(parley.url);
    const other = new PullClient(tenant.bot, 50);
    proxy.before = (request) => (request.startsWith('GET /api/bot/events') ? other.poll() : undefined);
    const handled: string[] = [];
    const bot = createBot({ url: proxy.url, token: tenant.token, signals: false, log: () => undefined });
    bot.on('chat.created', ({ event }) => void handled.push(event.id));
    const running = bot.run();
    try {
      await until('all events are done', async () => (await pending()) === 0);
    } finally {
      await bot.stop();
      await running;
      await proxy.close();
    }
    const seen = new Set([...handled, ...other.events.map(({ id }) => id)]);
    expect(seen.size).toBe(200);
    expect(new Set(handled).size).toBe(handled.length);
  });
});
