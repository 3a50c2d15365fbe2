import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'supertest';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { QueueJudge } from '../support/queue-judge.js';

const CHATS = { AUTOMATIC: 500, OFFER: 250 };
const AGENTS = 20;
/** Bots that transfer at the same time. */
const AT_ONCE = 4;
/** The share of chats that an agent releases, or whose offers an agent declines. */
const LEFT_TO_OTHERS = 0.15;
const PATIENCE = 600_000;

/** An agent's chat, or one that is offered. */
interface Assigned {
  chatId: string;
  agentId: string;
  offerId: string | null;
}

describe(`many chats waiting for ${AGENTS} agents of two groups, on two nodes`, () => {
  let nodes: [Parley, Parley];
  let tenant: Tenant;
  let judge: QueueJudge;
  let agents: SignedInAgent[];
  let groups: string[];

  beforeAll(async () => {
    const first = await Parley.start();
    nodes = [first, await Parley.start({}, first.databaseUrl)];
    judge = await QueueJudge.install(first);
    tenant = await first.createTenant();
  }, PATIENCE);
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.stop();
  });

  const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
  const node = () => pick(nodes);

  /** On a busy machine a request may time out. Only the next one shows whether it was done. */
  const ask = async (send: () => Test, wanted: number) => {
    let { status, body } = await send();
    while (status === 503) {
      ({ status, body } = await send());
      if (status === 409) return;
    }
    expect([status, body.detail]).toEqual([wanted, undefined]);
  };
  const addGroups = async (routing: 'AUTOMATIC' | 'OFFER') => {
    const names = ['One', 'Two'].map((name) => ({ name: `${routing} ${name}`, routing, offerSeconds: 600 }));
    groups = await Promise.all(
      names.map(async (body) => (await tenant.admin.post('/groups', body).expect(201)).body.id),
    );
  };
  /** Every third agent is in both groups; capacities are 1 to 3. */
  const addAgents = async () => {
    agents = [];
    for (let number = 0; number < AGENTS; number++) {
      const groupIds = number % 3 === 0 ? groups : [groups[number % 2]!];
      const agent = await nodes[0].signInAgent(tenant, { groupIds, capacity: 1 + (number % 3) });
      await nodes[number % 2]!.connectAgent(agent.token);
      agents.push(agent);
    }
  };
  const addChats = async (count: number): Promise<string[]> => {
    const rows = await nodes[0].query<{ id: string }>(
      `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, created_at)
       SELECT $1, $2 || lpad(number::text, 21, '0'), $3, $4, 'ACTIVE', now(), now() FROM generate_series(1, $5) AS number RETURNING id`,
      [tenant.id, `cht_0${randomInt(1000, 9999)}`, tenant.visitorId, groups[0], count],
    );
    return rows.map(({ id }) => id);
  };
  const transfer = async (chatId: string) => {
    const body = { chatId, targetGroupId: pick(groups), ifOwner: 'BOT' };
    await ask(() => node().bot(tenant.token).post('/transfer', body), 200);
    await judge.note(chatId);
  };
  /** The agent accepts or declines an offer, and ends or releases a chat. */
  const act = async ({ chatId, agentId, offerId }: Assigned) => {
    const client = node().agent(agents.find(({ id }) => id === agentId)!.token);
    const isLeft = Math.random() < LEFT_TO_OTHERS;
    if (offerId && isLeft) await ask(() => client.post(`/offers/${offerId}/decline`, {}), 204);
    else if (offerId) await ask(() => client.post(`/offers/${offerId}/accept`, {}), 200);
    else await ask(() => client.post(`/chats/${chatId}/${isLeft ? 'release' : 'close'}`, {}), 200);
    if (isLeft) await judge.note(chatId);
  };
  const assigned = () =>
    nodes[0].query<Assigned>(
      `SELECT id AS "chatId", agent_id AS "agentId", NULL AS "offerId" FROM chats WHERE agent_id = ANY ($1)
       UNION ALL SELECT chat_id, agent_id, id FROM chat_offers WHERE agent_id = ANY ($1) AND ended_at IS NULL`,
      [agents.map(({ id }) => id)],
    );
  const countEnded = async (chats: string[]): Promise<number> => {
    const [row] = await nodes[0].query<{ ended: number }>(
      `SELECT count(*)::integer AS ended FROM chats WHERE id = ANY ($1) AND status = 'CLOSED'`,
      [chats],
    );
    return row!.ended;
  };
  /** Bots write into the chats that are next, so their rows are locked now and then. */
  const disturb = async () => {
    const next = await nodes[0].query<{ id: string }>(
      `SELECT id FROM chats WHERE group_id = ANY ($1) AND status = 'QUEUED' ORDER BY queued_at LIMIT 2`,
      [groups],
    );
    for (const { id } of next) await node().bot(tenant.token).post('/messages', { chatId: id, content: 'waiting' });
  };
  /** Works on agents' chats and offers in random order, several at a time, until every chat has ended. */
  const workOff = async (chats: string[]) => {
    while ((await countEnded(chats)) < chats.length) {
      const some = (await assigned()).filter(() => Math.random() < 0.7);
      if (some.length === 0) await sleep(20);
      else await Promise.all([disturb(), ...some.map(act)]);
    }
  };

  for (const routing of ['AUTOMATIC', 'OFFER'] as const) {
    it(
      `${routing}: no agent gets a chat of ${CHATS[routing]} while an older one that they could take waits`,
      async () => {
        await addGroups(routing);
        await addAgents();
        const before = await judge.countGiven();
        const chats = await addChats(CHATS[routing]);
        const rest = chats.values();
        const transferRest = async () => {
          for (const chatId of rest) await transfer(chatId);
        };
        await Promise.all([workOff(chats), ...Array.from({ length: AT_ONCE }, transferRest)]);
        expect((await judge.countGiven()) - before).toBeGreaterThanOrEqual(CHATS[routing]);
        expect(await judge.listPassedOver()).toEqual([]);
      },
      PATIENCE,
    );
  }
});
