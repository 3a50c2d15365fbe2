import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/eventually.js';
import { Parley, PRODUCT_TIME_LIMITS, type Tenant } from '../support/parley.js';
import { Pair } from './support/pair.js';

describe('a DATABASE_URL with two hosts', () => {
  let pair: Pair;
  let parley: Parley;
  let tenant: Tenant;

  beforeEach(async () => {
    pair = await Pair.start();
    parley = await Parley.start({}, pair.urlOfBoth, PRODUCT_TIME_LIMITS);
    parley.database.on('error', () => undefined);
    tenant = await parley.createTenant();
  });
  afterEach(async () => {
    await parley.stop();
    await pair.stop();
  });

  const send = async (content: string, key = content) => {
    const { bot, chatId } = tenant;
    const answer = await bot.post('/messages', { chatId, content }).set('Idempotency-Key', key);
    return answer.status;
  };
  const sendUntilStored = (content: string) =>
    until(`"${content}" is stored`, async () => (await send(content)) === 200, 60_000);
  const contents = async () => {
    const rows = await pair.standby.query<{ content: string }>(
      'SELECT content FROM messages WHERE chat_id = $1 ORDER BY seq',
      [tenant.chatId],
    );
    return rows.map(({ content }) => content);
  };

  it('the service uses the host that accepts writes, and the other one after its promotion', async () => {
    expect(await send('before')).toBe(200);
    await pair.failOver();
    await sendUntilStored('after');
    expect(await contents()).toEqual(['before', 'after']);
  });

  it("the service leaves a frozen primary for the promoted host, and doesn't go back", async () => {
    expect(await send('before')).toBe(200);
    pair.freezePrimary();
    await pair.promote();
    await sendUntilStored('during');
    pair.thawPrimary();
    for (const content of ['1', '2', '3']) await sendUntilStored(content);
    expect(await contents()).toEqual(['before', 'during', '1', '2', '3']);
  });
});
