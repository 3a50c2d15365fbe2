import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { chatIds, indexed, queryOf } from './support/searching.js';

describe('turns of searches', () => {
  let parley: Parley;
  let tenants: Tenant[];
  let greedy: SignedInAgent;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenants = [await parley.createTenant(), await parley.createTenant()];
    [greedy, ada] = [
      await parley.signInAgent(tenants[0]!, { role: 'ADMIN' }),
      await parley.signInAgent(tenants[1]!, { role: 'ADMIN' }),
    ];
    for (const { bot, chatId, id } of tenants) {
      await bot.post('/messages', { chatId, content: 'an obelisk' }).expect(200);
      await indexed(parley, id);
    }
  });
  afterAll(() => parley.stop());

  const running = async () => {
    const [row] = await parley.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%search_entries%' AND state = 'active'`,
    );
    return row!.count;
  };

  it('an organization whose searches take all of their time leaves a turn to another one', async () => {
    const path = queryOf({ q: 'obelisk' });
    await ada.client.get(path).expect(200);
    const holder = await parley.database.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE search_entries IN ACCESS EXCLUSIVE MODE');
    const many = Array.from({ length: 20 }, () => greedy.client.get(path).expect(200));
    const answers = Promise.all(many);
    await eventually(running, (count) => count === 1);
    const own = ada.client.get(path).then(({ body }) => body);
    await eventually(running, (count) => count === 2);
    await holder.query('COMMIT');
    holder.release();
    const { partial, ...page } = await own;
    expect(partial).toBeUndefined();
    expect(chatIds(page)).toEqual([tenants[1]!.chatId]);
    for (const { body } of await answers) expect(body.partial === true || body.results.length === 1).toBe(true);
  });
});
