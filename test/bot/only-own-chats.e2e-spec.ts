import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('a bot that may only act in its own chats', () => {
  let parley: Parley;
  let tenant: Tenant;
  let groupId: string;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    groupId = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [groupId] });
  });

  const set = (onlyOwnChats: boolean, path = `/bots/${tenant.botId}`) =>
    tenant.admin.patch(path, { onlyOwnChats }).expect(200);
  const on = (path: string) => `/chats/${tenant.chatId}${path}`;
  const claim = () => ada.client.post(on('/claim'), {}).expect(200);
  const chat = async () => (await tenant.bot.get(on('')).expect(200)).body;
  const say = (content = 'hello', more: object = {}) =>
    tenant.bot.post('/messages', { chatId: tenant.chatId, content, ...more });
  const type = (more: object = {}) => tenant.bot.post(on('/typing'), { isTyping: true, ...more });
  const transfer = (more: object = {}) => tenant.bot.post('/transfer', { chatId: tenant.chatId, ...more });
  const close = () => tenant.bot.post(on('/close'), {});
  const notOwner = (owner: string, who = owner) => ({
    code: 'not_owner',
    owner,
    detail: `The bot may only act in its own chats (onlyOwnChats): the chat is with ${who}`,
  });

  it('the setting is off unless it is turned on, for a bot or for all bots of the organization', async () => {
    const me = async () => (await tenant.bot.get('/me').expect(200)).body.onlyOwnChats;
    expect((await tenant.admin.get(`/bots/${tenant.botId}`).expect(200)).body.onlyOwnChats).toBe(false);
    expect((await tenant.admin.get('').expect(200)).body.onlyOwnChats).toBe(false);
    expect(await me()).toBe(false);
    await claim();
    await say().expect(200);
    await set(true, '');
    expect([await me(), (await tenant.admin.get(`/bots/${tenant.botId}`)).body.onlyOwnChats]).toEqual([true, false]);
    await say().expect(409);
    await set(false, '');
    await say().expect(200);
    await set(true);
    expect([await me(), (await tenant.admin.get('')).body.onlyOwnChats]).toEqual([true, false]);
    await say().expect(409);
    await set(false);
    await say().expect(200);
  });

  it('a new bot and a new organization may have it from the start', async () => {
    const { body: bot } = await tenant.admin.post('/bots', { name: 'B', onlyOwnChats: true }).expect(201);
    expect(bot.onlyOwnChats).toBe(true);
    const { body: organization } = await parley.admin.post('', { name: 'O', onlyOwnChats: true }).expect(201);
    expect(organization.onlyOwnChats).toBe(true);
    for (const onlyOwnChats of ['yes', 1, {}])
      await tenant.admin.post('/bots', { name: 'B', onlyOwnChats }).expect(400);
  });

  it.each(['bot', 'organization'])(
    'with the setting of the %s, nothing happens in the chat of an agent',
    async (of) => {
      await set(true, of === 'bot' ? undefined : '');
      const visitor = await parley.connectVisitor(tenant.visitorToken);
      await visitor.ask('chat:open', { chatId: tenant.chatId });
      await claim();
      const before = await chat();
      for (const attempt of [
        say('over you'),
        say('over you').set('Idempotency-Key', 'k'),
        type(),
        type({ text: 'over you' }),
        type({ status: 'over you' }),
        type({ isTyping: false }),
        transfer(),
        transfer({ targetGroupId: groupId, summary: 'x' }).set('Idempotency-Key', 'k'),
        close(),
      ])
        expect((await attempt.expect(409)).body).toMatchObject(notOwner('AGENT'));
      expect(await chat()).toEqual(before);
      // The agent's own typing arrives after all that the bot sent.
      await ada.client.post(on('/typing'), { isTyping: true }).expect(200);
      expect(await visitor.next('typing')).toMatchObject({ sender: { type: 'AGENT' } });
    },
  );

  it('it acts in its own chats without a field, and in the chats of agents again once they return them', async () => {
    await set(true);
    for (const attempt of [say(), type({ text: 'x' }), say('again', { ifOwner: 'BOT' })]) await attempt.expect(200);
    await claim();
    await ada.client.post(on('/return'), {}).expect(200);
    await say().expect(200);
    await transfer().expect(200);
  });

  it('while a chat waits for an agent, the bot may only change its request or take the chat back', async () => {
    await set(true);
    const { body: other } = await tenant.admin.post('/groups', { name: 'Other' }).expect(201);
    await transfer({ summary: 'one' }).expect(200);
    const { body: moved } = await transfer({ targetGroupId: other.id }).expect(409);
    expect(moved).toMatchObject(notOwner('QUEUE'));
    for (const attempt of [say(), type(), close()])
      expect((await attempt.expect(409)).body).toMatchObject(notOwner('QUEUE'));
    await transfer({ summary: 'two', ifOwner: 'BOT' }).expect(409);
    await transfer({ summary: 'two' }).expect(200);
    expect((await ada.client.get(on('')).expect(200)).body.handoff.summary).toBe('two');
    await tenant.bot.post(on('/return'), {}).expect(200);
    await say().expect(200);
  });

  it('a message reopens a chat that has ended, unless ifOwner is given', async () => {
    await set(true);
    await tenant.admin.patch(on(''), { status: 'CLOSED' }).expect(200);
    await type().expect(200);
    await close().expect(200);
    expect((await say('x', { ifOwner: 'BOT' }).expect(409)).body.detail).toMatch(/^ifOwner does not match/);
    await say('your parcel has left').set('Idempotency-Key', 'parcel').expect(200);
    expect(await chat()).toMatchObject({ status: 'ACTIVE', owner: 'BOT' });
  });

  it('a chat that another bot has is none of its own, open or not', async () => {
    await set(true);
    const { body: other } = await tenant.admin.post('/bots', { name: 'Other' }).expect(201);
    await tenant.admin.patch(`/groups/${groupId}`, { botId: other.id }).expect(200);
    for (const attempt of [say(), type(), transfer(), close()])
      expect((await attempt.expect(409)).body).toMatchObject(notOwner('BOT', 'another bot'));
    await tenant.admin.patch(on(''), { status: 'CLOSED' }).expect(200);
    expect((await say().expect(409)).body).toMatchObject(notOwner('NOBODY', 'another bot'));
  });

  it('a claim that commits while the message waits for the chat wins', async () => {
    await set(true);
    const holder = new pg.Client(parley.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('UPDATE chats SET agent_id = $2 WHERE id = $1', [tenant.chatId, ada.id]);
    const answers = [say('late'), say('late').set('Idempotency-Key', 'late'), transfer()].map((attempt) =>
      attempt.then(({ status }) => status),
    );
    await parley.untilRow(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' HAVING count(*) = 3`,
    );
    await holder.query('COMMIT');
    await holder.end();
    expect(await Promise.all(answers)).toEqual([409, 409, 409]);
    expect(JSON.stringify(await chat())).not.toContain('late');
  });

  it('a retry with its key gets the first answer, though an agent has the chat and the setting was changed', async () => {
    const send = () => say('once').set('Idempotency-Key', 'once');
    const move = () => transfer().set('Idempotency-Key', 'move');
    const { body: first } = await send().expect(200);
    const { body: moved } = await move().expect(200);
    await claim();
    await set(true);
    expect((await send().expect(200).expect('Idempotent-Replayed', 'true')).body).toEqual(first);
    expect((await move().expect(200).expect('Idempotent-Replayed', 'true')).body).toEqual(moved);
  });

  it('reading, the read mark, the state, and the title are not refused', async () => {
    await set(true);
    await say().expect(200);
    await claim();
    await tenant.bot.post(on('/read'), { seq: 1 }).expect(200);
    await tenant.bot.put(on('/state'), { state: { step: 1 } }).expect(200);
    await tenant.bot.patch(on(''), { title: 'Order 7' }).expect(200);
    await tenant.bot.get(on('/messages')).expect(200);
    expect((await tenant.bot.post('/chats', { visitorId: tenant.visitorId }).expect(200)).body.isNew).toBe(false);
  });

  it("the audit log has each change, which makes a new version of the bot's and the organization's settings", async () => {
    for (const [path, action] of [
      [`/bots/${tenant.botId}`, 'bot.changed'],
      ['', 'organization.changed'],
    ] as const) {
      const { etag } = (await tenant.admin.get(path).expect(200)).headers;
      await set(true, path);
      await set(true, path);
      const { entries } = (await tenant.admin.get('/audit?limit=1').expect(200)).body;
      expect(entries[0]).toMatchObject({ action, changes: [{ field: 'onlyOwnChats', from: false, to: true }] });
      await tenant.admin.patch(path, { onlyOwnChats: false }).set('If-Match', etag!).expect(412);
      await tenant.admin.patch(path, { name: 'New name' }).expect(200);
      expect((await tenant.admin.get(path).expect(200)).body).toMatchObject({ name: 'New name', onlyOwnChats: true });
    }
  });
});
