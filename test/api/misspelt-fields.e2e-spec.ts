import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenApi } from '../support/openapi.js';
import { ADMIN_TOKEN, Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('misspelt fields', () => {
  let parley: Parley;
  let tenant: Tenant;
  let agent: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    const [{ id }] = (await tenant.bot.get('/groups').expect(200)).body;
    agent = await parley.signInAgent(tenant, { name: 'Ada', email: 'ada@acme.example', groupIds: [id] });
  });
  afterAll(() => parley.stop());

  const claim = () => agent.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
  const chat = async () => (await tenant.bot.get(`/chats/${tenant.chatId}`).expect(200)).body;
  const unknown = (pointer: string, meant: string) => ({
    code: 'validation_failed',
    errors: [{ pointer, detail: `unknown field; did you mean ${meant}?` }],
  });

  describe('with a chat that an agent has', () => {
    beforeAll(claim);

    it.each([
      'if_owner',
      'ifowner',
      'IfOwner',
      'if-owner',
      'IF_OWNER',
      'ifOwners',
      'ifOwnr',
      'ifOwmer',
      'ifOwenr',
      'fiOwner',
      'if_ownr',
      'ifOwner ',
    ])('a message with %j is rejected, and not stored', async (name) => {
      const { body } = await tenant.bot
        .post('/messages', { chatId: tenant.chatId, content: 'over you', [name]: 'BOT' })
        .expect(400);
      expect(body).toMatchObject(unknown(`/${name}`, 'ifOwner'));
      expect(JSON.stringify(await chat())).not.toContain('over you');
    });

    it('a transfer leaves the chat with its agent, and typing and closing change nothing', async () => {
      for (const path of ['/transfer', `/chats/${tenant.chatId}/typing`, `/chats/${tenant.chatId}/close`]) {
        const valid = { chatId: tenant.chatId, isTyping: true, ifOwner: undefined };
        const { body } = await tenant.bot.post(path, { ...valid, if_owner: 'BOT' }).expect(400);
        expect(body.errors).toContainEqual(unknown('/if_owner', 'ifOwner').errors[0]);
      }
      expect(await chat()).toMatchObject({ owner: 'AGENT', assignedTo: { id: agent.id } });
    });
  });

  it('a misspelt field is an error beside the right one too, and each invalid field is named', async () => {
    const { body } = await tenant.bot
      .post('/messages', { chatId: '', content: 'a', contnt: 'b', chat_id: tenant.chatId })
      .expect(400);
    expect(body.errors).toEqual([
      ...unknown('/contnt', 'content').errors,
      ...unknown('/chat_id', 'chatId').errors,
      { pointer: '/chatId', detail: 'must have 1 to 64 characters' },
    ]);
  });

  it('the missing field is named with the misspelt one', async () => {
    const { body } = await tenant.bot.post('/messages', { chatId: tenant.chatId, Content: 'a' }).expect(400);
    expect(body.errors).toEqual([
      ...unknown('/Content', 'content').errors,
      { pointer: '/content', detail: 'is required' },
    ]);
  });

  it('other unknown fields are ignored', async () => {
    const others = {
      text: 'x',
      owner: 'x',
      types: 'x',
      typ: 'x',
      ownerIf: 'x',
      contentType: 'x',
      met: {},
      constructor: 'x',
      toString: 'x',
      hasOwnProperty: {},
      '': 'x',
      _: 'x',
      '-': 'x',
      [`${'_'.repeat(100)}ifOwner`]: 1,
    };
    const raw = JSON.stringify({ chatId: tenant.chatId, content: 'a', ...others });
    await tenant.bot
      .post('/messages', raw.replace('{', '{"__proto__":{"ifowner":1},'))
      .set('Content-Type', 'application/json')
      .expect(200);
    await tenant.bot.get('/chats?_=123&limits=&__proto__=1&constructor=2').expect(400);
    await tenant.bot.get('/chats?_=123&max=1&__proto__=1&constructor=2&owners_are=3').expect(200);
  });

  it('free JSON is not read', async () => {
    const free = { Options: [{ Label: 'a', labl: 'b' }], chat_id: 'x', if_owner: 'x', content: { contnt: 1 } };
    const sent = { chatId: tenant.chatId, content: 'a', type: 'BUTTON', metadata: free };
    await tenant.bot.post('/messages', sent).expect(200);
    const { messages } = await chat();
    expect(messages.at(-1).metadata).toEqual(free);
    const state = `/chats/${tenant.chatId}/state`;
    await tenant.bot.put(state, { state: { State: 1, versions: 2 } }).expect(200);
    const translations = { de: { greeting: 'Hallo' }, da: { greeting: 'Hej' } };
    await tenant.admin.patch('/widget', { translations }).expect(200);
  });

  it.each([
    ['a list', () => tenant.bot.get('/chats?visitor_id=vis_1'), '?visitor_id', 'visitorId'],
    ['a second spelling', () => tenant.bot.get('/chats?limit=1&Limit=2'), '?Limit', 'limit'],
    ['messages', () => tenant.bot.get(`/chats/${tenant.chatId}/messages?after_seq=3`), '?after_seq', 'afterSeq'],
    ['polling', () => tenant.bot.get('/events?wait=0&laese=0'), '?laese', 'lease'],
    ['visitors', () => tenant.admin.get('/visitors?external-id=7'), '?external-id', 'externalId'],
    ['the audit log', () => tenant.admin.get('/audit?actions=x'), '?actions', 'action'],
  ])('the query of %s names the right field', async (_, ask, pointer, meant) => {
    expect((await ask().expect(400)).body).toMatchObject(unknown(pointer, meant));
  });

  it('fields of nested objects and of lists are checked', async () => {
    const chats = await tenant.admin.post('/chats', { visitor: { Name: 'Vera', e_mail: 'v@example.com' } }).expect(400);
    expect(chats.body.errors).toEqual([
      ...unknown('/visitor/Name', 'name').errors,
      ...unknown('/visitor/e_mail', 'email').errors,
    ]);
    const range = { from: '09:00', to: '17:00' };
    const officeHours = {
      timeZone: 'UTC',
      week: { monday: [range, { ...range, From: 1 }] },
      exceptions: [{ date: '2026-12-24', ranges: [{ ...range, TO: 1 }], rangs: [] }],
      exeptions: [],
    };
    const path = '/officeHours';
    const { body } = await tenant.admin.patch('', { officeHours }).expect(400);
    expect(body.errors).toEqual([
      ...unknown(`${path}/week/monday/1/From`, 'from').errors,
      ...unknown(`${path}/exceptions/0/ranges/0/TO`, 'to').errors,
      ...unknown(`${path}/exceptions/0/rangs`, 'ranges').errors,
      ...unknown(`${path}/exeptions`, 'exceptions').errors,
    ]);
  });

  it('a list in a list, and a list in the place of an object, are read no further', async () => {
    const depth = 3_000;
    const nested = `{"visitor":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const { body } = await tenant.admin.post('/chats', nested).set('Content-Type', 'application/json').expect(400);
    expect(body.code).toBe('body_too_large');
    const hours = `{"officeHours":{"timeZone":"UTC","week":{},"exceptions":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    await tenant.admin.patch('', hours).set('Content-Type', 'application/json').expect(400);
  });

  it('an error names 20 misspelt fields at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${'_'.repeat(at % 90)}ifowner`, 1]));
    const { body } = await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'a', ...many }).expect(400);
    expect(body.errors).toHaveLength(20);
  });

  it('a misspelt field is found after thousands of other unknown ones', async () => {
    const fields = Array.from({ length: 2_000 }, (_, at) => [`other${at}`, 0]);
    const body = { ...Object.fromEntries(fields), chatId: tenant.chatId, content: 'a' };
    await tenant.bot.post('/messages', body).expect(200);
    await tenant.bot.post('/messages', { ...body, if_owner: 'BOT' }).expect(400);
    const more = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`other${at}`, 0]));
    const refused = await tenant.bot.post('/messages', { ...body, ...more }).expect(400);
    expect(refused.body.code).toBe('body_too_large');
  });

  it('an idempotency key is not used up by a misspelt field', async () => {
    const { bot, chatId } = await parley.createTenant();
    const body = { chatId, content: 'once' };
    const send = (more: object) => bot.post('/messages', { ...body, ...more }).set('Idempotency-Key', 'k1');
    await send({ if_owner: 'BOT' }).expect(400);
    const { body: first } = await send({ ifOwner: 'BOT' }).expect(200);
    await send({ ifowner: 'BOT' }).expect(400);
    const replay = await send({ ifOwner: 'BOT' }).expect(200).expect('Idempotent-Replayed', 'true');
    expect(replay.body).toEqual(first);
  });

  it('a wrong token comes first, and then the body', async () => {
    await parley.bot('wrong').post('/messages', { if_owner: 'BOT' }).expect(401);
    await parley.admin.post('/org_none/bots', { Name: 'x' }).expect(400);
  });

  it('visitors and agents may send such fields, as clients of other releases do', async () => {
    const visitor = parley.visitor(tenant.visitorToken);
    const path = `/chats/${tenant.chatId}/messages`;
    await visitor.post(path, { content: 'a', Content: 'b', client_message_id: 'c' }).expect(201);
    await claim();
    await agent.client.post(path, { content: 'a', Content: 'b', client_message_id: 'c' }).expect(201);
  });

  describe.each(['bot', 'admin'])('every route of the %s API', (audience) => {
    const openApi = OpenApi.built(audience);
    const named = (schema: any): any =>
      schema?.$ref ? openApi.document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
    const bodyOf = ({ requestBody }: any) => named(requestBody?.content['application/json']?.schema);
    // An object stands for parameters with free names.
    const queryOf = ({ parameters = [] }: any): string[] =>
      parameters.filter((one: any) => one.in === 'query' && one.schema.type !== 'object').map(({ name }: any) => name);
    const spellings = (name: string) => {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const long = [`${name}s`, name.slice(1), `x${name.slice(1)}`, name[1]! + name[0]! + name.slice(2)];
      return [`_${name}`, name.toUpperCase(), `${snake}-`, ...(name.length >= 5 ? long : [])];
    };

    it.each(openApi.operations)('%s names the right field', async (operation, described) => {
      const [method, path] = operation.split(' ') as [string, string];
      const token = audience === 'bot' ? tenant.token : ADMIN_TOKEN;
      const ask = async (pointer: string, query: string, body?: object) => {
        const answer = await fetch(`${parley.url}${path.replaceAll(/\{\w+\}/g, 'x')}${query}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        const { errors = [] } = (await answer.json()) as { errors?: { pointer: string; detail: string }[] };
        return [answer.status, errors.find((one) => one.pointer === pointer)?.detail];
      };
      const expected = (name: string) => [400, `unknown field; did you mean ${name}?`];
      for (const name of Object.keys(bodyOf(described)?.properties ?? {})) {
        for (const spelling of spellings(name))
          expect([spelling, await ask(`/${spelling}`, '', { [spelling]: 'x' })]).toEqual([spelling, expected(name)]);
      }
      for (const name of queryOf(described)) {
        for (const spelling of spellings(name))
          expect([spelling, await ask(`?${spelling}`, `?${spelling}=x`)]).toEqual([spelling, expected(name)]);
      }
    });

    // A field that a later release adds beside these must keep this rule, so that the previous release ignores it.
    it('no two fields of an object, or of a query, have nearly the same name', () => {
      const lists = openApi.operations.flatMap(([, described]) => [
        queryOf(described),
        Object.keys(bodyOf(described)?.properties ?? {}),
      ]);
      for (const names of lists) {
        for (const name of names) {
          const near = new Set(spellings(name).map((spelling) => spelling.toLowerCase().replace(/[_-]/g, '')));
          near.delete(name.toLowerCase());
          expect(names.filter((other) => near.has(other.toLowerCase()))).toEqual([]);
        }
      }
    });
  });

  it.each(['', '/widget', '/groups/', '/bots/', '/agents/', '/webhooks/'])(
    'what GET %s answers can be sent back',
    async (path) => {
      await tenant.admin.post('/webhooks', { url: 'https://bot.example/hook' }).expect(201);
      const list = path.endsWith('/') ? (await tenant.admin.get(path.slice(0, -1)).expect(200)).body : {};
      const [first] = (Object.values(list).find(Array.isArray) as { id: string }[] | undefined) ?? [{ id: '' }];
      const { body } = await tenant.admin.get(path + first!.id).expect(200);
      const { errors = [] } = (await tenant.admin.patch(path + first!.id, body)).body;
      expect(errors.filter(({ detail }: any) => detail.startsWith('unknown'))).toEqual([]);
    },
  );
});
