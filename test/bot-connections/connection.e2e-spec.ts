import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { ConnectedBot } from './support/model.js';

describe('the connection of a bot', () => {
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

  const put = (body: object) =>
    bot.tenant.admin.put(bot.path, { kind: 'openai', url: bot.base, model: 'm-1', ...body });
  const patch = (body: object) => bot.tenant.admin.patch(bot.path, body);
  const get = async () => (await bot.tenant.admin.get(bot.path).expect(200)).body;
  const pointersOf = ({ body }: any) => body.errors.map(({ pointer }: any) => pointer);

  it('a new connection has defaults, and no response has its secrets', async () => {
    const { body } = await put({
      key: 'sk-secret',
      headers: { 'X-Team': 'hidden' },
      url: `${bot.base}?token=query-secret`,
    });
    expect(body).toEqual({
      kind: 'openai',
      url: `${bot.base}?***`,
      hasKey: true,
      headerNames: ['X-Team'],
      isEnabled: true,
      onNewMessage: 'collect',
      collectFor: 800,
      history: 100,
      share: ['groups', 'page'],
      tools: ['hand_over', 'offer_choices', 'set_tags', 'close_chat'],
      tries: 3,
      failure: null,
      targetGroupId: null,
      showSteps: true,
      maxRuns: 100,
      dailyTokens: null,
      instructions: null,
      model: 'm-1',
      temperature: null,
      includeUsage: true,
      body: {},
      createdAt: expect.any(String),
      health: { lastSuccessAt: null, lastFailure: null, failuresInRow: 0 },
    });
    expect(await get()).toEqual(body);
    const rows = await parley.query('SELECT * FROM bot_connections WHERE organization_id = $1', [bot.tenant.id]);
    expect(JSON.stringify(rows)).not.toMatch(/sk-secret|hidden|query-secret/);
  });

  it('sends the key, the headers, the query, and the members of body', async () => {
    const more = { headers: { 'X-Team': 'blue' }, url: `${bot.base}/?v=2`, body: { top_p: 0.5 }, temperature: 0.2 };
    await put({ ...more, key: 'sk-2', collectFor: 0 }).expect(200);
    await bot.say('Hi');
    const [{ path, headers, event }] = (await bot.model.count(1)) as any;
    expect(path).toBe('/v1/chat/completions?v=2');
    expect(headers).toMatchObject({ 'x-team': 'blue', authorization: 'Bearer sk-2' });
    expect(event).toMatchObject({ top_p: 0.5, temperature: 0.2 });
  });

  it('errors name the field', async () => {
    const wrong: [object, string][] = [
      [{ kind: 'telnet' }, '/kind'],
      [{ kind: 'dify' }, '/model'],
      [{ kind: 'n8n', model: null, history: 3, tools: [] }, '/tools'],
      [{ kind: 'n8n', model: null, key: 'x' }, '/key'],
      [{ kind: 'dify', model: null, history: 3 }, '/history'],
      [{ kind: 'dify', model: null, inputs: [] }, '/inputs'],
      [{ model: null }, '/model'],
      [{ url: 'ftp://example.com' }, '/url'],
      [{ url: 'http://10.0.0.1/v1' }, '/url'],
      [{ url: 'https://user:pw@example.com' }, '/url'],
      [{ url: `${bot.base}#x` }, '/url'],
      [{ model: '' }, '/model'],
      [{ key: 'ü' }, '/key'],
      [{ headers: { Host: 'x' } }, '/headers/Host'],
      [{ headers: { 'Content-Type': 'x' } }, '/headers/Content-Type'],
      [{ headers: { 'X-A': 1 } }, '/headers/X-A'],
      [{ headers: { 'X A': '1' } }, '/headers'],
      [{ key: 'k', headers: { Authorization: 'x' } }, '/headers/Authorization'],
      [{ onNewMessage: 'ignore' }, '/onNewMessage'],
      [{ collectFor: 10_001 }, '/collectFor'],
      [{ history: 0 }, '/history'],
      [{ share: ['secrets'] }, '/share/0'],
      [{ share: ['groups', 'groups'] }, '/share'],
      [{ tools: ['refund'] }, '/tools/0'],
      [{ tries: 4 }, '/tries'],
      [{ failure: { sentence: '' } }, '/failure/sentence'],
      [{ failure: { sentance: 'x' } }, '/failure'],
      [{ failure: { targetGroupId: 'grp_unknown' } }, '/failure/targetGroupId'],
      [{ targetGroupId: 'grp_unknown' }, '/targetGroupId'],
      [{ temperature: 3 }, '/temperature'],
      [{ maxRuns: 501 }, '/maxRuns'],
      [{ body: { messages: [] } }, '/body/messages'],
      [{ dailyTokens: 999 }, '/dailyTokens'],
      [{ protocol: '0' }, '/protocol'],
      [{ kind: 'agui', model: null, protocol: '2' }, '/protocol'],
      [{ inputs: {} }, '/inputs'],
    ];
    for (const [body, pointer] of wrong)
      expect([body, pointersOf(await put(body).expect(400))]).toEqual([body, [pointer]]);
    expect(pointersOf(await patch({ kind: 'openai' }).expect(400))).toEqual(['/kind']);
    const unknown = bot.path.replace(bot.tenant.botId, 'bot_unknown');
    await bot.tenant.admin.put(unknown, { kind: 'openai', url: bot.base, model: 'm' }).expect(404);
    await bot.tenant.admin.get(unknown).expect(404);
    await bot.tenant.admin.get(unknown.replace('connection', 'turns')).expect(404);
  });

  it('PATCH changes the given fields, and null takes one back; PUT replaces all', async () => {
    await patch({ instructions: 'Be brief', temperature: 1, tries: 2 }).expect(200);
    await patch({ temperature: null }).expect(200);
    expect(await get()).toMatchObject({ instructions: 'Be brief', temperature: null, tries: 2, hasKey: true });
    await put({}).expect(200);
    expect(await get()).toMatchObject({ instructions: null, tries: 3, hasKey: true });
    await patch({ key: '' }).expect(200);
    expect(await get()).toMatchObject({ hasKey: false });
  });

  it('a new origin does not get the old secrets', async () => {
    expect(pointersOf(await patch({ url: 'https://example.com/v1' }).expect(400))).toEqual(['/url']);
    expect(pointersOf(await put({ url: 'https://example.com/v1' }).expect(400))).toEqual(['/url']);
    expect(await get()).toMatchObject({ url: bot.base, hasKey: true });
    await patch({ url: 'https://example.com/v1', key: 'sk-new' }).expect(200);
    expect(await get()).toMatchObject({ url: 'https://example.com/v1', hasKey: true });
  });

  it('the hidden query stays if it is given back, for the same address only', async () => {
    await patch({ url: `${bot.base}?token=query-secret` }).expect(200);
    await patch({ url: `${bot.base}?***`, collectFor: 0 }).expect(200);
    expect(pointersOf(await patch({ url: `${bot.base}/other?***` }).expect(400))).toEqual(['/url']);
    await bot.say('Hi');
    const [{ path }] = (await bot.model.count(1)) as any;
    expect(path).toBe('/v1/chat/completions?token=query-secret');
  });

  it('If-Match guards changes, and the health is not part of the version', async () => {
    const { headers } = await bot.tenant.admin.get(bot.path).expect(200);
    await bot.say('Hi');
    await bot.ended(1);
    expect((await bot.tenant.admin.get(bot.path)).headers.etag).toBe(headers.etag);
    await patch({ tries: 2 }).set('If-Match', headers.etag!).expect(200);
    await patch({ tries: 3 }).set('If-Match', headers.etag!).expect(412);
    await put({}).set('If-Match', headers.etag!).expect(412);
  });

  it('the audit log has its changes without secrets', async () => {
    await patch({ isEnabled: false, key: 'sk-other' }).expect(200);
    await patch({ isEnabled: true, instructions: 'Be brief' }).expect(200);
    await bot.tenant.admin.delete(bot.path).expect(204);
    const { body } = await bot.tenant.admin.get('/audit').expect(200);
    const actions = body.entries.map(({ action }: any) => action).filter((action: string) => action.startsWith('con'));
    expect(actions.toSorted()).toEqual([
      'connection.changed',
      'connection.created',
      'connection.deleted',
      'connection.paused',
      'connection.resumed',
    ]);
    expect(JSON.stringify(body)).not.toMatch(/sk-/);
  });

  it('the health says how turns end', async () => {
    await bot.say('Hi');
    await bot.ended(1);
    // It's recorded after the turn, so that no turn waits for it.
    const { health } = await eventually(get, (read) => read.health.lastSuccessAt !== null);
    expect(health).toMatchObject({ lastSuccessAt: expect.any(String), failuresInRow: 0 });
    bot.model.become((_, response) => void response.writeHead(500).end());
    await bot.say('Again');
    await bot.ended(2);
    const failed = await eventually(get, (read) => read.health.failuresInRow > 0);
    expect(failed.health).toMatchObject({ lastFailure: { code: 'status' }, failuresInRow: 1 });
    bot.model.become((_, response) => void response.writeHead(401).end());
    const { body: other } = await bot.tenant.admin.post('/chats', { visitor: { name: 'Val' } }).expect(201);
    await bot.say('Hi', other.visitorToken, other.id);
    const answered = await eventually(get, (read) => read.health.failuresInRow === 0);
    expect(answered.health.lastFailure.at > failed.health.lastFailure.at).toBe(true);
  });

  it('deleting it leaves the bot, its subscription, and its turns', async () => {
    await bot.tenant.bot.put('/subscription', {}).expect(200);
    await bot.say('Hi');
    await bot.ended(1);
    await bot.tenant.admin.delete(bot.path).expect(204);
    await bot.tenant.admin.delete(bot.path).expect(404);
    await bot.tenant.admin.get(bot.path).expect(404);
    await bot.tenant.bot.get('/subscription').expect(200);
    expect(await bot.turns()).toHaveLength(1);
    const left = `SELECT FROM receivers WHERE organization_id = $1 AND kind = 'CONNECTION'`;
    expect(await parley.query(left, [bot.tenant.id])).toEqual([]);
  });

  it('turns are listed by chat, status, and time, in pages', async () => {
    for (let n = 1; n <= 3; n++) {
      await bot.say(`Message ${n}`);
      await bot.ended(n);
    }
    const [third, second, first] = await bot.turns();
    const path = `/bots/${bot.tenant.botId}/turns`;
    const page = (await bot.tenant.admin.get(`${path}?limit=2`).expect(200)).body;
    expect(page.turns).toEqual([third, second]);
    const rest = (await bot.tenant.admin.get(`${path}?limit=2&cursor=${page.nextCursor}`).expect(200)).body;
    expect(rest).toEqual({ turns: [first], nextCursor: null });
    expect(await bot.turns(`?chatId=${bot.tenant.chatId}&status=DONE`)).toHaveLength(3);
    expect(await bot.turns('?status=FAILED')).toEqual([]);
    expect(await bot.turns(`?from=${second.createdAt}&to=${third.createdAt}`)).toEqual([second]);
    await bot.tenant.admin.get(`${path}?from=yesterday`).expect(400);
    await bot.tenant.admin.get(`${path}/trn_unknown`).expect(404);
    expect(first.status).toBe('DONE');
  });
});
