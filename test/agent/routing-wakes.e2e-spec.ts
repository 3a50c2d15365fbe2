import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RoutingService } from '../../src/handoff/routing.service.js';
import { eventually } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { defaultGroupOf } from '../support/tenant.js';

describe('routing without its sweep', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;

  beforeAll(async () => {
    parley = await Parley.start();
    const { job } = parley.app.get(RoutingService) as unknown as { job: { stop(): Promise<void> } };
    await job.stop();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    group = await defaultGroupOf(tenant);
    await setGroup({ routing: 'AUTOMATIC' });
  });

  const setGroup = (body: object) => tenant.admin.patch(`/groups/${group}`, body).expect(200);
  const change = ({ id }: SignedInAgent, body: object) => tenant.admin.patch(`/agents/${id}`, body).expect(200);
  const newChat = async () => (await tenant.admin.post('/chats', {}).expect(201)).body.id as string;
  const transfer = (chatId = tenant.chatId) => tenant.bot.post('/transfer', { chatId }).expect(200);
  const owner = async (id = tenant.chatId) => {
    const { assignedTo, owner: kind } = (await tenant.bot.get(`/chats/${id}`).expect(200)).body;
    return assignedTo?.id ?? kind;
  };
  const has = ({ id }: SignedInAgent, chatId?: string) =>
    eventually(
      () => owner(chatId),
      (seen) => seen === id,
    );
  const online = async (fields: object): Promise<SignedInAgent> => {
    const agent = await parley.signInAgent(tenant, fields);
    await parley.connectAgent(agent.token);
    return agent;
  };

  it('routing starts when an agent joins the group', async () => {
    const ada = await online({ groupIds: [] });
    await transfer();
    expect(await owner()).toBe('QUEUE');
    await change(ada, { groupIds: [group] });
    await has(ada);
  });

  it("routing starts when an agent's capacity is raised", async () => {
    const ada = await online({ groupIds: [group], capacity: 1 });
    await transfer();
    await has(ada);
    const second = await newChat();
    await transfer(second);
    expect(await owner(second)).toBe('QUEUE');
    await change(ada, { capacity: 2 });
    await has(ada, second);
  });

  it("routing starts when the group's routing is turned on", async () => {
    await setGroup({ routing: 'MANUAL' });
    const ada = await online({ groupIds: [group] });
    await transfer();
    expect(await owner()).toBe('QUEUE');
    await setGroup({ routing: 'AUTOMATIC' });
    await has(ada);
  });
});
