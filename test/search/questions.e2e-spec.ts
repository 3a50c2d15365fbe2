import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { CHATS, NOISE, QUESTIONS } from './questions/questions.js';
import { chatIds, marked, queryOf, type Search, search } from './support/searching.js';

describe('what people type', () => {
  let parley: Parley;
  let tenant: Tenant;
  let sue: SignedInAgent;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    for (const [key, { messages, ...visitor }] of Object.entries(CHATS)) ids[key] = await open(visitor, messages);
    for (const content of [...NOISE, ...NOISE, ...NOISE]) await open({}, [content]);
  });
  afterAll(() => parley.stop());

  const open = async (visitor: object, messages: readonly string[]) => {
    const { body: chat } = await tenant.admin.post('/chats', { visitor }).expect(201);
    for (const content of messages) await tenant.bot.post('/messages', { chatId: chat.id, content }).expect(200);
    return chat.id as string;
  };
  const find = (given: Search) => search(parley, tenant, sue, given);

  it('at least 57 of 60 questions have the right chat among the first three', async () => {
    expect(QUESTIONS).toHaveLength(60);
    const missed: string[] = [];
    for (const [q, key] of QUESTIONS) {
      const first = chatIds(await find({ q })).slice(0, 3);
      if (!first.includes(ids[key]!)) missed.push(q);
    }
    expect(missed).toEqual([]);
  });

  it.each([
    ['Where is order 100-200-300?', '100200300', ['100-200-300']],
    ['Call +49 170 123-4567 now', '01701234567', ['49 170 123-4567']],
    ['Please resend INV-2026/0815', 'inv-2026/0815', ['INV-2026/0815']],
    ['我的订单还没有发货', '订单', ['订单']],
    ['Die Straße', 'strasse', ['Straße']],
    ['😀 refund 😀 refund', 'refund', ['refund', 'refund']],
  ])('in %j, %j marks %j', async (content, q, words) => {
    const id = await open({}, [content]);
    const found = (await find({ q, limit: 50 })).results.find(({ chat }) => chat.id === id)!;
    expect(marked(found.message!)).toEqual(words);
  });

  it('the snippet of a long message begins near its match', async () => {
    const id = await open({}, [`${'lorem ipsum '.repeat(100)} platypus ${'dolor '.repeat(100)}`]);
    const { results } = await find({ q: 'platypus' });
    expect(results.map(({ chat }) => chat.id)).toEqual([id]);
    expect(results[0]!.message!.snippet.length).toBeLessThanOrEqual(300);
    expect(marked(results[0]!.message!)).toEqual(['platypus']);
  });

  it('payment cards are not found, and the other words of their message are', async () => {
    const id = await open({}, ['My card 4111 1111 1111 1111 was charged twice, zebrafish']);
    expect(chatIds(await find({ q: 'zebrafish' }))).toEqual([id]);
    for (const q of ['4111', '1111', '4111111111111111', '4111 1111 1111 1111', '41111111'])
      expect([q, chatIds(await find({ q }))]).toEqual([q, []]);
    const words = await parley.query<{ words: string }>(
      `SELECT words::text FROM search_entries WHERE chat_id = $1 AND kind = 'BOT'`,
      [id],
    );
    expect(words[0]!.words).not.toContain('1111');
    expect(words[0]!.words).toContain('zebrafish');
  });

  it.each([
    '%',
    "'",
    '&|!():*',
    '\\',
    '"',
    '""',
    '"a',
    '<->',
    "'; DROP TABLE chats; --",
    'a & b',
    '😀'.repeat(200).slice(0, 200),
    'the of and to',
    'ก'.repeat(200),
    '"' + 'x '.repeat(99) + '"',
    'a '.repeat(100),
    '1 '.repeat(100),
    '٣٤٥',
    'e\u0301'.repeat(100),
    '\u0301'.repeat(200),
    '+'.repeat(200),
    '12345678 '.repeat(22),
    'abcdefgh '.repeat(22),
  ])('%j is answered', async (q) => {
    const page = await find({ q });
    expect(page.partial).toBeUndefined();
  });

  it.each(['x'.repeat(201), 'word '.repeat(1_000), '\0', 'a\0b', '😀'.repeat(201)])('%j is 400', async (q) => {
    await sue.client.get(queryOf({ q })).expect(400);
    await sue.client.post('/search', { q }).expect(400);
  });

  it('lone surrogates are 400', async () => {
    await sue.client.post('/search', { q: '\ud800' }).expect(400);
  });

  it('a word of 5,000 characters, many numbers, and marks without a letter are indexed', async () => {
    const word = `long${'x'.repeat(4_996)}`;
    const id = await open({}, [word, '12 '.repeat(1_600), '\u0301'.repeat(5_000), '字'.repeat(5_000)]);
    expect(chatIds(await find({ q: word.slice(0, 200) }))).toContain(id);
    expect(chatIds(await find({ q: 'longxxx' }))).toContain(id);
    expect(chatIds(await find({ q: '字字字' }))).toContain(id);
  });
});
