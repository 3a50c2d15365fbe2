import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findAhead } from '../../src/live/feeds/missed-messages.queries.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { POOL } from '../../src/platform/database/pool.js';
import { createClusterDatabase } from '../support/cluster.js';
import { queryOnce, type TestDatabase } from '../support/database.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { StatementRecorder } from '../support/statements.js';

/** As many organizations as one shard must have here. */
const TOGETHER = 4;

describe('organizations on one shard of a Citus cluster', () => {
  let database: TestDatabase;
  let parley: Parley;
  let tenants: Tenant[];

  beforeAll(async () => {
    database = await createClusterDatabase();
    await migrate(database.url);
    const name = new URL(database.url).pathname.slice(1);
    // The coordinator passes it on to the workers.
    await queryOnce(database.url, `ALTER DATABASE ${name} SET track_functions = 'pl'`);
    parley = await Parley.start({}, database.url);
    const byShard = new Map<string, Tenant[]>();
    do {
      const tenant = await parley.createTenant();
      const shard = await shardOf(tenant);
      tenants = [...(byShard.get(shard) ?? []), tenant];
      byShard.set(shard, tenants);
    } while (tenants.length < TOGETHER);
  });
  afterAll(async () => {
    await parley?.stop();
    await database?.drop();
  });

  const shardOf = async ({ id }: Tenant): Promise<string> => {
    const text = `SELECT get_shard_id_for_distribution_column('groups', $1::text)::text AS shard`;
    const [row] = await parley.query<{ shard: string }>(text, [id]);
    return row!.shard;
  };
  const onWorkers = (command: string) =>
    queryOnce<{ result: string }>(database.url, 'SELECT result FROM run_command_on_workers($1)', [command]);
  /** How many calls on the workers have used the tables of an organization's shard directly. */
  const directCalls = async (tenant: Tenant): Promise<number> => {
    const results = await onWorkers(`SELECT COALESCE(sum(calls), 0) FROM pg_stat_user_functions
      WHERE funcname = 'append_messages_1_at_${await shardOf(tenant)}'`);
    return results.reduce((sum, { result }) => sum + Number(result), 0);
  };
  const sendDirectly = async (tenant: Tenant): Promise<void> => {
    const before = await directCalls(tenant);
    await until('a call uses the tables of the shard', async () => {
      await sendTogether();
      return (await directCalls(tenant)) > before;
    });
  };
  /** Each organization sends a message at the same time. */
  const sendTogether = () =>
    Promise.all(
      tenants.map(async ({ bot, chatId, id }) => {
        await bot.post('/messages', { chatId, content: `of ${id}` }).expect(200);
      }),
    );
  /** How many calls stored messages, and how many messages these were. */
  const calls = async () => {
    const scrape = await Scrape.of(parley.url);
    const read = (part: string) => scrape.value(`parley_append_batch_size_${part}`) ?? 0;
    return { messages: read('sum'), calls: read('count') };
  };
  /** The organizations with messages in their chats that a search finds. */
  const findWithMessages = async () => {
    const known = tenants.map(({ id, chatId }) => ({ organizationId: id, chatId, seq: 0 }));
    return (await findAhead(parley.app.get<Pool>(POOL), known)).map(({ organizationId }) => organizationId).sort();
  };
  const sendUntilShared = async (): Promise<void> => {
    await until('a call stores messages of several organizations', async () => {
      const before = await calls();
      await sendTogether();
      const after = await calls();
      return after.calls - before.calls < after.messages - before.messages;
    });
  };
  const expectAllStored = async () => {
    for (const { id, chatId } of tenants) {
      const text = `SELECT content, seq FROM messages WHERE organization_id = $1 AND chat_id = $2 ORDER BY seq`;
      const rows = await parley.query<{ content: string; seq: number }>(text, [id, chatId]);
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
      expect(new Set(rows.map(({ content }) => content))).toEqual(new Set([`of ${id}`]));
    }
  };

  it('a call stores messages of several organizations, each in its own', async () => {
    await sendUntilShared();
    await expectAllStored();
  });

  it('a call uses the tables of its shard, without Citus', async () => {
    await sendDirectly(tenants[0]!);
    await expectAllStored();
  });

  it('one statement finds missed messages of all of them', async () => {
    await sendTogether();
    const recorder = new StatementRecorder();
    recorder.start();
    const found = await findWithMessages();
    recorder.stop();
    expect(found).toEqual(tenants.map(({ id }) => id).sort());
    const searches = recorder.statements.filter(({ label }) => label === 'find-ahead of shard');
    expect(searches.map(({ times }) => times)).toEqual([1]);
  });

  it('a statement about all shards uses one connection to each worker', async () => {
    // By default, Citus opens more if a shard takes longer than 10 ms. Each would find the lock taken by the first.
    const text = 'SELECT pg_try_advisory_lock(1) AS "isFirst", pg_sleep(0.05) FROM groups';
    const { rows } = await parley.app.get<Pool>(POOL).query<{ isFirst: boolean }>(text);
    expect(rows.every(({ isFirst }) => isFirst)).toBe(true);
  });

  it('a cluster that an earlier commit distributed uses them once a node has started', async () => {
    const find = `SELECT pg_get_functiondef(to_regproc('append_messages_1_of_shard')) AS definition`;
    const [found] = await parley.query<{ definition: string }>(find);
    await parley.query(found!.definition.replace('lock_shard(organizations)', 'organizations[1]'));
    const areDirect = async () =>
      (
        await onWorkers(`SELECT prosrc LIKE '%lock_shard%' FROM pg_proc WHERE proname = 'append_messages_1_of_shard'`)
      ).map(({ result }) => result);
    expect(await areDirect()).toEqual(['f', 'f']);
    await migrate(database.url);
    expect(await areDirect()).toEqual(['t', 't']);
    await sendDirectly(tenants[0]!);
    await expectAllStored();
  });

  it('no message is lost when the shard is divided while the service runs, and organizations that still share one share calls again', async () => {
    await sendUntilShared();
    const [first] = tenants;
    const shared = await shardOf(first!);
    await parley.query(`SELECT isolate_tenant_to_new_shard('groups', $1::text, 'CASCADE', 'block_writes')`, [
      first!.id,
    ]);
    expect(await shardOf(first!)).not.toBe(shared);
    // A search fails for the old shard once, and then reads the shards again.
    await until('a search finds them on both shards', async () => {
      const found = await findWithMessages().catch(() => []);
      return found.length === tenants.length;
    });
    for (let round = 0; round < 5; round++) await sendTogether();
    await sendUntilShared();
    await expectAllStored();
    // The next node that starts creates the functions of the new shards.
    expect(await directCalls(first!)).toBe(0);
    await migrate(database.url);
    await sendDirectly(first!);
    await expectAllStored();
  });
});
