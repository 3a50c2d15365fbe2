import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timings } from '../../src/live/feeds/timings.js';
import { until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';
import type { VisitorSocket } from '../support/visitor.js';

describe('changes of groups and colleagues', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;
  let sockets: VisitorSocket[];

  beforeAll(async () => {
    parley = await Parley.start();
    // The comparison with the database would notify agents, too.
    parley.app.get(Timings).agents = 600_000;
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds: [group] });
    const { token } = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
    sockets = [];
    for (const one of [ada.token, ada.token, token]) sockets.push(await parley.connectAgent(one));
  });

  /** Makes a change, and waits until every socket was notified. */
  const notifiesEveryone = async (change: () => Promise<unknown>) => {
    const count = (socket: VisitorSocket) => socket.all('inbox:stale').length;
    const before = sockets.map(count);
    await change();
    await until('every socket was notified', () => sockets.every((socket, index) => count(socket) > before[index]!));
  };

  it('reach every open console of the organization', async () => {
    let sales = '';
    await notifiesEveryone(async () => {
      sales = (await tenant.admin.post('/groups', { name: 'Sales' }).expect(201)).body.id;
    });
    await notifiesEveryone(() => tenant.admin.patch(`/groups/${sales}`, { name: 'Orders' }).expect(200));
    await notifiesEveryone(() => tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [group, sales] }).expect(200));
    await notifiesEveryone(() => tenant.admin.delete(`/groups/${sales}`).expect(204));
    await notifiesEveryone(() =>
      tenant.admin.post('/agents', { name: 'New', email: `new-${tenant.id}@example.com` }).expect(201),
    );
  });

  it("changes don't reach another organization's console", async () => {
    const [socket] = sockets as [VisitorSocket];
    const seen = socket.all('inbox:stale').length;
    const other = await parley.createTenant();
    const { token } = await parley.signInAgent(other, { name: 'Eve', role: 'SUPERVISOR' });
    const eve = await parley.connectAgent(token);
    const before = eve.all('inbox:stale').length;
    await other.admin.post('/groups', { name: 'Sales' }).expect(201);
    await until('the other organization was notified', () => eve.all('inbox:stale').length > before);
    await socket.ask('sync', { chatId: 'cht_unknown', afterSeq: 0 });
    expect(socket.all('inbox:stale')).toHaveLength(seen);
  });
});
