import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import request from 'supertest';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { VisitorSocket } from '../support/visitor.js';

describe('/api/admin/organizations', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  it('every route answers 401 without ADMIN_TOKEN', async () => {
    for (const header of [undefined, 'Bearer wrong', `Bearer ${tenant.token}`, 'Basic dGVzdC1hZG1pbi10b2tlbg==']) {
      const asked = request(parley.url).get('/api/admin/organizations');
      const { status, headers } = await (header ? asked.set('Authorization', header) : asked);
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
  });

  describe('organizations', () => {
    it('a new organization has a widget key, an identity secret shown once, and a default group', async () => {
      const { body } = await parley.admin
        .post('', { name: 'Acme', allowedOrigins: ['https://example.com'] })
        .expect(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^org_/),
        name: 'Acme',
        allowedOrigins: ['https://example.com'],
        retentionDays: null,
        timeZone: 'UTC',
        officeHours: null,
        awayAfterMinutes: 0,
        botSilenceSeconds: 120,
        botReplySeconds: 0,
        lateAfterSeconds: 300,
        typingPreview: false,
        storeAddresses: true,
        onlyOwnChats: false,
        visitorUploads: false,
        fileQuota: 10 * 1024 ** 3,
        mail: { fromName: null, logoUrl: null, missedAfterSeconds: 300, pushContent: true, transcript: 'ON_REQUEST' },
        createdAt: expect.any(String),
        widgetKey: expect.stringMatching(/^prl_wk_/),
        identitySecret: expect.any(String),
      });
      const { body: read } = await parley.admin.get(`/${body.id}`).expect(200);
      expect(read).toEqual({ ...body, identitySecret: undefined });
      const { body: groups } = await parley.admin.get(`/${body.id}/groups`).expect(200);
      expect(groups).toMatchObject({ groups: [{ name: 'General', isDefault: true }], nextCursor: null });
      const [row] = await parley.query<{ text: string }>(
        'SELECT organizations::text AS text FROM organizations WHERE id = $1',
        [body.id],
      );
      expect(row!.text).not.toContain(body.identitySecret);
      expect(row!.text).not.toContain(Buffer.from(body.identitySecret).toString('hex'));
    });

    it('organizations are changed, listed page by page, and deleted with all their data', async () => {
      const { body: made } = await parley.admin.post('', { name: 'Before' }).expect(201);
      const { body } = await parley.admin.patch(`/${made.id}`, { name: 'After', allowedOrigins: null }).expect(200);
      expect(body).toMatchObject({ id: made.id, name: 'After', allowedOrigins: [] });
      const seen: string[] = [];
      for (let path: string | null = '?limit=2'; path;) {
        const { body: page }: { body: any } = await parley.admin.get(path).expect(200);
        seen.push(...page.organizations.map(({ id }: { id: string }) => id));
        path = page.nextCursor && `?limit=2&cursor=${page.nextCursor}`;
      }
      expect(seen).toContain(made.id);
      expect(new Set(seen).size).toBe(seen.length);
      await parley.admin.delete(`/${made.id}`).expect(204);
      await parley.admin.get(`/${made.id}`).expect(404);
      await parley.admin.delete(`/${made.id}`).expect(404);
    });

    it('simultaneous changes of an organization are all kept', async () => {
      const { body: made } = await parley.admin.post('', { name: 'n' }).expect(201);
      for (let round = 0; round < 10; round++) {
        const [name, allowedOrigins] = [`name ${round}`, [`https://site-${round}.example`]];
        const changes = [{ name }, { allowedOrigins }].map((change) =>
          parley.admin.patch(`/${made.id}`, change).expect(200),
        );
        await Promise.all(changes);
        expect((await parley.admin.get(`/${made.id}`)).body).toMatchObject({ name, allowedOrigins });
      }
    });

    it('deleting an organization leaves no rows, and disconnects its visitors', async () => {
      const doomed = await parley.createTenant();
      const { body: agent } = await doomed.admin.post('/agents', { name: 'A', email: 'a@example.com' }).expect(201);
      expect(agent.groupIds).toEqual([]);
      await doomed.bot
        .post('/messages', { chatId: doomed.chatId, content: 'x' })
        .set('Idempotency-Key', 'k')
        .expect(200);
      const visitor = await VisitorSocket.connect(parley.url, doomed.visitorToken);
      const cut = new Promise((resolve) => visitor.socket.once('disconnect', resolve));
      await parley.admin.delete(`/${doomed.id}?now=true`).expect(204);
      await cut;
      await expect(VisitorSocket.connect(parley.url, doomed.visitorToken)).rejects.toMatchObject({
        data: { code: 'unauthorized' },
      });
      const tables = await parley.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'organization_id' AND table_schema = 'public'`,
      );
      expect(tables.length).toBeGreaterThan(7);
      await eventually(
        () => parley.query('SELECT FROM organizations WHERE id = $1', [doomed.id]),
        ({ length }) => length === 0,
      );
      for (const { name } of tables) {
        expect([name, await parley.query(`SELECT FROM ${name} WHERE organization_id = $1`, [doomed.id])]).toEqual([
          name,
          [],
        ]);
      }
    });

    it.each([
      ['name', {}, '/name'],
      ['name', { name: '' }, '/name'],
      ['name', { name: 'x'.repeat(201) }, '/name'],
      ['name', { name: 1 }, '/name'],
      ['origin', { name: 'x', allowedOrigins: 'https://example.com' }, '/allowedOrigins'],
      ['origin', { name: 'x', allowedOrigins: ['https://example.com/path'] }, '/allowedOrigins/0'],
      ['origin', { name: 'x', allowedOrigins: ['https://a.com', 'null'] }, '/allowedOrigins/1'],
    ])('an organization with a bad %s is rejected', async (_name, body, pointer) => {
      expect((await parley.admin.post('', body).expect(400)).body.errors).toMatchObject([{ pointer }]);
    });
  });

  describe('groups', () => {
    it("an organization has one default group, which moves in one step and can't be deleted", async () => {
      const own = await parley.createTenant();
      const defaults = async () =>
        (await own.bot.get('/groups')).body.filter(({ isDefault }: any) => isDefault).map(({ id }: any) => id);
      const [first] = await defaults();
      const { body: second } = await own.admin.post('/groups', { name: 'B', isDefault: true }).expect(201);
      expect(second).toMatchObject({ name: 'B', isDefault: true });
      expect(await defaults()).toEqual([second.id]);
      expect(
        (await own.admin.patch(`/groups/${first}`, { isDefault: true, name: 'A' }).expect(200)).body,
      ).toMatchObject({ name: 'A', isDefault: true });
      expect(await defaults()).toEqual([first]);
      expect((await own.admin.patch(`/groups/${first}`, { isDefault: false }).expect(409)).body.code).toBe('conflict');
      await own.admin.patch(`/groups/${second.id}`, { isDefault: false }).expect(200);
      await own.admin.delete(`/groups/${first}`).expect(409);
      await own.admin.delete(`/groups/${second.id}`).expect(204);
      await own.admin.get(`/groups/${second.id}`).expect(404);
      expect(await defaults()).toEqual([first]);
    });

    it('deleting a group moves its chats to the default group, and notifies the visitors', async () => {
      const { body: group } = await tenant.admin.post('/groups', { name: 'Doomed' }).expect(201);
      const { body: closed } = await tenant.admin.post('/chats', { groupId: group.id }).expect(201);
      await tenant.admin.patch(`/chats/${closed.id}`, { status: 'CLOSED' }).expect(200);
      await tenant.bot.post('/transfer', { chatId: tenant.chatId, targetGroupId: group.id }).expect(200);
      const visitor = await VisitorSocket.connect(parley.url, tenant.visitorToken);
      await visitor.ask('chat:open', { chatId: tenant.chatId });
      await tenant.admin.delete(`/groups/${group.id}`).expect(204);
      expect(await visitor.next('chat')).toMatchObject({
        id: tenant.chatId,
        status: 'QUEUED',
        group: { name: 'General' },
      });
      for (const id of [tenant.chatId, closed.id]) {
        expect((await tenant.bot.get(`/chats/${id}`).expect(200)).body.group.name).toBe('General');
      }
      visitor.close();
    });
  });

  describe('agents', () => {
    it('agents are created, changed, listed, and deleted with their groups', async () => {
      const { body: group } = await tenant.admin.post('/groups', { name: 'G' }).expect(201);
      const { body: agent } = await tenant.admin
        .post('/agents', { name: 'Ada', email: 'Ada@example.com', groupIds: [group.id] })
        .expect(201);
      expect(agent).toEqual({
        id: expect.stringMatching(/^agt_/),
        name: 'Ada',
        email: 'Ada@example.com',
        role: 'AGENT',
        capacity: 6,
        isEnabled: true,
        avatarUrl: null,
        groupIds: [group.id],
        createdAt: expect.any(String),
      });
      expect((await tenant.admin.get('/agents').expect(200)).body).toEqual({ agents: [agent], nextCursor: null });
      const { body: changed } = await tenant.admin
        .patch(`/agents/${agent.id}`, { name: 'Countess', groupIds: [] })
        .expect(200);
      expect(changed).toEqual({ ...agent, name: 'Countess', groupIds: [] });
      await tenant.admin.delete(`/agents/${agent.id}`).expect(204);
      await tenant.admin.get(`/agents/${agent.id}`).expect(404);
      await tenant.admin.patch(`/agents/${agent.id}`, { name: 'x' }).expect(404);
      await tenant.admin.delete(`/agents/${agent.id}`).expect(404);
    });

    it("an agent's email is unique in the organization in any spelling, even when two are created at the same time", async () => {
      const answers = await Promise.all(
        ['bob@example.com', 'BOB@example.com', 'Bob@Example.com'].map((email) =>
          tenant.admin.post('/agents', { name: 'Bob', email }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
      const other = await parley.createTenant();
      const { body: elsewhere } = await other.admin
        .post('/agents', { name: 'Bob', email: 'bob@example.com' })
        .expect(201);
      const { body: eve } = await tenant.admin.post('/agents', { name: 'Eve', email: 'eve@example.com' }).expect(201);
      expect((await tenant.admin.patch(`/agents/${eve.id}`, { email: 'bob@example.com' }).expect(409)).body.code).toBe(
        'conflict',
      );
      await tenant.admin.get(`/agents/${elsewhere.id}`).expect(404);
    });

    it.each([
      ['email', { email: 'nobody' }, '/email'],
      ['email', { email: undefined }, '/email'],
      ['unknown group', { groupIds: ['grp_none'] }, '/groupIds'],
      ['group list', { groupIds: 'grp' }, '/groupIds'],
      ['group twice', { groupIds: ['a', 'a'] }, '/groupIds'],
    ])('an agent with a bad %s is rejected, and no part of the change is kept', async (_name, body, pointer) => {
      const agent = { name: 'X', email: 'x@example.com', ...body };
      expect((await tenant.admin.post('/agents', agent).expect(400)).body.errors).toMatchObject([{ pointer }]);
      expect(await parley.query(`SELECT FROM agents WHERE email = 'x@example.com'`)).toEqual([]);
    });

    it('deleting an agent leaves their chats waiting', async () => {
      const { body: agent } = await tenant.admin
        .post('/agents', { name: 'Gone', email: 'gone@example.com' })
        .expect(201);
      const { body: chat } = await tenant.admin.post('/chats', {}).expect(201);
      await parley.query(`UPDATE chats SET agent_id = $1 WHERE id = $2`, [agent.id, chat.id]);
      expect((await tenant.admin.get(`/chats/${chat.id}`)).body.assignedTo).toEqual({ id: agent.id, name: 'Gone' });
      await tenant.admin.delete(`/agents/${agent.id}`).expect(204);
      expect((await tenant.admin.get(`/chats/${chat.id}`)).body).toMatchObject({ assignedTo: null, status: 'QUEUED' });
    });
  });

  it('bots are created, renamed, listed, and deleted', async () => {
    const { body: bot } = await tenant.admin.post('/bots', { name: 'B' }).expect(201);
    expect(bot).toEqual({
      id: expect.stringMatching(/^bot_/),
      name: 'B',
      onlyOwnChats: false,
      isAi: true,
      hasSubscription: false,
      hasConnection: false,
      createdAt: expect.any(String),
    });
    expect((await tenant.admin.patch(`/bots/${bot.id}`, { name: 'C' }).expect(200)).body).toEqual({
      ...bot,
      name: 'C',
    });
    expect((await tenant.admin.get('/bots?limit=50').expect(200)).body.bots).toContainEqual({ ...bot, name: 'C' });
    await tenant.admin.delete(`/bots/${bot.id}`).expect(204);
    await tenant.admin.get(`/bots/${bot.id}`).expect(404);
    await tenant.admin.post(`/bots/${bot.id}/tokens`, {}).expect(404);
    await tenant.admin.post('/bots', {}).expect(400);
  });

  it('a bot with very many idempotency keys can be deleted', async () => {
    const own = await parley.createTenant();
    const send = { chatId: own.chatId, content: 'Hello' };
    await own.bot.post('/messages', send).set('Idempotency-Key', 'once').expect(200);
    const other = new pg.Client(parley.databaseUrl);
    await other.connect();
    // Another transaction has locked them: deleting them as well would have to wait.
    await other.query('BEGIN');
    await other.query('SELECT FROM idempotency_keys WHERE organization_id = $1 FOR UPDATE', [own.id]);
    await own.admin.delete(`/bots/${own.botId}`).expect(204);
    await other.end();
    await own.bot.get('/groups').expect(401);
  });

  describe('chats', () => {
    it('a chat is created for a new visitor, whose token connects', async () => {
      const { body } = await tenant.admin.post('/chats', { visitor: { name: 'Vera' } }).expect(201);
      expect(body).toMatchObject({
        id: expect.stringMatching(/^cht_/),
        status: 'ACTIVE',
        channel: 'WIDGET',
        messageCount: 0,
        messages: [],
        assignedTo: null,
        visitor: { name: 'Vera', email: null },
        group: { name: 'General' },
        lastMessageAt: null,
        firstResponseAt: null,
      });
      const visitor = await VisitorSocket.connect(parley.url, body.visitorToken);
      expect(await visitor.ask('chat:open', {})).toMatchObject({ ok: true, chat: { id: body.id } });
      visitor.close();
    });

    it('a chat waits in the queue when the organization has no bot, in the group that is named', async () => {
      const silent = await parley.createTenant({ hasBot: false });
      const { body: group } = await silent.admin.post('/groups', { name: 'Sales' }).expect(201);
      const { body } = await silent.admin.post('/chats', { groupId: group.id }).expect(201);
      expect(body).toMatchObject({ status: 'QUEUED', group: { id: group.id, name: 'Sales' } });
      expect((await silent.admin.post('/chats', { groupId: 'grp_none' }).expect(400)).body.errors).toMatchObject([
        { pointer: '/groupId' },
      ]);
      expect((await silent.admin.post('/chats', { visitor: 'Vera' }).expect(400)).body.errors).toMatchObject([
        { pointer: '/visitor' },
      ]);
      expect((await silent.admin.post('/chats', { visitor: { name: 5 } }).expect(400)).body.errors).toMatchObject([
        { pointer: '/visitor/name' },
      ]);
    });

    it('chats are closed, archived, and reopened', async () => {
      for (const status of ['CLOSED', 'CLOSED', 'ARCHIVED', 'ACTIVE']) {
        expect((await tenant.admin.patch(`/chats/${tenant.chatId}`, { status }).expect(200)).body.status).toBe(status);
      }
      await tenant.admin.patch(`/chats/${tenant.chatId}`, { status: 'GONE' }).expect(400);
      await tenant.admin.patch('/chats/cht_none', { status: 'CLOSED' }).expect(404);
      expect((await tenant.admin.get('/chats?status=ACTIVE&limit=1').expect(200)).body.chats[0]).toHaveProperty(
        'assignedTo',
      );
    });
  });
});
