import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Role } from '../../src/agents/role.js';
import { maySee } from '../../src/chats/model/chat-rights.js';
import { findSeenChat, findWhoMaySee } from '../../src/inbox/views/visibility.queries.js';
import { makeChat, setChat } from '../support/inbox.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('permission to see a chat', () => {
  let parley: Parley;
  let tenant: Tenant;
  let groups: string[];
  let agents: { agentId: string; role: Role; groupIds: Set<string> }[];
  let chatId: string;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    const make = async (name: string) => (await tenant.admin.post('/groups', { name }).expect(201)).body.id as string;
    groups = [await make('One'), await make('Two'), await make('Three')];
    const [one, two] = groups as [string, string];
    const hire = async (role: Role, groupIds: string[]) => {
      const { id } = await parley.signInAgent(tenant, { role, groupIds });
      return { agentId: id, role, groupIds: new Set(groupIds) };
    };
    agents = [
      await hire('AGENT', []),
      await hire('AGENT', [one]),
      await hire('AGENT', [one, two]),
      await hire('SUPERVISOR', []),
      await hire('ADMIN', [two]),
    ];
    chatId = await makeChat(parley, tenant);
  });
  afterAll(() => parley.stop());

  it('permission to see a chat is the same in memory and in both forms of SQL', async () => {
    const place = fc.record({ group: fc.nat({ max: 2 }), owner: fc.option(fc.nat({ max: 4 })) });
    await fc.assert(
      fc.asyncProperty(place, async ({ group, owner }) => {
        const chat = { groupId: groups[group]!, agentId: owner === null ? null : agents[owner]!.agentId };
        await setChat(parley, chatId, { status: 'ACTIVE', group_id: chat.groupId, agent_id: chat.agentId });
        const inMemory = agents.filter((rights) => maySee(rights, chat)).map(({ agentId }) => agentId);
        const all = agents.map(({ agentId }) => agentId);
        const joined = await findWhoMaySee(parley.database, tenant.id, [chatId], all);
        const seen = await Promise.all(
          agents.map(({ agentId, role }) => {
            return findSeenChat(parley.database, { organizationId: tenant.id, agentId, role }, chatId);
          }),
        );
        expect(joined.map(({ agentId }) => agentId).toSorted()).toEqual(inMemory.toSorted());
        expect(all.filter((_, index) => seen[index] !== null)).toEqual(inMemory);
      }),
      { numRuns: 40 },
    );
  });
});
