import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tablesAt } from '../../src/platform/database/tenant-tables.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createClusterDatabase } from '../support/cluster.js';
import { queryOnce, type TestDatabase } from '../support/database.js';

const PLACES = `
  SELECT table_name::text AS name, citus_table_type AS place, distribution_column AS column, colocation_id AS colocation
  FROM citus_tables ORDER BY 1`;

describe('the coordinator of a Citus cluster', () => {
  let database: TestDatabase;
  let url: string;

  beforeEach(async () => {
    database = await createClusterDatabase();
    url = database.url;
  });
  afterEach(() => database.drop());

  const read = <T extends object = Record<string, unknown>>(text: string, values?: unknown[]) =>
    queryOnce<T>(url, text, values);
  const places = () => read<{ name: string; place: string; column: string; colocation: number }>(PLACES);
  const keys = async () =>
    (
      await read<{ name: string }>(`SELECT conname AS name FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conname !~ '_[0-9]+$' ORDER BY 1`)
    ).map(({ name }) => name);

  it('every table is at its place after the first start, with its foreign keys, even when several nodes start together', async () => {
    await Promise.all(Array.from({ length: 3 }, () => migrate(url)));
    const found = await places();
    const at = (place: string) => found.filter((table) => table.place === place);
    expect(at('distributed').map(({ name }) => name)).toEqual(tablesAt('distributed'));
    expect(new Set(at('distributed').map(({ column }) => column))).toEqual(new Set(['organization_id']));
    expect(new Set(at('distributed').map(({ colocation }) => colocation)).size).toBe(1);
    expect(at('reference').map(({ name }) => name)).toEqual(tablesAt('reference'));
    // The others of the coordinator have no foreign key to a reference table.
    const local = at('local').map(({ name }) => name);
    expect(local.filter((name) => !tablesAt('local').includes(name))).toEqual([]);
    expect(found).toHaveLength(at('distributed').length + at('reference').length + local.length);
    expect(await keys()).toContain('fk_chats_visitor');
    await migrate(url);
    expect(await places()).toEqual(found);
  });

  it('each worker gets four shards, unless the database has a number of its own', async () => {
    const name = new URL(url).pathname.slice(1);
    const shards = () =>
      read(`SELECT shard_count::integer AS shards FROM citus_tables WHERE table_name = 'chats'::regclass`);
    await read(`ALTER DATABASE ${name} RESET citus.shard_count`);
    await migrate(url);
    const [{ workers }] = (await read<{ workers: number }>(
      'SELECT count(*)::integer AS workers FROM pg_dist_node WHERE groupid > 0',
    )) as [{ workers: number }];
    expect(await shards()).toEqual([{ shards: 4 * workers }]);
    const other = await createClusterDatabase();
    try {
      await queryOnce(other.url, `ALTER DATABASE ${new URL(other.url).pathname.slice(1)} SET citus.shard_count = 3`);
      await migrate(other.url);
      expect(
        await queryOnce(
          other.url,
          `SELECT shard_count::integer AS shards FROM citus_tables WHERE table_name = 'chats'::regclass`,
        ),
      ).toEqual([{ shards: 3 }]);
    } finally {
      await other.drop();
    }
  });

  it('rows that were stored before the cluster got its workers are distributed at the next start', async () => {
    const workers = await read<{ host: string; port: number }>(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0`,
    );
    for (const { host, port } of workers) await read('SELECT citus_remove_node($1, $2)', [host, port]);
    await migrate(url);
    expect(await places()).toEqual([]);
    const before = await keys();
    await read(`BEGIN; ${ROWS} COMMIT`);
    for (const { host, port } of workers) await read('SELECT citus_add_node($1, $2)', [host, port]);
    await migrate(url);
    expect((await places()).length).toBeGreaterThan(30);
    expect(await keys()).toEqual(before);
    expect(await read(`SELECT organization_id, id, message_count FROM chats ORDER BY 1`)).toEqual([
      { organization_id: 'org_a', id: 'cht_1', message_count: 1 },
      { organization_id: 'org_b', id: 'cht_1', message_count: 1 },
    ]);
    // The coordinator keeps no second copy.
    expect(await read(`SELECT pg_relation_size('messages')::integer AS bytes`)).toEqual([{ bytes: 0 }]);
    await read(`DELETE FROM chats WHERE organization_id = 'org_a'`);
    expect(await read('SELECT organization_id FROM messages')).toEqual([{ organization_id: 'org_b' }]);
  });

  it('deliveries are numbered in the order of their time, for any number of a sequence', async () => {
    await migrate(url);
    const insert = (id: string, position: string) =>
      read(
        `INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at)
         VALUES ('org_a', 'wh_1', $1, $2, 'cht_1', 'message.created', '{}', now())`,
        [id, position],
      );
    await insert('dlv_1', '9000000000');
    await insert('dlv_2', '7');
    await read(`
      INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at)
      SELECT 'org_a', 'wh_1', 'dlv_3' || lpad(n::text, 4, '0'), 5000 - n, 'cht_1', 'message.created', '{}', now()
      FROM generate_series(1, 500) AS n ORDER BY n`);
    const rows = await read<{ id: string }>('SELECT id FROM deliveries ORDER BY position');
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted());
    expect(await read('SELECT count(DISTINCT position)::integer AS count FROM deliveries')).toEqual([{ count: 502 }]);
  });
});

// Two organizations, each with a chat and a message.
const ROWS = ['a', 'b']
  .map(
    (name) => `
    INSERT INTO organizations (id, name, widget_key, identity_secret, created_at) VALUES ('org_${name}', 'A', 'key_${name}', 'x', now());
    INSERT INTO groups (organization_id, id, name, is_default, created_at) VALUES ('org_${name}', 'grp_1', 'General', true, now());
    INSERT INTO visitors (organization_id, id, created_at) VALUES ('org_${name}', 'vis_1', now());
    INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
      VALUES ('org_${name}', 'cht_1', 'vis_1', 'grp_1', 'ACTIVE', now(), 1, now());
    INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
      VALUES ('org_${name}', 'cht_1', 1, 'msg_1', 'TEXT', 'hello', 'BOT', now());`,
  )
  .join('');
