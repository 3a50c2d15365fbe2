import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PNG } from '../support/pictures.js';
import { Cli } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';

const AVATAR = `data:image/png;base64,${PNG}`;

// Each command starts a process.
jest.setTimeout(90_000);

describe('resources on the command line', () => {
  let parley: Parley;
  let tenant: Tenant;
  let receiver: Receiver;
  let cli: Cli;
  /** The option that selects the tenant's resources. */
  let org: string[];

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    receiver = await Receiver.start();
    tenant = await parley.createTenant();
    cli = Cli.of(parley);
    org = ['--org', tenant.id];
  });
  afterAll(async () => {
    await receiver.close();
    await parley.stop();
  });

  /** A table's rows, without its header. */
  const rows = (text: string) => text.trimEnd().split('\n').slice(1);
  const fieldOf = (text: string, name: string) => new RegExp(`^${name} +(.*)$`, 'm').exec(text)?.[1];

  const shownAs = (value: unknown) => {
    if (Array.isArray(value)) return value.join(', ') || '–';
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return typeof value === 'number' ? String(value) : value;
  };

  const createWebhook = (event: string) =>
    cli.json('webhook', 'create', ...org, '--url', receiver.url, '--events', event);

  interface Kind {
    noun: string;
    plural: string;
    create: string[];
    made: object;
    update: string[];
    changed: object;
    secret?: string;
  }

  const KINDS: Kind[] = [
    {
      noun: 'organization',
      plural: 'organizations',
      create: ['--name', 'Beta', '--allowed-origins', 'https://a.example, https://b.example', '--typing-preview'],
      made: { name: 'Beta', allowedOrigins: ['https://a.example', 'https://b.example'], typingPreview: true },
      update: ['--allowed-origins', '', '--typing-preview-off', '--time-zone', 'Europe/Berlin'],
      changed: { name: 'Beta', allowedOrigins: [], typingPreview: false, timeZone: 'Europe/Berlin' },
      secret: 'identitySecret',
    },
    {
      noun: 'group',
      plural: 'groups',
      create: ['--name', 'Sales', '--routing', 'OFFER', '--offer-seconds', '45', '--on-unanswered', 'RETURN_TO_BOT'],
      made: { name: 'Sales', isDefault: false, routing: 'OFFER', offerSeconds: 45, onUnanswered: 'RETURN_TO_BOT' },
      update: ['--name', 'Sales & more', '--max-wait-seconds', '0', '--offline-reassign-seconds', '60'],
      changed: { name: 'Sales & more', routing: 'OFFER', maxWaitSeconds: 0, offlineReassignSeconds: 60 },
    },
    {
      noun: 'agent',
      plural: 'agents',
      create: ['--name', 'Ada', '--email', 'ada@example.com', '--role', 'SUPERVISOR', '--avatar-url', AVATAR],
      made: {
        name: 'Ada',
        email: 'ada@example.com',
        groupIds: [],
        role: 'SUPERVISOR',
        avatarUrl: expect.stringMatching(/\/picture$/),
      },
      update: ['--email', 'ada@other.example', '--avatar-url', ''],
      changed: { name: 'Ada', email: 'ada@other.example', avatarUrl: null },
    },
    {
      noun: 'bot',
      plural: 'bots',
      create: ['--name', 'Helper'],
      made: { name: 'Helper', onlyOwnChats: false },
      update: ['--name', 'Other', '--only-own-chats'],
      changed: { name: 'Other', onlyOwnChats: true },
    },
    {
      noun: 'webhook',
      plural: 'webhooks',
      create: [
        '--url',
        'https://bot.example/hook',
        '--events',
        'chat.created,chat.closed',
        '--sender-types',
        'VISITOR',
      ],
      made: { url: 'https://bot.example/hook', events: ['chat.created', 'chat.closed'], senderTypes: ['VISITOR'] },
      update: ['--disabled'],
      changed: { url: 'https://bot.example/hook', isEnabled: false },
      secret: 'secret',
    },
  ];

  describe.each(KINDS)('$noun', ({ noun, plural, create, made, update, changed, secret }) => {
    const where = () => (noun === 'organization' ? [] : org);
    const path = () => (noun === 'organization' ? '' : `/${tenant.id}/${plural}`);

    it('the resource is created, listed, shown, changed, and deleted, as text', async () => {
      const text = await cli.say(noun, 'create', ...where(), ...create);
      const id = fieldOf(text, 'id')!;
      if (secret) expect(fieldOf(text, secret)).toMatch(/^\S{20,}$/);
      const listed = await cli.say(noun, 'list', ...where());
      expect(listed.split('\n')[0]).toMatch(/^ID {2,}/);
      expect(rows(listed).find((row) => row.startsWith(`${id}  `))).toBeDefined();
      const shown = await cli.say(noun, 'get', id, ...where());
      for (const [name, value] of Object.entries(made)) expect(fieldOf(shown, name)).toEqual(shownAs(value));
      if (secret) expect(shown).not.toContain(secret);
      expect(fieldOf(await cli.say(noun, 'update', id, ...where(), ...update), 'id')).toBe(id);
      expect(await cli.say(noun, 'delete', id, '--yes', ...where())).toBe(`deleted ${noun} ${id}\n`);
      await parley.admin.get(`${path()}/${id}`).expect(404);
    });

    it("the resource is created, listed, shown, changed, and deleted, as the API's JSON", async () => {
      const answer = await cli.json(noun, 'create', ...where(), ...create);
      expect(answer).toMatchObject(made);
      const { [secret ?? '']: shownOnce, ...rest } = answer;
      if (secret) expect(shownOnce).toEqual(expect.any(String));
      const at = `${path()}/${answer.id}`;
      expect(await cli.json(noun, 'get', answer.id, ...where())).toEqual(rest);
      expect(await cli.json(noun, 'list', ...where())).toEqual((await parley.admin.get(path())).body);
      expect(await cli.json(plural, 'update', answer.id, ...where(), ...update)).toMatchObject(changed);
      expect((await parley.admin.get(at)).body).toMatchObject(changed);
      expect(await cli.say(noun, 'delete', answer.id, '--yes', '--json', ...where())).toBe('');
      await parley.admin.get(at).expect(404);
    });
  });

  it('the command line moves the default group, and adds and removes agents of groups', async () => {
    const group = await cli.json('group', 'create', ...org, '--name', 'Front', '--default');
    expect(group.isDefault).toBe(true);
    const agent = await cli.json(
      'agent',
      'create',
      ...org,
      '--name',
      'G',
      '--email',
      'g@x.example',
      '--groups',
      group.id,
    );
    expect(agent.groupIds).toEqual([group.id]);
    expect(rows(await cli.say('agent', 'list', ...org)).find((row) => row.startsWith(agent.id))).toMatch(/  1  /);
    expect(await cli.json('agent', 'update', agent.id, ...org, '--groups', '')).toMatchObject({ groupIds: [] });
  });

  it('the command line creates, lists, shows, and revokes tokens, which are shown once and work until then', async () => {
    const bot = [...org, '--bot', tenant.botId];
    const made = await cli.run('token', 'create', ...bot, '--name', 'ci', '--expires-at', '2099-01-31T00:00:00Z');
    const secret = fieldOf(made.stdout, 'token')!;
    expect(secret).toMatch(/^prl_pat_/);
    expect(made.stderr).toBe('keep token now: it is not shown again\n');
    await parley.bot(secret).get('/groups').expect(200);
    expect(['scopes', 'lastUsedAt'].map((field) => fieldOf(made.stdout, field))).toEqual(['all', 'never']);
    const id = fieldOf(made.stdout, 'id')!;
    const row = rows(await cli.say('token', 'list', ...bot)).find((line) => line.startsWith(id));
    expect(row).toMatch(new RegExp(`ci +${secret.slice(-4)} +2099-01-31 +all +`));
    expect(await cli.say('token', 'get', id, ...bot)).not.toContain(secret);
    expect(await cli.say('token', 'revoke', id, '--yes', ...bot)).toBe(`deleted token ${id}\n`);
    await parley.bot(secret).get('/groups').expect(401);

    const other = await cli.json('token', 'create', ...bot);
    expect(other).toMatchObject({ name: null, expiresAt: null, token: expect.stringMatching(/^prl_pat_/) });
    const { tokens } = await cli.json('token', 'list', ...bot);
    expect(tokens).toHaveLength(2);
    expect(await cli.json('token', 'get', other.id, ...bot)).toMatchObject({ id: other.id });
    await cli.say('token', 'delete', other.id, '-y', '--json', ...bot);
    await parley.bot(other.token).get('/groups').expect(401);
  });

  it("the command line shows, changes, and resets the widget's settings", async () => {
    const flags = [
      '--greeting',
      'Hello, you',
      '--questions',
      'Where is it, please?|Who are you?',
      '--rating',
      '--person-after',
      '2',
      '--sound-off',
    ];
    const formFields = [{ key: 'order', label: 'Order number', type: 'text' }];
    const more = [
      '--greeting-after',
      '5',
      '--greeting-paths',
      '/a,/b',
      '--color',
      '#1f6f54',
      '--ask-email',
      'required',
      '--form-fields',
      JSON.stringify(formFields),
    ];
    const made = {
      greeting: 'Hello, you',
      questions: ['Where is it, please?', 'Who are you?'],
      rating: true,
      personAfter: 2,
      sound: false,
      greetingAfterSeconds: 5,
      greetingPaths: ['/a', '/b'],
      color: '#1f6f54',
      askEmail: 'required',
      formFields,
    };
    expect(await cli.json('widget', 'update', ...org, ...flags, ...more)).toMatchObject(made);
    expect(await cli.json('widget', 'get', ...org)).toEqual((await tenant.admin.get('/widget')).body);
    expect(fieldOf(await cli.say('widget', 'get', ...org), 'greeting')).toBe('Hello, you');
    const back = [
      '--greeting',
      '',
      '--questions',
      '',
      '--rating-off',
      '--greeting-after',
      'off',
      '--ask-email',
      'off',
      '--form-fields',
      '',
    ];
    expect(await cli.json('widget', 'update', ...org, ...back)).toMatchObject({
      ...made,
      greeting: null,
      questions: [],
      rating: false,
      greetingAfterSeconds: null,
      askEmail: null,
      formFields: [],
    });
    const { code, stderr } = await cli.run('widget', 'update', ...org, '--color', 'reddish');
    expect([code, stderr]).toEqual([1, expect.stringContaining('color must be a CSS color')]);
    expect((await cli.run('widget', 'update', ...org)).code).toBe(2);
    expect((await cli.run('widget', 'list', ...org)).code).toBe(2);
  });

  it("the command line creates agents' links, disables and enables agents, and shows the audit log", async () => {
    const flags = ['--name', 'Bob', '--email', 'bob@x.example', '--role', 'ADMIN', '--capacity', '3'];
    const bob = await cli.json('agent', 'create', ...org, ...flags);
    expect(bob).toMatchObject({ role: 'ADMIN', capacity: 3, isEnabled: true });
    const { url } = await cli.json('agent', 'link', bob.id, ...org);
    const link = { token: new URL(url).hash.slice(1), mode: 'token' };
    expect(fieldOf(await cli.say('agent', 'disable', bob.id, ...org), 'isEnabled')).toBe('no');
    await parley.agent().post('/session/link', link).expect(401);
    expect(await cli.json('agent', 'enable', bob.id, ...org)).toMatchObject({ isEnabled: true });
    const table = await cli.say('audit', 'list', ...org);
    expect(rows(table)[0]).toMatch(new RegExp(`agent\\.enabled +ADMIN +${bob.id}`));
    const { entries } = await cli.json('audit', 'list', ...org, '--limit', '3');
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['agent.enabled', 'agent.disabled', 'link.created']);
    expect((await cli.run('audit', 'get', 'aud_x', ...org)).code).toBe(2);
    expect((await cli.run('agent', 'create', ...org, ...flags.slice(0, 4), '--capacity', 'x')).code).toBe(2);
  });

  it('the command line pings webhooks and rotates their secrets', async () => {
    const { id, secret } = await createWebhook('chat.closed');
    expect(fieldOf(await cli.say('webhook', 'ping', id, ...org), 'status')).toBe('200');
    expect(await cli.json('webhook', 'ping', id, ...org)).toMatchObject({ status: 200, error: null });
    expect(receiver.received.at(-1)!.event).toMatchObject({ type: 'ping', organizationId: tenant.id });
    receiver.become((_, response) => void response.writeHead(500).end());
    expect(await cli.run('webhook', 'ping', id, ...org)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/500/),
    });
    const first = fieldOf(await cli.say('webhook', 'rotate-secret', id, ...org), 'secret');
    const { secret: second } = await cli.json('webhook', 'rotate-secret', id, ...org);
    expect(new Set([secret, first, second]).size).toBe(3);
    await cli.say('webhook', 'delete', id, '--yes', ...org);
  });

  it('the command line creates, lists, shows, closes, archives, and reopens chats', async () => {
    const who = ['--visitor-name', 'Vera', '--visitor-email', 'vera@example.com'];
    const { groups } = await cli.json('group', 'list', ...org);
    const text = await cli.say('chat', 'create', ...org, ...who, '--group', groups[0].id);
    expect(fieldOf(text, 'visitorToken')).toMatch(/^ey/);
    const id = fieldOf(text, 'id')!;
    await tenant.bot.post('/messages', { chatId: id, content: 'Hello there' }).expect(200);
    const shown = await cli.say('chat', 'get', id, ...org);
    expect(shown).toMatch(/^visitor\.name +Vera$/m);
    expect(shown).toMatch(/^ {2}1 +\d{4}-\S+ \S+ +BOT Bot +TEXT +Hello there$/m);
    for (const [verb, status] of Object.entries({ close: 'CLOSED', archive: 'ARCHIVED', reopen: 'ACTIVE' })) {
      expect(fieldOf(await cli.say('chat', verb, id, ...org), 'status')).toBe(status);
      expect(await cli.json('chat', 'get', id, ...org)).toMatchObject({ status });
    }
    expect(await cli.json('chat', 'update', id, ...org, '--status', 'QUEUED')).toMatchObject({ status: 'QUEUED' });
    expect(rows(await cli.say('chat', 'list', ...org, '--status', 'QUEUED'))).toEqual([
      expect.stringMatching(new RegExp(`^${id} +QUEUED +Vera +`)),
    ]);
    expect((await cli.json('chat', 'list', ...org, '--owner', 'QUEUE')).chats).toMatchObject([{ id }]);
    const made = await cli.json('chat', 'create', ...org);
    expect(made).toMatchObject({ visitor: { name: null, email: null }, visitorToken: expect.any(String) });
    expect(await cli.json('chat', 'close', made.id, ...org)).toMatchObject({ status: 'CLOSED' });
    const { chats } = await cli.json('chat', 'list', ...org);
    expect(chats).toEqual((await tenant.admin.get('/chats')).body.chats);
  });

  it('the command line lists and shows deliveries with their attempts, and sends them again', async () => {
    receiver.become((_, response) => void response.writeHead(410).end());
    const { id: hook } = await createWebhook('message.created');
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'x' }).expect(200);
    const at = [...org, '--webhook', hook];
    const list = () => cli.json('delivery', 'list', ...at, '--status', 'dead', '--type', 'message.created');
    const { deliveries } = await eventually(list, ({ deliveries: all }) => all.length === 1);
    const { id } = deliveries[0];
    expect(rows(await cli.say('delivery', 'list', ...at))).toEqual([
      expect.stringMatching(new RegExp(`^${id} +message.created +dead +1 +answered 410`)),
    ]);
    const shown = await cli.say('deliveries', 'get', id, ...at);
    expect(shown).toMatch(/^ {2}\d{4}-\S+Z +410 +\d+ +answered 410$/m);
    expect(await cli.json('delivery', 'get', id, ...at)).toMatchObject({ id, payload: expect.any(String) });

    receiver.become((_, response) => void response.end());
    await cli.say('webhook', 'update', hook, ...org, '--enabled');
    expect(fieldOf(await cli.say('delivery', 'redeliver', id, ...at), 'id')).toBe(id);
    const look = () => cli.json('delivery', 'get', id, ...at);
    await eventually(look, ({ status }) => status === 'delivered');
    expect(await cli.json('delivery', 'redeliver', id, ...at)).toMatchObject({ id });
    expect(await cli.json('delivery', 'redeliver', '--since', '2026-01-01T00:00:00Z', ...at)).toEqual({ count: 0 });
    expect(fieldOf(await cli.say('delivery', 'redeliver', '--since', '2026-01-01T00:00:00Z', ...at), 'count')).toBe(
      '0',
    );
  });
});
