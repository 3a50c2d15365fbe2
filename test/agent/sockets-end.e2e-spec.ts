import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { Road } from '../support/road.js';
import { VisitorSocket } from '../support/visitor.js';

describe("the end of an agent's socket", () => {
  let parley: Parley;
  let tenant: Tenant;
  let ada: SignedInAgent;
  let watcher: VisitorSocket;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    ada = await parley.signInAgent(tenant);
    watcher = await parley.connectAgent((await parley.signInAgent(tenant)).token);
  });

  /** Returns the socket and the reason of its end. */
  const connect = async (agent = ada) => {
    const socket = await parley.openAgentSocket(agent.token);
    const closed = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    const ended = async () => {
      await closed;
      return socket.all('session:ended');
    };
    return { socket, ended };
  };
  const presences = () =>
    watcher.all('presence').flatMap(({ agentId, presence }) => (agentId === ada.id ? [presence] : []));

  it('signing out closes the sockets of this session only, and presence ends immediately with the last one', async () => {
    const again = await parley.signInAgain(tenant, ada.id);
    const one = await connect();
    const two = await connect(again);
    // Of several changes in quick succession only the last one is sent.
    await watcher.until(() => presences().includes('ONLINE'));
    await ada.client.delete('/session').expect(204);
    expect(await one.ended()).toEqual([{ reason: 'SIGNED_OUT' }]);
    expect(two.socket.socket.connected).toBe(true);
    await again.client.delete('/session').expect(204);
    expect(await two.ended()).toEqual([{ reason: 'SIGNED_OUT' }]);
    await watcher.until(() => presences().includes('OFFLINE'));
    expect(presences()).toEqual(['ONLINE', 'OFFLINE']);
  });

  it('sockets close when the agent or the organization is deleted, and when the agent is disabled', async () => {
    const disabled = await connect();
    await tenant.admin.patch(`/agents/${ada.id}`, { isEnabled: false }).expect(200);
    expect(await disabled.ended()).toEqual([{ reason: 'DISABLED' }]);
    await watcher.until(() => presences().includes('OFFLINE'));
    const bob = await parley.signInAgent(tenant);
    const deleted = await connect(bob);
    await tenant.admin.delete(`/agents/${bob.id}`).expect(204);
    expect(await deleted.ended()).toEqual([{ reason: 'DELETED' }]);
    const last = await connect(await parley.signInAgent(tenant));
    await parley.admin.delete(`/${tenant.id}`).expect(204);
    expect(await last.ended()).toEqual([{ reason: 'DELETED' }]);
  });

  it('a socket whose session ends during the handshake gets nothing, and no chat is assigned to the agent', async () => {
    const again = await parley.signInAgain(tenant, ada.id);
    const { body } = await again.client.get('/sessions').expect(200);
    const { id } = body.sessions.find(({ isCurrent }: any) => !isCurrent);
    const blocker = await parley.database.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM agents WHERE organization_id = $1 AND id = $2 FOR UPDATE', [tenant.id, ada.id]);
    const connecting = connect();
    await eventually(
      () =>
        parley.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%agent_connections%'`,
        ),
      (rows) => rows.length > 0,
    );
    await again.client.delete(`/sessions/${id}`).expect(204);
    await blocker.query('COMMIT');
    blocker.release();
    const { socket, ended } = await connecting;
    expect(await ended()).toEqual([{ reason: 'SIGNED_OUT' }]);
    expect(socket.all('inbox:stale')).toEqual([]);
    await eventually(
      () => parley.query('SELECT FROM agent_connections WHERE agent_id = $1', [ada.id]),
      (rows) => rows.length === 0,
    );
  });

  it("a socket that answers no pings is closed, and one that's only silent never is", async () => {
    parley.app.get(Timings).agentPing = 1_000;
    const road = await Road.to(parley.url);
    const silent = await connect();
    const lost = await VisitorSocket.connect(road.url, ada.token, {}, 'agent');
    const open = () =>
      parley.query('SELECT FROM agent_connections WHERE agent_id = $1 AND closed_at IS NULL', [ada.id]);
    expect(await open()).toHaveLength(2);
    road.freeze();
    await eventually(open, (rows) => rows.length === 1);
    expect(silent.socket.socket.connected).toBe(true);
    lost.close();
    await road.close();
  });
});
