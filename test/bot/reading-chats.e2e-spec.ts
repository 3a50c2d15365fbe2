import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

describe('reading chats', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const say = (chatId: string, content: string) => tenant.bot.post('/messages', { chatId, content }).expect(200);

  it('a chat is returned with its visitor, group, and up to five latest messages, oldest first', async () => {
    for (let count = 1; count <= 7; count++) await say(tenant.chatId, `message ${count}`);
    const { body } = await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200);
    expect(Object.keys(body).sort()).toEqual([
      'assignedTo',
      'attributes',
      'channel',
      'createdAt',
      'firstResponseAt',
      'group',
      'id',
      'lastMessageAt',
      'messageCount',
      'messages',
      'metadata',
      'owner',
      'status',
      'tags',
      'title',
      'visitor',
    ]);
    expect(body).toMatchObject({
      id: tenant.chatId,
      status: 'ACTIVE',
      channel: 'WIDGET',
      messageCount: 7,
      metadata: {},
      visitor: {
        id: tenant.visitorId,
        name: 'Vera',
        email: 'vera@example.com',
        isVerified: false,
        externalId: null,
        metadata: {},
        attributes: {},
        verifiedAttributes: {},
      },
      group: { id: expect.stringMatching(/^grp_/), name: 'General' },
    });
    expect(body.messages.map(({ seq, content }: { seq: number; content: string }) => [seq, content])).toEqual(
      [3, 4, 5, 6, 7].map((count) => [count, `message ${count}`]),
    );
  });

  it('pages list every chat once, newest first', async () => {
    const made = [tenant.chatId];
    for (let count = 0; count < 6; count++) made.push((await tenant.admin.post('/chats', {}).expect(201)).body.id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: any } = await tenant.bot
        .get(`/chats?limit=3${cursor ? `&cursor=${cursor}` : ''}`)
        .expect(200);
      expect(body.chats.length).toBeLessThanOrEqual(3);
      seen.push(...body.chats.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(made.reverse());
  });

  it('messages are returned in order of seq', async () => {
    const read = async (query: string) =>
      (await tenant.bot.get(`/chats/${tenant.chatId}/messages${query}`).expect(200)).body;
    const seqs = (body: any) => body.messages.map(({ seq }: { seq: number }) => seq);
    expect(seqs(await read(''))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const page = await read('?afterSeq=2&limit=3');
    expect([seqs(page), page.latestSeq, page.hasMore]).toEqual([[3, 4, 5], 7, true]);
    const last = await read('?afterSeq=5&limit=2');
    expect([seqs(last), last.hasMore]).toEqual([[6, 7], false]);
    expect(await read('?afterSeq=100')).toEqual({ messages: [], latestSeq: 7, hasMore: false });
  });

  it('chats are filtered by status', async () => {
    await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'CLOSED' }).expect(200);
    const { body } = await tenant.bot.get('/chats?status=CLOSED').expect(200);
    expect(body.chats.map(({ id }: { id: string }) => id)).toEqual([tenant.chatId]);
    expect((await tenant.bot.get('/chats?status=ARCHIVED').expect(200)).body).toEqual({ chats: [], nextCursor: null });
  });

  it.each([
    'chats?limit=0',
    'chats?limit=51',
    'chats?limit=-1',
    'chats?limit=1.5',
    'chats?limit=abc',
    'chats?limit=',
    'chats?limit=1e1',
    'chats?limit=1&limit=2',
    'chats?status=OPEN',
    'chats?status=active',
    'chats?cursor=nonsense!',
    'chats?cursor=',
    'chats?cursor=a&cursor=b',
  ])('an invalid request is answered 400: %s', async (path) => {
    expect((await tenant.bot.get(`/${path}`).expect(400)).body.errors[0].pointer).toMatch(/^\?(limit|status|cursor)$/);
  });

  it.each(['afterSeq=-1', 'afterSeq=x', 'afterSeq=99999999999', 'afterSeq=', 'limit=0', 'limit=201'])(
    'an invalid request is answered 400: messages?%s',
    async (query) => {
      await tenant.bot.get(`/chats/${tenant.chatId}/messages?${query}`).expect(400);
    },
  );

  it.each(['cht_none', '%00', 'a%2Fb', '%F0%9F%98%80'])('the chat %s is answered 404', async (id) => {
    expect((await tenant.bot.get(`/chats/${id}`).expect(404)).body.code).toBe('not_found');
    await tenant.bot.get(`/chats/${id}/messages`).expect(404);
  });
});
