import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { type ChatState, ParleyError } from '../../packages/bot/src/index.js';
import { signIdentity } from '../support/identity.js';
import { until } from '../support/eventually.js';
import { indexed } from '../search/support/searching.js';
import { Setting } from './support/setting.js';

describe('the SDK outside of a handler', () => {
  const at = new Setting();

  it('a job opens a chat with a customer, writes to it once, reads it, and closes it', async () => {
    const identity = await signIdentity(at.tenant, { sub: 'customer-7', name: 'Vera' });
    await at.parley.beginSession(at.tenant, { identity }).expect(201);
    const bot = at.make();
    const chat = await bot.openChat({ externalId: 'customer-7', metadata: { order: 7 } });
    expect((await bot.openChat({ externalId: 'customer-7' })).id).toBe(chat.id);
    // The answer to the first attempt is lost.
    at.proxy.fail('POST /api/bot/messages', ['lose']);
    await chat.send('Your parcel has left', { metadata: { parcel: 'P1' }, ifOwner: 'BOT' });
    const once = () => chat.send('It arrives today', { idempotencyKey: 'parcel-P1-today' });
    expect((await once()).id).toBe((await once()).id);
    const history = await chat.history();
    expect(history.map(({ content }) => content)).toEqual(['Your parcel has left', 'It arrives today']);
    expect((await chat.history(1)).map(({ content }) => content)).toEqual(['It arrives today']);
    expect(await chat.get()).toMatchObject({ metadata: { order: 7 }, visitor: { externalId: 'customer-7' } });
    at.proxy.fail('POST /api/bot/chats/' + chat.id + '/close', ['lose']);
    await chat.close({ ifOwner: 'BOT' });
    expect((await chat.get()).owner).toBe('NOBODY');
  });

  it('a job hands a chat over, and takes none from an agent', async () => {
    const chat = at.make().chat(at.tenant.chatId);
    expect(await chat.handOver({ ifUnavailable: 'FAIL' })).toBeNull();
    const handOver = await chat.handOver({ reason: 'Payment failed', summary: 'x'.repeat(3_000), ifOwner: 'BOT' });
    expect(handOver).toMatchObject({ chatId: chat.id, newStatus: 'QUEUED' });
    expect(at.lines()).toContain('summary has more than 2,000 characters and was cut');
    const agent = await at.agent();
    await agent.client.post(`/chats/${chat.id}/claim`, {}).expect(200);
    const isRefused = { code: 'not_owner' };
    await expect(chat.send('hello', { ifOwner: 'BOT' })).rejects.toMatchObject(isRefused);
    await expect(chat.close({ ifOwner: 'BOT' })).rejects.toMatchObject(isRefused);
  });

  it('chats are searched over all pages, by a token with the scope', async () => {
    const { admin, botId, id, visitorId } = at.tenant;
    const { body: token } = await admin.post(`/bots/${botId}/tokens`, { scopes: ['search', 'write'] }).expect(201);
    const bot = at.make({ token: token.token });
    const made: string[] = [];
    for (let count = 0; count < 25; count++) {
      made.unshift((await admin.post('/chats', {}).expect(201)).body.id);
      await bot.chat(made[0]!).send(`otter number ${count}`);
    }
    await bot.chat(at.tenant.chatId).send('an otter too');
    await indexed(at.parley, id);
    const ofVisitor: string[] = [];
    for await (const { chat, message } of bot.search({ q: 'otter', visitorId })) {
      expect(message!.snippet).toBe('an otter too');
      ofVisitor.push(chat.id);
    }
    expect(ofVisitor).toEqual([at.tenant.chatId]);
    await expect(bot.search({ q: 'otter' }).next()).rejects.toMatchObject({ code: 'forbidden' });
    const { body: all } = await admin.post(`/bots/${botId}/tokens`, { scopes: ['search:all'] }).expect(201);
    const found: string[] = [];
    for await (const { chat } of at.make({ token: all.token }).search({ q: 'otter' })) found.push(chat.id);
    expect(found).toEqual([at.tenant.chatId, ...made]);
  });

  it('chats are listed over all pages, and groups and the bot are found', async () => {
    const { admin, botId, id, widgetKey } = at.tenant;
    const made = [at.tenant.chatId];
    for (let count = 0; count < 60; count++) made.push((await admin.post('/chats', {}).expect(201)).body.id);
    await at.tenant.bot.post('/transfer', { chatId: made[3] }).expect(200);
    const bot = at.make();
    const seen: string[] = [];
    for await (const chat of bot.chats({ owner: 'BOT' })) seen.push(chat.id);
    expect(seen).toEqual(made.filter((_, index) => index !== 3).toReversed());
    for await (const chat of bot.chats({ visitorId: at.tenant.visitorId })) expect(chat.id).toBe(at.tenant.chatId);
    expect(await bot.groups()).toMatchObject([{ name: 'General', isDefault: true }]);
    expect(await bot.me()).toEqual({
      id: botId,
      name: 'Bot',
      organization: { id, name: 'Acme', widgetKey },
      scopes: ['read', 'write', 'handover'],
      onlyOwnChats: false,
    });
    const refused = await bot
      .chat('cht_none')
      .get()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ParleyError);
    expect(refused).toMatchObject({ status: 404, path: '/api/bot/chats/cht_none' });
  });

  it('a bot gives a chat a title, and removes it', async () => {
    const chat = at.make().chat(at.tenant.chatId);
    await chat.setTitle('Order 4711');
    expect((await chat.get()).title).toBe('Order 4711');
    await chat.setTitle(null);
    expect((await chat.get()).title).toBeNull();
  });

  it('a bot finds chats by attributes', async () => {
    await at.tenant.admin.put('/attribute-keys', { keys: ['plan'] }).expect(200);
    await at.parley.untilRow(
      `SELECT FROM attribute_keys WHERE organization_id = '${at.tenant.id}' AND ready_at IS NOT NULL`,
    );
    const bot = at.make();
    const chat = bot.chat(at.tenant.chatId);
    await chat.setAttributes({ plan: 'gold' });
    const found = async (filter: Parameters<typeof bot.chats>[0]) => {
      const ids: string[] = [];
      for await (const { id } of bot.chats(filter)) ids.push(id);
      return ids;
    };
    expect(await found({ 'attr.plan': ['GOLD', '*'] })).toEqual([chat.id]);
    expect(await found({ 'attr.plan': 'gold', 'verified.plan': 'gold' })).toEqual([]);
    await expect(found({ 'attr.other': 'x' })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(found({ 'attr.plan': 5 } as never)).rejects.toThrow('attr.plan must be a text or a list of texts');
    await expect(found({ 'other.plan': 'x' } as never)).rejects.toThrow('there is no option other.plan');
  });

  it('a bot tags a chat, and finds it by its tags', async () => {
    const bot = at.make();
    const chat = bot.chat(at.tenant.chatId);
    expect(await chat.setTags(['Refund', 'vip'])).toEqual(['Refund', 'vip']);
    expect(await chat.addTags('urgent', 'VIP')).toEqual(['Refund', 'urgent', 'vip']);
    expect(await chat.removeTags('refund')).toEqual(['urgent', 'vip']);
    expect((await chat.get()).tags).toEqual(['urgent', 'vip']);
    const found = async (tag: string | string[]) => {
      const ids: string[] = [];
      for await (const { id } of bot.chats({ tag })) ids.push(id);
      return ids;
    };
    expect(await found(['vip', 'urgent'])).toEqual([chat.id]);
    expect(await found('refund')).toEqual([]);
    await expect(chat.addTags(...Array.from({ length: 19 }, (_, index) => `tag ${index}`))).rejects.toMatchObject({
      code: 'conflict',
    });
    await chat.handOver({ tags: ['night'] });
    expect(await chat.get()).toMatchObject({ owner: 'QUEUE', tags: ['night', 'urgent', 'vip'] });
  });

  it('a bot sets attributes of a chat and its visitor, reads them in a handler, and gets the changes of chats', async () => {
    const bot = at.make();
    const chat = bot.chat(at.tenant.chatId);
    const { visitor } = await chat.get();
    expect(await chat.setAttributes({ order: 'A-1', seats: 5 })).toEqual({ order: 'A-1', seats: 5 });
    at.proxy.fail(`PATCH /api/bot/visitors/${visitor.id}`, ['lose']);
    expect(await bot.setVisitorAttributes(visitor.id, { plan: 'gold' })).toEqual({ plan: 'gold' });
    expect(await chat.setAttributes({ seats: null })).toEqual({ order: 'A-1' });
    expect(await chat.get()).toMatchObject({ attributes: { order: 'A-1' }, visitor: { attributes: { plan: 'gold' } } });
    await expect(chat.setAttributes({ 'a b': 1 })).rejects.toMatchObject({ code: 'validation_failed' });
    const changes: unknown[] = [];
    const other = at
      .make()
      .on('message', ({ chat: { attributes, visitor: from }, reply }) =>
        reply(`${attributes.order} ${from.attributes.plan}`),
      )
      .on('chat.updated', ({ data }) => void changes.push(data.changed));
    await at.run(other);
    await at.say('hello');
    await at.reads(['hello', 'A-1 gold']);
    await chat.setAttributes({ order: 'A-2' });
    await until('the change has arrived', () => changes.length > 0);
    expect(changes).toEqual([{ order: 'A-2' }]);
  });

  it('a bot gets the changes of visitors, each once and in order, even when its handler throws', async () => {
    const bot = at.make();
    const { visitor } = await bot.chat(at.tenant.chatId).get();
    const changes: unknown[] = [];
    const other = at.make().on('visitor.updated', ({ data, event, signal }) => {
      changes.push([event.type, data.visitor.id, data.changed, signal.aborted]);
      throw new Error('no such person');
    });
    await at.run(other);
    for (const plan of ['silver', 'gold', null]) await bot.setVisitorAttributes(visitor.id, { plan });
    await until('all changes have arrived', () => changes.length >= 3);
    await other.stop();
    const of = (plan: string | null) => ['visitor.updated', visitor.id, { plan }, false];
    expect(changes).toEqual([of('silver'), of('gold'), of(null)]);
  });

  it("an idempotency key that no request can carry is an error that names it, and isn't tried forever", async () => {
    const chat = at.make().chat(at.tenant.chatId);
    for (const idempotencyKey of ['bestellung-€1', 'a\nb', 'a b', '', 'x'.repeat(256)]) {
      const named = expect.objectContaining({ message: expect.stringContaining('idempotencyKey must be') });
      await expect(chat.send('hello', { idempotencyKey })).rejects.toEqual(named);
      await expect(chat.handOver({ idempotencyKey })).rejects.toEqual(named);
    }
    await chat.send('hello', { idempotencyKey: '~'.repeat(255) });
    expect(await at.contents()).toEqual(['hello']);
  });

  it('a bot keeps a state about a chat from turn to turn', async () => {
    await at.start(async ({ chat, message, reply }) => {
      const state = await chat.state.update<{ seen?: string[] }>(({ seen = [] }) => ({
        seen: [...seen, message.content],
      }));
      await reply(state.seen!.join(', '));
    });
    await at.say('one');
    await at.reads(['one', 'one']);
    await at.say('two');
    await at.reads(['one', 'one', 'two', 'one, two']);
    expect(await at.make().chat(at.tenant.chatId).state.get()).toEqual({ seen: ['one', 'two'] });
  });

  it('two copies of a bot that change a state at the same time lose nothing', async () => {
    const copies = [at.make(), at.make()];
    const states = copies.map((bot) => bot.chat(at.tenant.chatId).state);
    await states[0]!.set({ numbers: [] });
    const add = (state: ChatState, number: number) =>
      state.update<{ numbers: number[] }>(({ numbers }) => ({ numbers: [...numbers, number] }));
    const numbers = Array.from({ length: 10 }, (_, number) => number);
    await Promise.all(numbers.map((number) => add(states[number % 2]!, number)));
    const { numbers: kept } = await states[1]!.get<{ numbers: number[] }>();
    expect(kept.toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('who logs a chat does not log the token of the bot', async () => {
    let seen = '';
    await at.start(({ chat, ignore }) => {
      seen = inspect(chat, { depth: 10, showHidden: true }) + JSON.stringify(chat);
      return ignore();
    });
    await at.say('hello');
    await until('the handler has run', async () => seen !== '');
    const all = seen + inspect(at.make().chat(at.tenant.chatId), { depth: 10 });
    expect(all).toContain(at.tenant.chatId);
    expect(all).not.toContain(at.tenant.token);
  });
});
