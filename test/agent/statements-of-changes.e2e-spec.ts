import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopIndexing } from '../changes/support/indexing.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { type Statement, StatementRecorder } from '../support/statements.js';
import { defaultGroupOf } from '../support/tenant.js';

// A bulk action makes 200 such changes. Each statement costs CPU time in the service and in PostgreSQL, and more if it isn't prepared.
describe('the statements that change a chat', () => {
  let parley: Parley;
  let tenant: Tenant;
  let first: string;
  let second: string;
  let ada: SignedInAgent;
  let ben: SignedInAgent;
  let sue: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    await stopIndexing(parley);
    tenant = await parley.createTenant();
    first = await defaultGroupOf(tenant);
    second = (await tenant.admin.post('/groups', { name: 'Second' }).expect(201)).body.id;
    const groupIds = [first, second];
    ada = await parley.signInAgent(tenant, { name: 'Ada', groupIds });
    ben = await parley.signInAgent(tenant, { name: 'Ben', groupIds });
    sue = await parley.signInAgent(tenant, { name: 'Sue', role: 'SUPERVISOR' });
  });
  afterAll(() => parley.stop());

  const act = ({ client }: SignedInAgent, action: string, body: object = {}) =>
    client.post(`/chats/${tenant.chatId}/${action}`, body).expect(200);
  /** The organization's statements while an agent acts. Routing, which follows, may send some. */
  const statementsOf = async (who: SignedInAgent, action: string, body?: object): Promise<Statement[]> => {
    const recorder = new StatementRecorder();
    recorder.start();
    try {
      await act(who, action, body);
    } finally {
      recorder.stop();
    }
    // After the commit, at most once in 10 s.
    const isOfPush = ({ text }: Statement) => text.includes('push_subscriptions');
    return recorder.statements.filter((one) => one.sent.values.includes(tenant.id) && !isOfPush(one));
  };

  it('each is prepared, and few are needed to take, end, reopen, and move a chat', async () => {
    const steps: [atMost: number, who: SignedInAgent, action: string, body?: object][] = [
      [7, ada, 'claim'],
      [7, ada, 'close'],
      [10, ada, 'reopen', { undo: true }],
      [9, ada, 'transfer', { groupId: second }],
      [7, sue, 'transfer', { agentId: ben.id }],
      [11, sue, 'assign', { agentId: ada.id }],
      [9, sue, 'transfer', { groupId: first }],
      [7, sue, 'close'],
      [10, sue, 'reopen', { undo: true }],
    ];
    for (const [atMost, who, action, body] of steps) {
      const statements = await statementsOf(who, action, body);
      expect({ action, unprepared: statements.filter(({ isPrepared }) => !isPrepared) }).toEqual({
        action,
        unprepared: [],
      });
      const count = statements.reduce((sum, { times }) => sum + times, 0);
      expect({ action, isCheap: count <= atMost, labels: statements.map(({ label }) => label) }).toMatchObject({
        isCheap: true,
      });
    }
  });
});
