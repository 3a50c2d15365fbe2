import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { EntityManager } from 'typeorm';
import { PresenceService } from '../../src/agents/presence.service.js';
import { HandoffTimers } from '../../src/handoff/handoff-timers.service.js';
import { findNext, pickAgent } from '../../src/handoff/routing.queries.js';
import { RoutingService } from '../../src/handoff/routing.service.js';
import { POOL } from '../../src/platform/database/pool.js';
import { transaction } from '../../src/platform/database/transaction.js';
import { stopIndexing } from '../changes/support/indexing.js';
import { Parley, type SignedInAgent, type Tenant } from '../support/parley.js';
import { PlanReader } from '../support/plans.js';

const WAITING = 20_000;
/** Rows of a table that finding one chat, or its agent, may read. */
const BOUND = 100;

describe(`routing with ${WAITING} waiting chats`, () => {
  let parley: Parley;
  let plans: PlanReader;
  let tenant: Tenant;
  const groups: Record<string, string> = {};

  beforeAll(async () => {
    parley = await Parley.start();
    // The test runs routing itself. The index would read the changes of all these chats.
    await stopIndexing(parley);
    for (const job of [HandoffTimers, RoutingService]) await parley.app.get<OnModuleDestroy>(job).onModuleDestroy();
    tenant = await parley.createTenant();
    plans = await PlanReader.connect(parley.databaseUrl);
    for (const routing of ['AUTOMATIC', 'OFFER']) {
      groups[routing] = (await tenant.admin.post('/groups', { name: routing, routing }).expect(201)).body.id;
      await fill(routing);
    }
    await parley.query('ANALYZE');
  }, 120_000);
  afterAll(async () => {
    await plans.close();
    await parley.stop();
  });

  const fill = (routing: string) =>
    parley.query(
      `WITH waiting AS (
         INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, created_at)
         SELECT $1, 'cht_' || $3 || number, $2, $4, 'QUEUED', now(), now() + number * interval '1 ms', now()
         FROM generate_series(1, $5) AS number RETURNING *
       )
       INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, began_at, queued_at, on_unanswered)
       SELECT organization_id, 'hof_' || id, id, group_id, 'BOT', now(), queued_at, 'KEEP' FROM waiting`,
      [tenant.id, tenant.visitorId, routing.toLowerCase(), groups[routing], WAITING],
    );
  const goOnline = ({ id }: SignedInAgent) =>
    parley.app
      .get(PresenceService)
      .connect({ organizationId: tenant.id, agentId: id, id: randomUUID(), sessionId: 'ses_test' });
  const manager = () => parley.app.get(EntityManager);
  const next = () => findNext(parley.app.get(POOL), tenant.id, []);
  const agentFor = (chatId: string) => transaction(manager(), (tx) => pickAgent(tx, tenant.id, chatId));
  const expectFew = async (work: () => Promise<unknown>) => {
    const read = await plans.rowsReadBy(work);
    expect(Object.keys(read)).toContain('chats');
    expect(Object.entries(read).filter(([, rows]) => rows > BOUND)).toEqual([]);
  };

  for (const routing of ['AUTOMATIC', 'OFFER'] as const) {
    it(`${routing}: routing finds the next chat and its agent without reading the queue`, async () => {
      const ada = await parley.signInAgent(tenant, { groupIds: [groups[routing]!] });
      await expectFew(async () => expect(await next()).toBeNull());
      await goOnline(ada);
      const chats = Array.from({ length: 5 }, (_, index) => `cht_${routing.toLowerCase()}${index + 1}`);
      await expectFew(async () => expect(await next()).toBe(chats[0]));
      await expectFew(async () => expect(await agentFor(chats[0]!)).toMatchObject({ id: ada.id, routing }));
      // Chats that the agent has just released are skipped.
      await parley.query('UPDATE chats SET last_agent_id = $1, agent_left_at = now() WHERE id = ANY ($2)', [
        ada.id,
        chats.slice(0, 4),
      ]);
      await expectFew(async () => expect(await next()).toBe(chats[4]));
      await tenant.admin.patch(`/agents/${ada.id}`, { isEnabled: false }).expect(200);
    });
  }
});
