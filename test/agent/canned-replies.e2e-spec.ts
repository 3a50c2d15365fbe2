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
});
