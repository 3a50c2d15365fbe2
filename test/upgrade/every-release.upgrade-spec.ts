import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATION_NAMES, migrationDataSource, MIGRATIONS } from '../../src/platform/database/data-source.js';
import { migrate, migrateOnce } from '../../src/platform/database/migrate.js';
import { createDatabase, queryOnce, type TestDatabase } from '../support/database.js';
import { Parley } from '../support/parley.js';

/** What an installation had in the tables that every release has. */
const DATA = `
  WITH o AS (INSERT INTO organizations (id, name, widget_key, identity_secret, created_at)
    VALUES ('org_1', 'O', 'key', '', now())),
  g AS (INSERT INTO groups (organization_id, id, name, is_default, created_at) VALUES ('org_1', 'grp_1', 'G', true, now())),
  v AS (INSERT INTO visitors (organization_id, id, name, created_at) VALUES ('org_1', 'vis_1', 'Vera', now())),
  c AS (INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count, created_at)
    VALUES ('org_1', 'cht_1', 'vis_1', 'grp_1', 'ACTIVE', now(), 3, now()))
  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, created_at)
  SELECT 'org_1', 'cht_1', seq, 'msg_' || seq, 'TEXT', 'message ' || seq, 'BOT', now() FROM generate_series(1, 3) AS seq`;

/** The number of migrations that made the first schema. */
const FIRST_SCHEMA = 6;

// A release is known by its newest migration: its schema is what the migrations up to that one have made.
describe('an upgrade from any earlier release', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase({ isMigrated: false });
  });
  afterEach(() => database.drop());

  /** Makes the database as a release left it, with data in it. */
  const make = async (release: number) => {
    const dataSource = migrationDataSource(database.url);
    await dataSource.setOptions({ migrations: MIGRATIONS.slice(0, release) }).initialize();
    await migrateOnce(dataSource);
    await dataSource.destroy();
    await queryOnce(database.url, DATA);
  };

  const releases = MIGRATION_NAMES.map((name, index) => [name, index + 1] as const).slice(FIRST_SCHEMA - 1);

  it.each(releases)('keeps what was said: from the schema of %s', async (_name, release) => {
    await make(release);
    await migrate(database.url);
    expect(await queryOnce(database.url, 'SELECT FROM migrations')).toHaveLength(MIGRATION_NAMES.length);

    const parley = await Parley.start({}, database.url);
    const admin = parley.admin.below('/org_1');
    const { body: bot } = await admin.post('/bots', { name: 'Bot' }).expect(201);
    const { body: token } = await admin.post(`/bots/${bot.id}/tokens`, {}).expect(201);
    const client = parley.bot(token.token);
    const { body: chat } = await client.get('/chats/cht_1').expect(200);
    expect(chat).toMatchObject({ status: 'ACTIVE', messageCount: 3, visitor: { name: 'Vera' }, group: { name: 'G' } });
    const { body: sent } = await client.post('/messages', { chatId: 'cht_1', content: 'message 4' }).expect(200);
    expect(sent.status).toBe('sent');
    const { body } = await client.get('/chats/cht_1/messages').expect(200);
    expect(body.messages.map(({ seq, content }: any) => [seq, content])).toEqual(
      [1, 2, 3, 4].map((seq) => [seq, `message ${seq}`]),
    );
    await parley.stop();
  });
});
