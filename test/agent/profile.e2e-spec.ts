import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PNG } from '../support/pictures.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

const PICTURE = `data:image/png;base64,${PNG}`;

describe("an agent's own profile", () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant, { name: 'Ada' });
  });
  afterAll(() => parley.stop());

  const own = async () => (await ada.client.get('/session').expect(200)).body.agent;

  it('an agent changes their name and picture, which colleagues and the next message have, and earlier ones do not', async () => {
    const { chatId } = tenant;
    const { body: admin } = await tenant.admin.get('/groups').expect(200);
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [admin.groups[0].id] }).expect(200);
    await ada.client.post(`/chats/${chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${chatId}/messages`, { content: 'before' }).expect(201);
    const { body } = await ada.client.patch('/session', { name: ' Ada Lovelace ', avatarUrl: PICTURE }).expect(200);
    const { avatarUrl } = body.agent;
    expect(body.agent).toMatchObject({ id: ada.id, name: 'Ada Lovelace', email: ada.email });
    expect(avatarUrl).toMatch(/^http/);
    expect(await own()).toEqual(body.agent);
    const { body: directory } = await ada.client.get('/agents').expect(200);
    expect(directory.agents).toContainEqual(expect.objectContaining({ name: 'Ada Lovelace', avatarUrl }));
    await ada.client.post(`/chats/${chatId}/messages`, { content: 'after' }).expect(201);
    const { body: read } = await tenant.bot.get(`/chats/${chatId}/messages`).expect(200);
    const said = read.messages.filter(({ sender }: { sender: { type: string } }) => sender.type === 'AGENT');
    expect(said.map(({ sender }: { sender: { name: string } }) => sender.name)).toEqual(['Ada', 'Ada Lovelace']);
  });

  it('an omitted field stays, null removes the picture, and rights cannot be changed', async () => {
    const { body } = await ada.client.patch('/session', { name: 'Ada', avatarUrl: PICTURE }).expect(200);
    const { avatarUrl } = body.agent;
    expect(avatarUrl).toMatch(/^http/);
    await ada.client.patch('/session', {}).expect(200);
    await ada.client.patch('/session', { name: 'Ada B.' }).expect(200);
    expect(await own()).toMatchObject({ name: 'Ada B.', avatarUrl, role: 'AGENT', capacity: 6 });
    await ada.client.patch('/session', { avatarUrl: null }).expect(200);
    expect(await own()).toMatchObject({ name: 'Ada B.', avatarUrl: null });
    await ada.client.patch('/session', { role: 'ADMIN', capacity: 100, email: 'x@example.com' });
    expect(await own()).toMatchObject({ role: 'AGENT', capacity: 6, email: ada.email });
  });

  it('the change is in the audit log, with who made it and the old name', async () => {
    await ada.client.patch('/session', { name: 'Ada C.' }).expect(200);
    const { body } = await tenant.admin.get('/audit').expect(200);
    expect(body.entries[0]).toMatchObject({
      action: 'agent.changed',
      actor: { type: 'AGENT', id: ada.id },
      changes: [{ field: 'name', to: 'Ada C.' }],
    });
  });

  it("a problem names what's wrong, and nothing changes", async () => {
    const before = await own();
    for (const [body, pointer] of [
      [{ name: '' }, '/name'],
      [{ name: ' ' }, '/name'],
      [{ name: 'x'.repeat(201) }, '/name'],
      [{ name: 'a\u0000b' }, '/name'],
      [{ avatarUrl: 'data:image/svg+xml;base64,PHN2Zz4=' }, '/avatarUrl'],
      [{ avatarUrl: 'javascript:alert(1)' }, '/avatarUrl'],
      [{ avatarUrl: `https://example.com/${'x'.repeat(2_000)}` }, '/avatarUrl'],
      [{ avatarUrl: 7 }, '/avatarUrl'],
    ] as const) {
      const { body: problem } = await ada.client.patch('/session', body).expect(400);
      expect([body, problem.code, problem.errors[0].pointer]).toEqual([body, 'validation_failed', pointer]);
    }
    expect(await own()).toEqual(before);
    await parley.agent().patch('/session', { name: 'x' }).expect(401);
  });

  it('a deleted agent changes nothing', async () => {
    const bob = await parley.signInAgent(tenant, { name: 'Bob' });
    await tenant.admin.delete(`/agents/${bob.id}`).expect(204);
    await bob.client.patch('/session', { name: 'Rob' }).expect(401);
  });
});
