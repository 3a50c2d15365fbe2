import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { PresenceService } from '../../src/agents/presence.service.js';
import { ThisNode } from '../../src/platform/cluster/this-node.js';
import { POOL } from '../../src/platform/database/pool.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { movedBySeconds } from '../support/times.js';
import type { VisitorSocket } from '../support/visitor.js';

describe('presence', () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant);
  });

  const presence = async (agent = ada): Promise<string> =>
    (await agent.client.get('/session').expect(200)).body.agent.presence;
  const becomes = (wanted: string, agent = ada) =>
    eventually(
      () => presence(agent),
      (seen) => seen === wanted,
    );
  const isClosed = () =>
    eventually(
      () => parley.query('SELECT closed_at FROM agent_connections WHERE agent_id = $1', [ada.id]),
      (rows) => rows.length > 0 && rows.every(({ closed_at: at }) => at !== null),
    );
  /** Moves the end of the agent's connections into the past by this many seconds. */
  const pass = (seconds: number) =>
    parley.query(
      `UPDATE agent_connections SET closed_at = ${movedBySeconds('closed_at', -seconds)} WHERE agent_id = $1`,
      [ada.id],
    );
  const disconnect = async (socket: VisitorSocket) => {
    socket.close();
    await isClosed();
  };

  it('an agent without a socket is OFFLINE, whether or not they accept chats', async () => {
    await ada.client.get('/chats').expect(200);
    expect(await presence()).toBe('OFFLINE');
    const { body } = await ada.client.put('/presence', { isAccepting: true }).expect(200);
    expect(body).toEqual({ isAccepting: true, presence: 'OFFLINE', reason: null });
  });

  it('an agent is ONLINE from the moment a socket connects, and PAUSED if they chose that', async () => {
    await parley.connectAgent(ada.token);
    expect(await presence()).toBe('ONLINE');
    const { body } = await ada.client.put('/presence', { isAccepting: false }).expect(200);
    expect(body).toEqual({ isAccepting: false, presence: 'PAUSED', reason: null });
    expect(await presence()).toBe('PAUSED');
  });

  it("an agent's choice is kept when sockets connect and disconnect", async () => {
    await ada.client.put('/presence', { isAccepting: false }).expect(200);
    await disconnect(await parley.connectAgent(ada.token));
    await parley.connectAgent(ada.token);
    expect(await presence()).toBe('PAUSED');
  });

  it('isAccepting must be a boolean', async () => {
    for (const body of [{}, { isAccepting: 'yes' }, { isAccepting: null }]) {
      const { body: problem } = await ada.client.put('/presence', body).expect(400);
      expect(problem.errors).toEqual([{ pointer: '/isAccepting', detail: 'must be a boolean' }]);
    }
  });

  it('presence ends 15 s after the last socket closes, and the time is stored', async () => {
    const colleague = await parley.signInAgent(tenant);
    const watcher = await parley.connectAgent(colleague.token);
    const leaving = await parley.connectAgent(ada.token);
    // Of several changes in quick succession only the last one is sent.
    await watcher.until(() => watcher.all('presence').some(({ agentId }) => agentId === ada.id));
    await disconnect(leaving);
    await pass(5);
    expect(await presence()).toBe('ONLINE');
    await pass(10);
    expect(await presence()).toBe('OFFLINE');
    await watcher.until(() => watcher.all('presence').some(({ presence: seen }) => seen === 'OFFLINE'));
    expect(watcher.all('presence').filter(({ agentId }) => agentId === ada.id)).toEqual([
      { agentId: ada.id, presence: 'ONLINE', isAccepting: true, reason: null },
      { agentId: ada.id, presence: 'OFFLINE', isAccepting: true, reason: null },
    ]);
    await eventually(
      () => parley.query('SELECT FROM agent_connections WHERE agent_id = $1', [ada.id]),
      ({ length }) => length === 0,
    );
    const [row] = await parley.query('SELECT now() - last_online_at > $2 AS past FROM agents WHERE id = $1', [
      ada.id,
      '14 s',
    ]);
    expect(row).toEqual({ past: true });
  });

  it("presence doesn't change when a tab reloads, or when a second one closes", async () => {
    const watcher = await parley.connectAgent((await parley.signInAgent(tenant)).token);
    const first = await parley.connectAgent(ada.token);
    const second = await parley.connectAgent(ada.token);
    await watcher.next('presence');
    second.close();
    await eventually(
      () => parley.query('SELECT FROM agent_connections WHERE agent_id = $1 AND closed_at IS NOT NULL', [ada.id]),
      (rows) => rows.length === 1,
    );
    await pass(60);
    await eventually(
      () => parley.query('SELECT FROM agent_connections WHERE agent_id = $1', [ada.id]),
      (rows) => rows.length === 1,
    );
    await disconnect(first);
    await parley.connectAgent(ada.token);
    await pass(60);
    await eventually(
      () => parley.query('SELECT FROM agent_connections WHERE agent_id = $1', [ada.id]),
      (rows) => rows.length === 1,
    );
    await ada.client.put('/presence', { isAccepting: false }).expect(200);
    await watcher.until(() => watcher.all('presence').some(({ presence: seen }) => seen === 'PAUSED'));
    expect(watcher.all('presence').map(({ presence: seen }) => seen)).toEqual(['ONLINE', 'PAUSED']);
  });

  it("connections count until 15 s after their node's last heartbeat", async () => {
    // As if the service had run for longer.
    parley.app.get(ThisNode).settlingMs = 0;
    await parley.query(
      `INSERT INTO nodes (id, started_at, seen_at) VALUES ('gone', now(), now() - interval '5 s') ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
    );
    await parley.query(
      `INSERT INTO agent_connections (organization_id, agent_id, id, session_id, node_id, opened_at)
       VALUES ($1, $2, 'one', 'ses_1', 'gone', now())`,
      [tenant.id, ada.id],
    );
    expect(await presence()).toBe('ONLINE');
    const watcher = await parley.connectAgent((await parley.signInAgent(tenant)).token);
    await parley.query(`UPDATE nodes SET seen_at = now() - interval '15 s' WHERE id = 'gone'`);
    expect(await presence()).toBe('OFFLINE');
    await watcher.until(() => watcher.all('presence').some(({ agentId }) => agentId === ada.id));
    const ofAda = watcher.all('presence').filter(({ agentId }) => agentId === ada.id);
    expect(ofAda.at(-1)).toEqual({ agentId: ada.id, presence: 'OFFLINE', isAccepting: true, reason: null });
    await eventually(
      () => parley.query('SELECT FROM agent_connections WHERE agent_id = $1', [ada.id]),
      (rows) => rows.length === 0,
    );
  });

  it('presence recovers by itself after other nodes considered this one dead', async () => {
    await parley.connectAgent(ada.token);
    // What another node does, in one statement, so that no heartbeat comes in between.
    await parley.query(`
      WITH node AS (UPDATE nodes SET seen_at = now() - interval '1 hour'), gone AS (DELETE FROM agent_connections)
      SELECT`);
    await becomes('ONLINE');
  });

  it('agents of a node that counted as dead are announced when it is back, so that chats that waited for them are routed', async () => {
    const watcher = await parley.connectAgent((await parley.signInAgent(tenant)).token);
    await parley.connectAgent(ada.token);
    const ofAda = () => watcher.all('presence').filter(({ agentId }) => agentId === ada.id);
    await watcher.until(() => ofAda().length > 0);
    const before = ofAda().length;
    await parley.query(`UPDATE nodes SET seen_at = now() - interval '1 hour'`);
    await watcher.until(() => ofAda().length > before && ofAda().at(-1)!.presence === 'ONLINE');
  });

  it('a connection that opens while the node compares its rows with its sockets is counted', async () => {
    const pool = parley.app.get<pg.Pool>(POOL);
    const service = parley.app.get(PresenceService);
    const connection = { organizationId: tenant.id, agentId: ada.id, id: 'meanwhile', sessionId: 'ses_test' };
    await parley.connectAgent((await parley.signInAgent(tenant)).token);
    const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
    let isOver = false;
    // Delays the next statement about the node's rows until the connection is open.
    pool.query = (async (...args: [{ name?: string }]) => {
      if (isOver || !/^(?:close|find-open)-connections$/.test(args[0].name ?? '')) return query(...args);
      isOver = true;
      await service.connect(connection);
      return query(...args);
    }) as unknown as typeof pool.query;
    await eventually(
      () => isOver,
      (seen) => seen,
    );
    pool.query = query as typeof pool.query;
    // The heartbeat after it has come too.
    const beats = async () => (await parley.query('SELECT max(seen_at) AS at FROM nodes'))[0] as { at: Date };
    const { at: before } = await beats();
    await eventually(beats, ({ at }) => at > before);
    expect(await parley.query(`SELECT closed_at FROM agent_connections WHERE id = 'meanwhile'`)).toEqual([
      { closed_at: null },
    ]);
    await service.endSessions(tenant.id, ada.id, null);
  });

  it('presence is sent to colleagues and the agent, and to no other organization', async () => {
    const socket = await parley.connectAgent(ada.token);
    const other = await parley.createTenant();
    const stranger = await parley.connectAgent((await parley.signInAgent(other)).token);
    await ada.client.put('/presence', { isAccepting: false }).expect(200);
    await socket.until(() => socket.all('presence').some(({ presence: seen }) => seen === 'PAUSED'));
    await ada.client.put('/presence', { isAccepting: false }).expect(200);
    await ada.client.put('/presence', { isAccepting: true }).expect(200);
    await socket.until(() => socket.all('presence').at(-1).presence === 'ONLINE');
    const own = socket.all('presence').map(({ presence: seen }) => seen);
    expect(own.slice(own.indexOf('PAUSED'))).toEqual(['PAUSED', 'ONLINE']);
    expect(stranger.all('presence').filter(({ agentId }) => agentId === ada.id)).toEqual([]);
  });
});
