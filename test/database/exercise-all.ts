import { PresenceService } from '../../src/agents/presence.service.js';
import { DemoService } from '../../src/api/public/demo/demo.service.js';
import { AuthRetention } from '../../src/auth/auth-retention.js';
import { KeyRetention } from '../../src/idempotency/key-retention.js';
import { Timings } from '../../src/live/feeds/timings.js';
import type pg from 'pg';
import { listVariants } from '../../src/platform/database/citus/shard-functions.js';
import { POOL } from '../../src/platform/database/pool.js';
import { ThisNode } from '../../src/platform/cluster/this-node.js';
import { DataRemoval } from '../../src/privacy/data-removal.js';
import { DeliveryRetention } from '../../src/webhooks/delivery-retention.js';
import { exerciseAdmin } from '../admin/exercise.js';
import { exerciseInbox, exerciseSignIn } from '../agent/exercise.js';
import { exerciseHandoffs } from '../agent/exercise-handoffs.js';
import { exerciseBot, exercisePull } from '../bot/exercise.js';
import { exerciseSilence } from '../bot-silence/exercise.js';
import { exerciseChanges } from '../changes/exercise.js';
import { exerciseBotConnections } from '../bot-connections/exercise.js';
import { exerciseFiles } from '../files/exercise.js';
import { exerciseAgentSockets, exerciseVisitorSockets } from '../live/exercise.js';
import { exerciseMailbox } from '../mail/exercise-mailbox.js';
import { exerciseMail } from '../mail/exercise.js';
import { INBOUND } from '../mail/support/replies.js';
import { MailServer } from '../mail/support/mail-server.js';
import { exercisePrivacy } from '../privacy/exercise.js';
import { exercisePush } from '../push/exercise.js';
import { exercisePublic } from '../public/exercise.js';
import { createDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { knownRoutes, recordAnsweredRoutes } from '../support/routes.js';
import type { StatementRecorder } from '../support/statements.js';
import { freePort } from '../support/ports.mjs';
import { exerciseSearch } from '../search/exercise.js';
import { exerciseAttributes } from '../attributes/exercise.js';
import { exerciseTags } from '../tags/exercise.js';
import { exerciseVisitor } from '../visitor/exercise.js';
import { exerciseDeliveries, exerciseWebhooks } from '../webhooks/exercise.js';

/** Milliseconds between two sweeps, which find what other nodes and lost events leave. */
const SWEEP_MS = 20;

/**
 * Starts the service on a database of its own, calls every route, and stops it. `recorder` sees its statements.
 * @param isDistributed whether the service sends the statements of a Citus cluster, which work on one PostgreSQL too
 */
export async function exerciseAll(
  recorder: StatementRecorder,
  { isDistributed = false } = {},
): Promise<{ known: string[]; answered: Set<string> }> {
  const database = await createDatabase();
  recorder.start();
  const mails = await MailServer.start();
  // Files and mails have addresses that lead to the service.
  const port = await freePort();
  const address = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, MAIL_MAX_PER_HOUR: '2' };
  const environment = { DEMO: '1', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', ...mails.environment, ...INBOUND, ...address };
  const parley = await Parley.start(environment, database.url);
  const receiver = await Receiver.start();
  try {
    // Always on one PostgreSQL, so that the same statements are sent in each run.
    await parley.app.get(DemoService).prepare();
    if (isDistributed) await pretend(parley);
    const answered = recordAnsweredRoutes(parley);
    await exerciseFolders(parley, receiver, recorder, mails);
    const removal = isDistributed ? 'remove-ended-connections of one' : 'remove-ended-connections';
    // Of an agent whose socket was cut off: all sockets of the exercises may have said that they end.
    await parley.query(`
      INSERT INTO agent_connections (organization_id, agent_id, id, session_id, node_id, opened_at, closed_at)
      SELECT organization_id, id, 'con_cut_off', 'ags_cut_off', 'cut off', now() - interval '1 hour', now() - interval '1 hour'
      FROM agents LIMIT 1`);
    await until('the connections of agents who left are removed', async () => {
      await parley.app.get(PresenceService).removeEnded();
      return recorder.statements.some(({ label }) => label === removal);
    });
    return { known: knownRoutes(parley), answered };
  } finally {
    await parley.stop();
    recorder.stop();
    await receiver.close();
    await mails.close();
    await database.drop();
  }
}

/** Makes the service send the statements of a cluster. */
async function pretend(parley: Parley): Promise<void> {
  for (const definition of await listVariants((text) => parley.query(text) as Promise<never>)) {
    await parley.query(definition);
  }
  await parley.query(NO_SHARD_HERE);
  await parley.query(RUN_ON_COPIES);
  await parley.query(SHARD_OF);
  Object.assign(parley.app.get<pg.Pool>(POOL).options, { isDistributed: true });
}

/** A function of Citus, which finds the shard of an organization. Here, each has one of its own. */
const SHARD_OF = `
  CREATE FUNCTION get_shard_id_for_distribution_column(name regclass, organization text) RETURNS bigint
  LANGUAGE sql AS 'SELECT hashtext(organization)::bigint'`;

/** The function that finds the tables of a shard. Here, there are none. */
const NO_SHARD_HERE = `
  CREATE FUNCTION lock_shard(organizations text[]) RETURNS bigint LANGUAGE sql AS 'SELECT NULL::bigint'`;

/** A function of Citus, which runs a statement on each copy of a table. Here, there's one. */
const RUN_ON_COPIES = `
  CREATE FUNCTION run_command_on_placements(name regclass, command text) RETURNS TABLE (success boolean, result text)
  LANGUAGE plpgsql AS $$
  BEGIN
    success := true;
    IF command LIKE 'DELETE%' THEN EXECUTE format(command, name);
    ELSE EXECUTE format(command, name) INTO result;
    END IF;
    -- 't' or 'f', as the worker sends it.
    result := left(result, 1);
    RETURN NEXT;
  END $$`;

/** The exercises of the folders of `test/`. Each may rely on what those before it left. */
async function exerciseFolders(
  parley: Parley,
  receiver: Receiver,
  recorder: StatementRecorder,
  mails: MailServer,
): Promise<void> {
  const { app } = parley;
  Object.assign(app.get(Timings), { agents: SWEEP_MS, seqHints: SWEEP_MS, sessions: SWEEP_MS });
  app.get(ThisNode).settlingMs = 0;
  await exercisePublic(parley);
  const tenant = await parley.createTenant();
  const webhookId = await exerciseWebhooks(tenant, receiver);
  await exerciseChanges(parley, tenant);
  await exerciseBot(parley, tenant);
  await exercisePull(parley, tenant);
  await exerciseVisitor(parley, tenant);
  await exerciseVisitorSockets(parley, tenant);
  await exerciseInbox(parley, tenant);
  await exerciseAgentSockets(parley, tenant);
  await exerciseFiles(parley, tenant);
  await exerciseSearch(parley, tenant);
  await exerciseTags(parley, tenant);
  await exerciseAttributes(parley, tenant);
  await exerciseBotConnections(parley);
  await exerciseMail(parley, tenant, mails);
  await exerciseMailbox(parley);
  await exercisePush(parley, tenant);
  await exerciseHandoffs(parley);
  await exerciseSilence(parley);
  await exerciseDeliveries(parley, tenant, webhookId, receiver, recorder);
  await exerciseAdmin(parley, tenant);
  await exerciseSignIn(parley, tenant);
  await exerciseChanges(parley, tenant);
  await exercisePrivacy(parley, tenant);
  await parley.untilRow('SELECT FROM access_tokens WHERE last_used_at IS NOT NULL');
  await removeAll(parley, tenant, webhookId);
}

async function removeAll({ app, admin: organizations }: Parley, tenant: Tenant, webhookId: string): Promise<void> {
  await app.get(KeyRetention).removeExpired();
  await app.get(AuthRetention).removeExpired();
  await tenant.admin.delete(`/webhooks/${webhookId}`).expect(204);
  await tenant.admin.delete(`/bots/${tenant.botId}`).expect(204);
  await organizations.delete(`/${tenant.id}`).expect(204);
  await app.get(DeliveryRetention).run();
  await app.get(DataRemoval).run();
}
