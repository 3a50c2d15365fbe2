import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, until } from '../support/eventually.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';

interface Offer {
  id: string;
  chat: { id: string };
}

describe('offers', () => {
  let parley: Parley;
  let tenant: Tenant;
  let group: string;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    const body = { name: 'Asked', routing: 'OFFER', offerSeconds: 600 };
    group = (await tenant.admin.post('/groups', body).expect(201)).body.id;
    ada = await parley.signInAgent(tenant, { groupIds: [group], capacity: 50 });
    await parley.connectAgent(ada.token);
  });

  const setGroup = (body: object) => tenant.admin.patch(`/groups/${group}`, body).expect(200);
  /** Chats that wait, the longest wait first. */
  const queue = async (count: number, targetGroupId = group): Promise<string[]> => {
    const chats: string[] = [];
    for (let place = 0; place < count; place++) {
      const { body } = await tenant.admin.post('/chats', {}).expect(201);
      await tenant.bot.post('/transfer', { chatId: body.id, targetGroupId }).expect(200);
      chats.push(body.id);
    }
    return chats;
  };
  const offersOf = async ({ client }: SignedInAgent): Promise<Offer[]> =>
    (await client.get('/offers').expect(200)).body.offers;
  const offerOf = async (chatId: string, agent = ada): Promise<string> => {
    const find = async () => (await offersOf(agent)).find(({ chat }) => chat.id === chatId);
    return (await eventually(find, Boolean))!.id;
  };
  const answer = (id: string, what: 'accept' | 'decline', { client } = ada) => client.post(`/offers/${id}/${what}`, {});
  const refused = async (id: string, what: 'accept' | 'decline'): Promise<string> => {
    const { body } = await answer(id, what).expect(409);
    expect(body).toMatchObject({ code: 'offer_ended' });
    return body.reason;
  };
  /** Lets offers expire. */
  const expire = (ids: string[]) =>
    parley.query('UPDATE chat_offers SET expires_at = now() WHERE id = ANY ($1)', [ids]);
  /** Waits until a node has ended the offers. */
  const areOver = (ids: string[]) =>
    until('the offers have ended', async () => {
      const rows = await parley.query('SELECT FROM chat_offers WHERE id = ANY ($1) AND ended_at IS NULL', [ids]);
      return rows.length === 0;
    });
  const offered = async () => (await offersOf(ada)).map(({ chat }) => chat.id).toSorted();
  const isAccepting = async () => (await ada.client.get('/session').expect(200)).body.agent.isAccepting as boolean;
  /** Routing has seen everything: a chat of another group, queued last, was assigned. */
  const settle = async () => {
    const body = { name: 'Automatic', routing: 'AUTOMATIC' };
    const { id } = (await tenant.admin.post('/groups', body).expect(201)).body;
    const ben = await parley.signInAgent(tenant, { groupIds: [id] });
    await parley.connectAgent(ben.token);
    const [last] = await queue(1, id);
    const owner = async () => (await tenant.bot.get(`/chats/${last}`).expect(200)).body.owner;
    await until('the last chat is assigned', async () => (await owner()) === 'AGENT');
  };

  describe('an offer ends once: repeating the same response changes nothing, and another one returns how it ended', () => {
    it('an accepted offer stays accepted, even after the agent released the chat', async () => {
      const [chat] = (await queue(1)) as [string];
      const offer = await offerOf(chat);
      await answer(offer, 'accept').expect(200);
      await answer(offer, 'accept').expect(200);
      expect(await refused(offer, 'decline')).toBe('ACCEPTED');
      await ada.client.post(`/chats/${chat}/release`, {}).expect(200);
      expect([await refused(offer, 'decline'), await refused(offer, 'accept')]).toEqual(['ACCEPTED', 'ACCEPTED']);
    });

    it('a declined offer stays declined', async () => {
      const offer = await offerOf((await queue(1))[0]!);
      await answer(offer, 'decline').expect(204);
      await answer(offer, 'decline').expect(204);
      expect(await refused(offer, 'accept')).toBe('DECLINED');
    });

    it('an offer that ran out is expired, before and after a node noticed', async () => {
      const offer = await offerOf((await queue(1))[0]!);
      await expire([offer]);
      expect([await refused(offer, 'decline'), await refused(offer, 'accept')]).toEqual(['EXPIRED', 'EXPIRED']);
      await areOver([offer]);
      expect([await refused(offer, 'decline'), await refused(offer, 'accept')]).toEqual(['EXPIRED', 'EXPIRED']);
    });

    it('an offer is withdrawn when the chat goes to another agent', async () => {
      const [chat] = (await queue(1)) as [string];
      const offer = await offerOf(chat);
      const ben = await parley.signInAgent(tenant, { groupIds: [group] });
      const chief = await parley.signInAgent(tenant, { role: 'SUPERVISOR' });
      await chief.client.post(`/chats/${chat}/assign`, { agentId: ben.id }).expect(200);
      expect([await refused(offer, 'decline'), await refused(offer, 'accept')]).toEqual(['WITHDRAWN', 'WITHDRAWN']);
    });

    it('one of two simultaneous responses to an offer wins', async () => {
      for (const chat of await queue(5)) {
        const offer = await offerOf(chat);
        const statuses = await Promise.all(
          (['accept', 'decline'] as const).map(async (it) => (await answer(offer, it)).status),
        );
        expect([
          [200, 409],
          [409, 204],
        ]).toContainEqual(statuses);
      }
    });
  });

  it('an agent with enough capacity gets two offers at a time, for the chats that waited longest', async () => {
    const chats = await queue(5);
    await settle();
    expect(await offered()).toEqual(chats.slice(0, 2));
    await answer(await offerOf(chats[1]!), 'accept').expect(200);
    await offerOf(chats[2]!);
    await answer(await offerOf(chats[0]!), 'decline').expect(204);
    await offerOf(chats[3]!);
    expect(await offered()).toEqual(chats.slice(2, 4));
  });

  it("a group's maxPendingOffers applies, and offers count toward the capacity", async () => {
    await setGroup({ maxPendingOffers: 5 });
    const chats = await queue(7);
    await settle();
    expect(await offered()).toEqual(chats.slice(0, 5));
    await tenant.admin.patch(`/agents/${ada.id}`, { capacity: 4 }).expect(200);
    for (const chat of chats.slice(0, 2)) await answer(await offerOf(chat), 'accept').expect(200);
    await settle();
    expect(await offered()).toEqual(chats.slice(2, 5));
    await setGroup({ maxPendingOffers: 1 });
    for (const chat of chats.slice(2, 5)) await answer(await offerOf(chat), 'decline').expect(204);
    await offerOf(chats[5]!);
    await settle();
    expect(await offered()).toEqual([chats[5]]);
    for (const count of [0, 101]) {
      const { body } = await tenant.admin.patch(`/groups/${group}`, { maxPendingOffers: count }).expect(400);
      expect(body.errors).toMatchObject([{ pointer: '/maxPendingOffers' }]);
    }
  });

  it('offers that overlap count as one miss, and two misses in a row pause the agent', async () => {
    const chats = await queue(4);
    const first = [await offerOf(chats[0]!), await offerOf(chats[1]!)];
    await expire(first);
    await areOver(first);
    expect(await isAccepting()).toBe(true);
    const second = [await offerOf(chats[2]!), await offerOf(chats[3]!)];
    await expire(second);
    await until('the agent is paused', async () => !(await isAccepting()));
    await areOver(second);
  });

  it('offers that each overlap with another one still count as misses in the end', async () => {
    const chats = await queue(3);
    const [first, second] = [await offerOf(chats[0]!), await offerOf(chats[1]!)];
    await expire([first]);
    const third = await offerOf(chats[2]!);
    await expire([second]);
    await areOver([second]);
    expect(await isAccepting()).toBe(true);
    await expire([third]);
    await until('the agent is paused', async () => !(await isAccepting()));
  });
});
