import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

describe('what a bot learns of its rate', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ BOT_RATE_LIMIT: '3' });
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const REMAINING = /^"(bot|bot_typing)";r=(\d+);t=1$/;
  const remaining = (headers: Record<string, string>) => Number(REMAINING.exec(headers['ratelimit'] ?? '')?.[2]);

  it('every response says the limit and what is left, also that of a refused request', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => tenant.bot.get('/groups')));
    const byStatus = (status: number) => answers.filter((answer) => answer.status === status);
    expect(byStatus(200).length).toBeGreaterThan(0);
    expect(byStatus(429).length).toBeGreaterThan(0);
    for (const { headers } of answers) {
      expect(headers['ratelimit-policy']).toBe('"bot";q=3;w=1');
      expect(headers['ratelimit']).toMatch(REMAINING);
    }
    for (const { headers } of byStatus(200)) expect([0, 1, 2]).toContain(remaining(headers));
    for (const { headers } of byStatus(429)) {
      expect(remaining(headers)).toBe(0);
      expect(headers['retry-after']).toBe('1');
    }
  });

  it('typing calls have a limit of their own, which the headers name', async () => {
    const { headers } = await tenant.bot.post(`/chats/${tenant.chatId}/typing`, { isTyping: true });
    expect(headers['ratelimit-policy']).toBe('"bot_typing";q=3;w=1');
    expect(headers['ratelimit']).toMatch(REMAINING);
  });

  it('no limit, no headers', async () => {
    const unlimited = await Parley.start({ BOT_RATE_LIMIT: '0' }, parley.databaseUrl);
    const { headers } = await unlimited.bot(tenant.token).get('/groups').expect(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    await unlimited.stop();
  });
});
