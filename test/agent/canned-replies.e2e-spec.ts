import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

describe('canned replies', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada' });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const list = async ({ client }: SignedInAgent, query = '') =>
    (await client.get(`/replies?${query}`).expect(200)).body;

  it('supervisors create, change, and delete canned replies, and every agent reads them', async () => {
    const { body: hours } = await sue.client.post('/replies', { shortcut: 'hours', content: '9 to 17' }).expect(201);
    expect(hours).toEqual({
      id: expect.stringMatching(/^rpl_/),
      shortcut: 'hours',
      content: '9 to 17',
      language: null,
      groupId: null,
      action: null,
      actionGroupId: null,
      isOwn: false,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { body: bye } = await sue.client.post('/replies', { shortcut: 'good_bye-2', content: 'Bye' }).expect(201);
    expect(await list(ada)).toEqual({ replies: [hours, bye], nextCursor: null });
    const page = await list(ada, 'limit=1');
    expect(page.replies).toEqual([hours]);
    expect(await list(ada, `cursor=${page.nextCursor}`)).toEqual({ replies: [bye], nextCursor: null });

    const { body: changed } = await sue.client.patch(`/replies/${hours.id}`, { content: '8 to 16' }).expect(200);
    expect(changed).toEqual({ ...hours, content: '8 to 16' });
    expect((await sue.client.patch(`/replies/${hours.id}`, { shortcut: null }).expect(200)).body).toEqual(changed);
    await sue.client.delete(`/replies/${bye.id}`).expect(204);
    await sue.client.delete(`/replies/${bye.id}`).expect(404);
    await sue.client.patch(`/replies/${bye.id}`, { content: 'x' }).expect(404);
    expect((await list(ada)).replies).toEqual([changed]);
    await sue.client.delete(`/replies/${hours.id}`).expect(204);
  });

  it("a canned reply's shortcut is unique in the organization, even when two are created at the same time", async () => {
    const body = { shortcut: 'same', content: 'x' };
    const answers = await Promise.all([1, 2, 3].map(() => sue.client.post('/replies', body)));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409']);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('conflict');
    const { body: other } = await sue.client.post('/replies', { shortcut: 'other', content: 'x' }).expect(201);
    await sue.client.patch(`/replies/${other.id}`, { shortcut: 'same' }).expect(409);
    const stranger = await parley.signInAgent(await parley.createTenant(), { role: 'ADMIN' });
    await stranger.client.post('/replies', body).expect(201);
    await stranger.client.patch(`/replies/${other.id}`, { content: 'stolen' }).expect(404);
    await stranger.client.delete(`/replies/${other.id}`).expect(404);
    expect((await list(stranger)).replies).toHaveLength(1);
    expect((await list(ada)).replies.map(({ content }: { content: string }) => content)).toEqual(['x', 'x']);
  });

  it("an AGENT can't change canned replies, and is rejected before the body is read", async () => {
    for (const body of [{ shortcut: 'a', content: 'b' }, {}, '{']) {
      const answer = await ada.client.post('/replies', body).set('Content-Type', 'application/json').expect(403);
      expect(answer.body.code).toBe('forbidden');
    }
    await ada.client.patch('/replies/none', {}).expect(403);
    await ada.client.delete('/replies/none').expect(403);
  });

  it('invalid canned replies are rejected', async () => {
    for (const shortcut of ['', 'x'.repeat(41), 'With', 'a b', 'é', 'a/b', 7, undefined]) {
      const { body } = await sue.client.post('/replies', { shortcut, content: 'x' }).expect(400);
      expect([shortcut, body.errors[0].pointer]).toEqual([shortcut, '/shortcut']);
    }
    for (const content of ['', 'x'.repeat(5001), undefined]) {
      const { body } = await sue.client.post('/replies', { shortcut: 'valid', content }).expect(400);
      expect(body.errors[0].pointer).toBe('/content');
    }
    await sue.client.post('/replies', { shortcut: 'x'.repeat(40), content: 'x'.repeat(5000) }).expect(201);
  });

  it('a reply of a group is only for its agents and for supervisors', async () => {
    const { body: sales } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const bob = await parley.signInAgent(tenant, { name: 'Bob', groupIds: [sales.id] });
    const reply = { shortcut: 'offer', content: 'An offer', groupId: sales.id };
    const { body: made } = await sue.client.post('/replies', reply).expect(201);
    expect(made).toMatchObject(reply);
    const has = async (agent: SignedInAgent) =>
      (await list(agent)).replies.some(({ id }: { id: string }) => id === made.id);
    expect([await has(ada), await has(bob), await has(sue)]).toEqual([false, true, true]);
    await ada.client.get(`/replies/${made.id}`).expect(404);
    for (const { client } of [bob, sue])
      expect((await client.get(`/replies/${made.id}`).expect(200)).body).toEqual(made);
    await tenant.admin.delete(`/groups/${sales.id}`).expect(204);
    expect(await has(ada)).toBe(true);
    await sue.client.delete(`/replies/${made.id}`).expect(204);
  });

  it('a shortcut has one reply in each language', async () => {
    const reply = { shortcut: 'welcome', content: 'Welcome' };
    await sue.client.post('/replies', reply).expect(201);
    await sue.client.post('/replies', { ...reply, language: 'de', content: 'Willkommen' }).expect(201);
    await sue.client.post('/replies', { ...reply, language: 'de' }).expect(409);
    for (const language of ['', 'x', 'DE', 'de_DE', 'nonsense language', 7]) {
      const { body } = await sue.client.post('/replies', { ...reply, language }).expect(400);
      expect(body.errors[0].pointer).toBe('/language');
    }
  });

  it('a reply with TRANSFER names a group, and loses the action with the group', async () => {
    const { body: sales } = await tenant.admin.post('/groups', { name: 'Sales' }).expect(201);
    const reply = { shortcut: 'to-sales', content: 'I will pass you on', action: 'TRANSFER' };
    for (const wrong of [{}, { actionGroupId: 'none' }, { action: 'CLOSE', actionGroupId: sales.id }]) {
      const { body } = await sue.client.post('/replies', { ...reply, ...wrong }).expect(400);
      expect(body.errors[0].pointer).toBe('/actionGroupId');
    }
    const { body: made } = await sue.client.post('/replies', { ...reply, actionGroupId: sales.id }).expect(201);
    const { body: ends } = await sue.client
      .patch(`/replies/${made.id}`, { action: 'CLOSE', actionGroupId: null })
      .expect(200);
    expect(ends).toMatchObject({ action: 'CLOSE', actionGroupId: null, content: reply.content });
    await sue.client.patch(`/replies/${made.id}`, { action: 'TRANSFER', actionGroupId: sales.id }).expect(200);
    await tenant.admin.delete(`/groups/${sales.id}`).expect(204);
    expect((await sue.client.get(`/replies/${made.id}`).expect(200)).body).toMatchObject({
      action: null,
      actionGroupId: null,
    });
  });

  it('an agent reads all of 500 long replies of their own, on pages of about 1 MB', async () => {
    const eve = await parley.signInAgent(tenant, { name: 'Eve' });
    await parley.query(
      `INSERT INTO canned_replies (organization_id, id, agent_id, shortcut, content, created_at)
       SELECT $1, 'rpl_' || lpad(n::text, 26, '0'), $2, 's' || n, repeat('\u{1F680}', 5000), now() FROM generate_series(1, 500) n`,
      [tenant.id, eve.id],
    );
    const shortcuts: string[] = [];
    const read = async (cursor: string | null): Promise<void> => {
      const { body, text } = await eve.client.get(`/own-replies${cursor ? `?cursor=${cursor}` : ''}`).expect(200);
      expect(Buffer.byteLength(text)).toBeLessThan(1_100_000);
      shortcuts.push(...body.replies.map(({ shortcut }: { shortcut: string }) => shortcut));
      if (body.nextCursor !== null) await read(body.nextCursor);
    };
    await read(null);
    expect(shortcuts).toEqual(Array.from({ length: 500 }, (_, n) => `s${n + 1}`));
    const { body: few } = await eve.client.get('/own-replies?limit=2').expect(200);
    expect(few.replies).toHaveLength(2);
    expect(few.nextCursor).not.toBeNull();
  });

  it("an agent's own replies are for no one else, and end with the agent", async () => {
    const bob = await parley.signInAgent(tenant, { name: 'Bob' });
    const reply = { shortcut: 'hours', content: 'Bob here, until 17:00' };
    const { body: made } = await bob.client.post('/own-replies', reply).expect(201);
    expect(made).toMatchObject({ ...reply, isOwn: true, groupId: null });
    await bob.client.post('/own-replies', reply).expect(409);
    await ada.client.post('/own-replies', reply).expect(201);
    expect((await bob.client.get('/own-replies').expect(200)).body).toEqual({ replies: [made], nextCursor: null });
    for (const { client } of [ada, sue]) {
      await client.get(`/own-replies/${made.id}`).expect(404);
      await client.patch(`/own-replies/${made.id}`, { content: 'x' }).expect(404);
      await client.delete(`/own-replies/${made.id}`).expect(404);
    }
    await sue.client.get(`/replies/${made.id}`).expect(404);
    await sue.client.patch(`/replies/${made.id}`, { content: 'x' }).expect(404);
    await sue.client.delete(`/replies/${made.id}`).expect(404);
    expect(JSON.stringify(await list(sue))).not.toContain(made.id);
    const { body: changed } = await bob.client.patch(`/own-replies/${made.id}`, { language: 'en' }).expect(200);
    expect(changed).toEqual({ ...made, language: 'en' });
    await tenant.admin.delete(`/agents/${bob.id}`).expect(204);
    expect(await parley.query('SELECT FROM canned_replies WHERE id = $1', [made.id])).toEqual([]);
  });
});
