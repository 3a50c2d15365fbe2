import { EventEmitter2 } from '@nestjs/event-emitter';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AgentSessionsService } from '../../src/auth/agents/agent-sessions.service.js';
import { AuthRetention } from '../../src/auth/auth-retention.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

const PASSWORD = 'correct horse battery';
const DAY = 86_400_000;

describe("an agent's sessions", () => {
  let parley: Parley;
  let other: Parley;
  let tenant: Tenant;
  let ended: object[];

  beforeAll(async () => {
    parley = await Parley.start();
    // Another node of the same installation.
    other = await Parley.start({}, parley.databaseUrl);
    tenant = await parley.createTenant();
    parley.app.get(EventEmitter2).on('agentSession.ended', (fact: object) => ended.push(fact));
  });
  beforeEach(() => void (ended = []));
  afterAll(async () => {
    await other.stop();
    await parley.stop();
  });

  const sessionIds = async (token: string) => {
    const { body } = await parley.agent(token).get('/sessions').expect(200);
    return body.sessions.map(({ id }: { id: string }) => id) as string[];
  };
  const expectDead = async (...tokens: string[]) => {
    for (const node of [parley, other]) {
      for (const token of tokens) await node.agent(token).get('/session').expect(401);
    }
  };
  const expectAlive = (token: string) => other.agent(token).get('/session').expect(200);

  it('an agent lists their own sessions, with where each came from', async () => {
    const agent = await parley.signInAgent(tenant);
    const token = await parley.mintLink(tenant, agent.id);
    await parley
      .agent()
      .post('/session/link', { token, mode: 'token' })
      .set('User-Agent', 'x'.repeat(2_000))
      .expect(201);
    await parley.signInAgent(tenant);
    const { body } = await agent.client.get('/sessions').expect(200);
    const time = expect.any(String);
    const id = expect.stringMatching(/^ses_/);
    expect(body).toEqual({
      sessions: [
        { id, createdAt: time, lastUsedAt: time, userAgent: null, isCurrent: true },
        { id, createdAt: time, lastUsedAt: time, userAgent: 'x'.repeat(500), isCurrent: false },
      ],
      nextCursor: null,
    });
    const { body: page } = await agent.client.get('/sessions?limit=1').expect(200);
    expect(page.sessions).toEqual([body.sessions[0]]);
    const { body: rest } = await agent.client.get(`/sessions?cursor=${page.nextCursor}`).expect(200);
    expect(rest).toEqual({ sessions: [body.sessions[1]], nextCursor: null });
  });

  it('a session is ended alone, on every node', async () => {
    const one = await parley.signInAgent(tenant);
    const two = await parley.signInAgain(tenant, one.id);
    const stranger = await parley.signInAgent(tenant);
    const [first, second] = await sessionIds(one.token);
    await stranger.client.delete(`/sessions/${first}`).expect(404);
    await one.client.delete('/sessions/ses_none').expect(404);
    await one.client.delete(`/sessions/${second}`).expect(204);
    await expectDead(two.token);
    await one.client.delete(`/sessions/${second}`).expect(404);
    await expectAlive(one.token);
    await one.client.delete('/session').expect(204);
    await expectDead(one.token);
    const about = { organizationId: tenant.id, agentId: one.id, reason: 'SIGNED_OUT' };
    expect(ended).toEqual([
      { ...about, sessionIds: [second] },
      { ...about, sessionIds: [first] },
    ]);
  });

  it('a session ends after 12 hours without use or after 30 days, and is deleted later', async () => {
    const idle = await parley.signInAgent(tenant);
    const old = await parley.signInAgent(tenant);
    const setTime = (agent: SignedInAgent, column: string, time: string) =>
      parley.query(`UPDATE agent_sessions SET ${column} = now() + interval '${time}' WHERE agent_id = $1`, [agent.id]);
    await setTime(idle, 'last_used_at', '-12 hours -1 second');
    await setTime(old, 'expires_at', '-1 second');
    await expectDead(idle.token, old.token);
    await setTime(idle, 'last_used_at', '-11 hours -59 minutes');
    await expectAlive(idle.token);
    const { body } = await old.client.get('/session').expect(401);
    expect(body.code).toBe('unauthorized');
    await parley.app.get(AuthRetention).removeExpired(new Date(Date.now() + 2 * DAY));
    expect(await parley.query('SELECT FROM agent_sessions WHERE agent_id = $1', [old.id])).toEqual([]);
    await expectAlive(idle.token);
  });

  it('using a session extends it, which is written with a delay', async () => {
    const { id, client } = await parley.signInAgent(tenant);
    await parley.query(`UPDATE agent_sessions SET last_used_at = now() - interval '11 hours' WHERE agent_id = $1`, [
      id,
    ]);
    await client.get('/session').expect(200).expect('Cache-Control', 'no-store');
    await eventually(
      () =>
        parley.query(`SELECT FROM agent_sessions WHERE agent_id = $1 AND last_used_at > now() - interval '1 minute'`, [
          id,
        ]),
      ({ length }) => length === 1,
    );
  });

  it('a new password ends all sessions except the one that set it', async () => {
    const one = await parley.signInAgent(tenant, { password: PASSWORD });
    const two = await parley.signInAgain(tenant, one.id);
    const link = await parley.mintLink(tenant, one.id);
    const [, second] = await sessionIds(one.token);
    await one.client.put('/password', { current: PASSWORD, password: 'another password' }).expect(204);
    await expectDead(two.token);
    await expectAlive(one.token);
    await parley.agent().post('/session/link', { token: link }).expect(401);
    expect(ended).toEqual([
      { organizationId: tenant.id, agentId: one.id, sessionIds: [second], reason: 'PASSWORD_CHANGED' },
    ]);
    const signIn = (password: string) => parley.agent().post('/session', { email: one.email, password });
    await signIn(PASSWORD).expect(401);
    await signIn('another password').expect(201);
  });

  it('setting a new password needs the current one, if there is one', async () => {
    const { client, id } = await parley.signInAgent(tenant);
    await client.put('/password', { password: 'too short' }).expect(400);
    await client.put('/password', { password: PASSWORD }).expect(204);
    const { body } = await client.put('/password', { current: 'wrong', password: PASSWORD }).expect(403);
    expect(body.code).toBe('wrong_password');
    const { entries } = (await tenant.admin.get(`/audit?target=${id}&limit=1`).expect(200)).body;
    expect(entries).toMatchObject([
      { action: 'password.failed', actor: { type: 'AGENT', id, name: 'Ada' }, target: id },
    ]);
    await client.put('/password', { password: PASSWORD }).expect(403);
    await client.put('/password', { current: PASSWORD, password: 'x'.repeat(257) }).expect(400);
    await client.put('/password', { current: PASSWORD, password: 'another password' }).expect(204);
  });

  it('one of two simultaneous password changes wins', async () => {
    const { id, token, email } = await parley.signInAgent(tenant, { password: PASSWORD });
    // Two nodes, because one node may hash one password after the other.
    const nodes = [parley, other];
    const passwords = ['password number one', 'password number two'];
    const change = (node: Parley, password: string) =>
      node.agent(token).put('/password', { current: PASSWORD, password });
    // Both have checked the current password, and wait for the agent's row.
    const holder = await parley.database.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM agents WHERE organization_id = $1 AND id = $2 FOR UPDATE', [tenant.id, id]);
    const changing = Promise.all(nodes.map((node, index) => change(node, passwords[index]!)));
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(
      () => parley.query(waiting),
      ({ length }) => length === 2,
    );
    await holder.query('COMMIT');
    holder.release();
    const answers = await changing;
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
    const winner = passwords[answers.findIndex(({ status }) => status === 204)];
    await parley.agent().post('/session', { email, password: winner }).expect(201);
  });

  it.each([
    ['disabled', 'DISABLED', (id: string) => tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200)],
    ['deleted', 'DELETED', (id: string) => tenant.admin.delete(`/agents/${id}`).expect(204)],
  ])('sessions end when the agent is %s, on every node', async (_title, reason, change) => {
    const one = await parley.signInAgent(tenant);
    const two = await parley.signInAgain(tenant, one.id);
    await expectAlive(two.token);
    await change(one.id);
    await expectDead(one.token, two.token);
    expect(ended).toEqual([{ organizationId: tenant.id, agentId: one.id, sessionIds: null, reason }]);
  });

  it('ended sessions stay ended when the agent is enabled again', async () => {
    const { id, token } = await parley.signInAgent(tenant);
    for (const isEnabled of [false, true]) await tenant.admin.patch(`/agents/${id}`, { isEnabled }).expect(200);
    await expectDead(token);
    await expectAlive((await parley.signInAgain(tenant, id)).token);
  });

  it('sessions end with the organization', async () => {
    const gone = await parley.createTenant();
    const { token } = await parley.signInAgent(gone);
    const { body } = await gone.admin.get('/agents').expect(200);
    const link = await parley.mintLink(gone, body.agents[0].id);
    await parley.admin.delete(`/${gone.id}`).expect(204);
    await expectDead(token);
    await parley.agent().post('/session/link', { token: link }).expect(401);
  });

  it('sockets receive the reason why their session ended', async () => {
    const states: Record<string, (agent: SignedInAgent) => PromiseLike<unknown>> = {
      SIGNED_OUT: ({ client }) => client.delete('/session').expect(204),
      DISABLED: ({ id }) => tenant.admin.patch(`/agents/${id}`, { isEnabled: false }).expect(200),
      DELETED: ({ id }) => tenant.admin.delete(`/agents/${id}`).expect(204),
      EXPIRED: ({ id }) =>
        parley.query(`UPDATE agent_sessions SET expires_at = now() - interval '1 second' WHERE agent_id = $1`, [id]),
    };
    const agents = [await parley.signInAgent(tenant)];
    for (const _ of Object.keys(states)) agents.push(await parley.signInAgent(tenant));
    const rows = await parley.query<any>(
      'SELECT organization_id AS "organizationId", agent_id AS "agentId", id AS "sessionId" FROM agent_sessions',
    );
    const identities = agents.map(({ id }) => rows.find(({ agentId }) => agentId === id));
    for (const [index, end] of Object.values(states).entries()) await end(agents[index + 1]!);
    expect(await other.app.get(AgentSessionsService).findEnded(identities)).toEqual([null, ...Object.keys(states)]);
  });
});
