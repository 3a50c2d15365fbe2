import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setChat } from '../support/inbox.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { chatIds, queryOf, search } from './support/searching.js';

describe('a cursor gives no rights', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sales: string;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [sales] });
  });
  afterAll(() => parley.stop());

  const open = async (content: string, group?: string) => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor: { name: 'Secret Person' } }).expect(201);
    if (group) await setChat(parley, chat.id, { group_id: group });
    await tenant.bot.post('/messages', { chatId: chat.id, content }).expect(200);
    return chat.id as string;
  };

  it.each(['named', 'edited'])('%s chats of a cursor are found only by who may see them', async (list) => {
    const hidden = await open(`obelisk ${list}`);
    for (let n = 0; n < 2; n++) await open(`obelisk ${list}`, sales);
    const { nextCursor } = await search(parley, tenant, ada, { q: `obelisk ${list}`, limit: 1 });
    const state = JSON.parse(Buffer.from(nextCursor!, 'base64url').toString()) as object;
    const forged = { ...state, named: [], had: 0, edited: [], at: null, [list]: [hidden] };
    const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url');
    const { body } = await ada.client.get(queryOf({ q: `obelisk ${list}`, limit: 1, cursor })).expect(200);
    expect(chatIds(body)).toEqual([]);
  });

  it.each([-8_000_000_000_000_000, Date.parse('2400-01-01'), 1.5])(
    'a time of %d in a cursor is refused',
    async (at) => {
      for (let n = 0; n < 2; n++) await open(`menhir ${at}`, sales);
      const { nextCursor } = await search(parley, tenant, ada, { q: `menhir ${at}`, limit: 1 });
      const state = JSON.parse(Buffer.from(nextCursor!, 'base64url').toString()) as object;
      for (const forged of [{ at }, { start: at }]) {
        const cursor = Buffer.from(JSON.stringify({ ...state, ...forged })).toString('base64url');
        const { body } = await ada.client.get(queryOf({ q: `menhir ${at}`, limit: 1, cursor })).expect(400);
        expect(body.errors[0].pointer).toBe('?cursor');
      }
    },
  );
});
