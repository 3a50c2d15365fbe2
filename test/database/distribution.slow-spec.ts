import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { exerciseAll } from './exercise-all.js';
import { tablesAt } from '../../src/platform/database/tenant-tables.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import {
  isOfOneOrganization,
  mentionsOf,
  type Statement,
  StatementRecorder,
  statementsInSource,
} from '../support/statements.js';

const DISTRIBUTED = tablesAt('distributed');
const REFERENCE = tablesAt('reference');
const LOCAL = tablesAt('local');

/** The last migration of the first schema. Later ones may find a distributed database. */
const FIRST_SCHEMA = '1766270006000-reaching.ts';

/** Whether Citus refuses the text of a migration. `npm run test:citus` runs all of them. */
function breaksClusters(text: string): boolean {
  const tables = text.match(/CREATE TABLE/g) ?? [];
  const alone = text.match(/createTable\(\s*runner,\s*[`'](?:CREATE TABLE)[^;]*?[`']/g) ?? [];
  return tables.length !== alone.length || /CREATE SEQUENCE|\bserial\b|bigserial|GENERATED/i.test(text);
}

/** How statements begin that only a Citus cluster, or a node with Redis, needs. `npm run test:citus` and `test:redis` run them. */
const ON_CLUSTERS = [
  'SELECT (SELECT system_identifier FROM pg_control_system())',
  'SELECT DISTINCT organization_id AS id FROM',
  'SELECT l.organization_id AS organizationId, l.receiver_id AS receiverId, r.id IS NULL AS isOrphan',
  'SELECT seqs, lanes FROM append_messages_1_of_shard(',
  'SELECT get_shard_id_for_distribution_column(',
  'INSERT INTO change_readers AS r (organization_id, name, epoch, subject_id) VALUES ($1, ',
  'SELECT id FROM organizations WHERE away_after_minutes > 0',
  'SELECT FROM groups WHERE organization_id = $1 AND is_default FOR ',
  'SELECT r.id AS receiverId',
  'INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, metadata, created_at, channel) VALUES',
  'INSERT INTO handoffs (organization_id, id, chat_id, group_id, by_type, by_id, by_name, began_at, queued_at, due_at, on_unanswered) VALUES',
  'INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at, traceparent) SELECT $1, d.receiver_id',
  'INSERT INTO attempts (organization_id, webhook_id, delivery_id, number, at, status, error, duration_ms) SELECT $1, a.webhook_id',
  `INSERT INTO audit_entries (organization_id, id, at, actor_type, action, target, target_name, changes) VALUES ($1, $2, now(), 'SYSTEM'`,
  'SELECT EXISTS ( SELECT FROM agent_connections k',
  'UPDATE agents SET active_at = statement_timestamp(), presence_at = statement_timestamp() WHERE organization_id = $1 AND id = (',
  'SELECT f.organization_id || ? || f.webhook_id AS lane, f.webhook_id AS webhookId',
  'SELECT id FROM agents WHERE organization_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE',
  'DELETE FROM note_mentions WHERE organization_id = $1 AND note_id = $2 AND chat_id = $3',
  'SELECT s.end_reason AS endReason, s.last_used_at AS lastUsedAt',
  'SELECT k.ordinal::integer, a.is_enabled AS isEnabled',
  'SELECT s.organization_id AS organizationId, s.agent_id AS agentId, max(s.created_at) AS at',
  'SELECT k.organization_id AS organizationId, k.agent_id AS agentId FROM unnest($1::text[], $4::text[])',
  'SELECT EXISTS ( SELECT FROM unnest($1::text[], $2::text[]) AS k (organization_id, agent_id) JOIN agent_sessions s',
];

/** Statements that read a distributed table without an organization, and why they may. */
const OF_EVERYBODY: Record<string, string> = {
  'search-behind': 'finds the organizations whose changes the index has to read; twice a second',
  'search-new': 'finds the organizations without an index; twice a second',
  'attribute-keys-pending':
    'finds the organizations with keys of attributes that are to be filled or removed; every 10 seconds',
  'tags-changing': 'finds the tags whose change goes on; every 30 seconds',
  'find-subscriptions': 'walks over the subscriptions of all bots, page by page; every minute',
  'SELECT COALESCE(sum(events), 0)::float8 AS waiting, COALESCE':
    'counts the events that wait for all bots for /metrics, up to a bound for each; when it is asked for',
  'SELECT count(*)::float8 AS chats, COALESCE(extract(epoch FRO':
    'counts these chats for /metrics; when it is asked for',
  'find-open-connections': 'a node compares the open connections of its agents with its sockets, whosoever they are',
  'close-connections':
    'a node closes the connections whose sockets are gone, by the index of nodes; every five seconds, and when it ends',
  'moved-avatars': 'finds the agents whose picture has an earlier address; every four minutes',
  'remove-ended-connections': 'removes the connections whose end is final, by their indexes; every second',
  'DELETE FROM audit_entries WHERE ctid = ANY (ARRAY( SELECT ct': 'removes what is older than 180 days; every hour',
  'count-shared-emails': 'counts the agents with the same address, by the index of addresses; when signing in failed',
  'DELETE FROM ended_visitor_tokens WHERE ctid = ANY (ARRAY( SE':
    'removes the tokens that have expired, whosoever they were; every hour',
  'DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY( SELECT':
    'removes what has expired, whoever had it, by the one index that begins with a time; every ten minutes',
  'DELETE FROM idempotency_keys WHERE created_at = ANY ($2::tim':
    'frees the keys of removed messages of one organization, by the index of expired ones: its own begins with the bot',
  'SELECT (SELECT count(*)::float8 FROM chats c WHERE c.status ':
    'counts the waiting chats and the agents of all groups for /metrics; when it is asked for',
  'SELECT DISTINCT g.organization_id AS id FROM groups g WHERE ':
    'finds the organizations in which a chat waits that routing may give away; every four seconds',
  'SELECT organizationId, agentId FROM ( SELECT a.organization_':
    'counts the chats of all agents against their counters; every minute',
  'SELECT chat_id AS chatId, organization_id AS organizationId ':
    'finds the chats that no agent took in time; every second',
  'SELECT organization_id AS organizationId, chat_id AS chatId,': 'finds the offers that have expired; every second',
  'SELECT organization_id AS organizationId, id AS chatId FROM ':
    'finds the snoozed chats that are due, by the index of them; every second',
  'SELECT organization_id AS organizationId, id AS agentId FROM':
    'finds the agents whose groups were set lately, by the index of them; every second',
  'SELECT organization_id AS organizationId, id AS groupId FROM':
    'finds the groups whose office hours are computed again, by the index of them; every five seconds',
  'SELECT r.organization_id AS organizationId, r.chat_id AS cha':
    'finds the chats whose visitors asked for a person, and no bot reacted in time; every second',
  'WITH lost AS ( SELECT c.organization_id, c.id, c.group_id, C':
    'begins the hand-offs of chats that nodes of the release before have queued; every minute',
  'SELECT organization_id AS organizationId, id AS visitorId FR':
    'finds the erasures that were begun and are not done; every ten minutes',
  'SELECT (SELECT COALESCE(sum(bytes), 0) FROM file_usage)::flo':
    'adds up the files of all organizations for /metrics; when it is asked for',
  'SELECT DISTINCT f.organization_id AS organizationId FROM fil':
    'finds the organizations with old uploads that nothing uses, by the index of them; every five minutes',
  'with-pictures': 'finds the organizations with pictures, by the index of them; every ten minutes',
  'find-due-conversation-removals':
    'finds the conversations that endpoints are to remove, by the index of when they are due; every five seconds',
  'due-file-removals': 'finds the bytes to be removed, by the index of when they are due; every five seconds',
  'find-old-inbound-mails': 'finds mails that are kept no longer; every hour',
  'find-due-mails': 'finds the mails that are due, by the index of when; every three seconds',
  'SELECT COALESCE(extract(epoch FROM now() - min(due_at)), 0):':
    'counts the push notifications that are due for /metrics, up to a bound; when it is asked for',
  'find-due-push': 'finds the push notifications that are due, by the index of when; every three seconds',
  'forget-mail-texts': 'removes the texts of old mails, by the index of times; every hour',
  'remove-old-mails': 'removes old mails without a chat, by the index of times; every hour',
  'remove-visitor-links': 'removes links that have expired, by the index of times; every hour',
  'SELECT count(*)::float8 AS due, COALESCE(extract(epoch FROM ':
    'counts the mails that are due for /metrics, up to a bound; when it is asked for',
  'SELECT count(*)::float8 AS waiting, COALESCE(extract(epoch F':
    'counts the turns that are due for /metrics, up to a bound; when it is asked for',
  'find-file-anywhere': 'the link of a file names no organization, so each shard looks for the id, by its index',
  'find-due-turns':
    'finds the turns of connected bots that may begin, or whose node is gone, by their indexes; every second',
  'find-waiting-connections': 'finds the connections with events that no node has taken; every second',
  'DELETE FROM bot_turns WHERE ctid = ANY (ARRAY( SELECT ctid F':
    'removes turns older than 30 days, by the index of times; every hour',
  'DELETE FROM bot_usage WHERE ctid = ANY (ARRAY( SELECT ctid F':
    'removes the usage of days before 400, by the index of times; every hour',
  'WITH RECURSIVE lane AS ( (SELECT organization_id, receiver_i':
    'hops from receiver to receiver to find deliveries that are old; every ten minutes',
};

/** Statements about rows of several organizations, each with its own tenant; one shard can't answer them. */
const OF_SEVERAL: Record<string, string> = {
  'BEGIN; SET LOCAL lock_timeout = ?; SET LOCAL statement_timeo':
    'a node proves that it may write, in an organization that it rolls back; every five minutes',
  'UPDATE chats SET status = ?, queued_at = now() WHERE organiz': 'the same',
  'mark-away':
    'finds the connected agents without input, of the organizations that want it, by an index of these; every five seconds',
  'find-chat-places': 'a node asks for what the agents connected to it were shown',
  'find-agent-offers': 'a node asks for the offers to all agents connected to it',
  'find-followed-by': 'a node asks for what the agents connected to it follow',
  'find-people': 'a node asks for the colleagues of all agents connected to it',
  'restore-connections': 'a node writes all its connections again when others took it for dead',
  'find-agent-sessions': 'a token tells its organization',
  'find-other-owners': 'claims that come at the same time are checked together, whosoever they are',
  'find-candidates': 'an agent who signs in need not know the organization, so each shard looks for the address',
  'find-session-states': 'a node asks for all sockets it has',
  'record-failures': 'an attempt to sign in may fail in several organizations',
  'claim-deliveries': 'webhooks that wake at the same time share a statement',
  'finish-deliveries': 'results that come at the same time share a commit',
  'SELECT c.organization_id AS organizationId, c.id AS chatId, ':
    'any node finds the chats whose agents are gone; every second',
  'SELECT o.organization_id AS organizationId, o.chat_id AS cha':
    'any node finds the offers to agents who went offline; every second',
  'watch-runs': 'a node asks for all its runs of connected bots',
  'renew-runs': 'a node renews the leases of all its runs of connected bots',
  'queue-push': 'queues notifications of several events',
  'queue-positions': 'a node asks for all waiting chats it has listeners of',
  'renew-lanes': 'a node renews all its leases at once',
  'release-lanes': 'lanes that come to rest at the same time are given back together',
  'find-ended-sessions': 'a node asks for all sockets it has',
  'find-typed-chats': 'senders that type at the same time share a query, whosoever they are',
  'find-ahead': 'a node asks for all chats it has listeners of',
  'read-missing': 'a node reads what the listeners of several chats missed',
  'SELECT COALESCE(sum(due), 0)::float8 AS due, COALESCE(sum(de':
    'counts the deliveries of all webhooks for /metrics, up to a bound for each; when it is asked for',
  'read-subscription-states': 'a node asks for all its waiting polls',
  'find-noticed-silences': 'finds the organizations with chats that are marked as silent; every three seconds',
  'find-stuck-receivers': 'any node finds the organizations whose bots may be silent; every three seconds',
  'find-visitor-link': 'a link names no organization, so each shard reads the index of hashes',
  'find-answered-mail': 'a mail that arrives names no organization, so each shard reads the index of tokens',
  'find-subscribed-mail': 'the address to unsubscribe names no organization, so each shard reads the index of tokens',
  'find-reset-targets': 'finds the agents with an address, by the index of addresses; for a forgotten password',
  'find-ended-chats': 'any node reads the ended chats of these organizations; every ten seconds',
  'find-missed-answers': 'any node reads the chats of these organizations; every ten seconds',
  'find-silences': 'any node looks at the chats of these organizations; every three seconds',
  'find-ended-silences': 'any node looks at the chats that are marked as silent; every three seconds',
  'find-without-reply':
    'any node looks at the chats of organizations that limit the time to an answer; every three seconds',
  'find-due-lanes': 'any node takes up what any webhook has waiting',
};

/** Whether a statement compares letters by the database's locale, or has days of a time zone. Literals are left out. */
const isLocal = (text: string) =>
  /\b(?:lower|upper|initcap)\(|\bILIKE\b|~\*|\bAT TIME ZONE (?!\?)|::date\b/i.test(text);

interface Key {
  table: string;
  name: string;
  kind: string;
  columns: string[];
  target: string | null;
  targetColumns: string[] | null;
}

describe('a database distributed by organization_id', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createDatabase();
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const rows = async <T extends pg.QueryResultRow>(text: string) => (await client.query<T>(text)).rows;

  it('every table has a place, as documented in docs/operate/large.md', async () => {
    const tables = await rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual([...DISTRIBUTED, ...REFERENCE, ...LOCAL].sort());
    const page = readFileSync(new URL('../../docs/operate/large.md', import.meta.url), 'utf8');
    for (const [place, names] of Object.entries({ distributed: DISTRIBUTED, reference: REFERENCE, local: LOCAL })) {
      const [, , cell] = new RegExp(`^\\| ${place} .*$`, 'm').exec(page)![0].split('|');
      expect([place, [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name)]).toEqual([place, names]);
    }
  });

  it('every key and unique index of a distributed table begins with organization_id, and no key refers elsewhere', async () => {
    const keys = await rows<Key>(`
      SELECT t.relname AS table, i.relname AS name, 'unique' AS kind, NULL AS target, NULL::text[] AS "targetColumns",
        ARRAY(SELECT a.attname::text FROM unnest(x.indkey) WITH ORDINALITY k (number, place)
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number ORDER BY k.place) AS columns
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      WHERE t.relnamespace = 'public'::regnamespace AND x.indisunique
      UNION ALL
      SELECT t.relname, c.conname, 'foreign', r.relname,
        ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY k (number, place)
          JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = k.number ORDER BY k.place),
        ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY k (number, place)
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number ORDER BY k.place)
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid
      WHERE c.contype = 'f' AND t.relnamespace = 'public'::regnamespace`);
    const ours = keys.filter(({ table }) => DISTRIBUTED.includes(table));
    expect(ours.filter(({ kind }) => kind === 'unique').length).toBeGreaterThanOrEqual(DISTRIBUTED.length);
    expect(ours.filter(({ columns }) => columns[0] !== 'organization_id')).toEqual([]);
    const foreign = ours.filter(({ kind }) => kind === 'foreign');
    const first = (target: string) => (target === 'organizations' ? 'id' : 'organization_id');
    expect(foreign.length).toBeGreaterThanOrEqual(10);
    expect(foreign.filter(({ target, targetColumns }) => targetColumns![0] !== first(target!))).toEqual([]);
    // A reference table can't refer to a distributed one.
    const outward = keys.filter(({ table, target }) => REFERENCE.includes(table) && DISTRIBUTED.includes(target ?? ''));
    expect(outward).toEqual([]);
  });

  it('all but a few other indexes of a distributed table begin with organization_id too', async () => {
    const indexes = await rows<{ table: string; name: string }>(`
      SELECT t.relname AS table, i.relname AS name FROM pg_index x
      JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
      WHERE t.relnamespace = 'public'::regnamespace AND a.attname IS DISTINCT FROM 'organization_id'`);
    const names = indexes.filter(({ table }) => DISTRIBUTED.includes(table)).map(({ name }) => name);
    // They find expired and due rows on each shard, and agents by email.
    expect(names.toSorted()).toEqual([
      'ix_agent_connections_closed',
      'ix_agent_connections_node',
      'ix_agents_email_key',
      'ix_agents_groups_left',
      'ix_audit_entries_at',
      'ix_bot_turns_created',
      'ix_bot_turns_running',
      'ix_bot_turns_waiting',
      'ix_bot_usage_created',
      'ix_chat_offers_due',
      'ix_chats_snoozed',
      'ix_conversation_removals_due',
      'ix_ended_visitor_tokens_expires_at',
      'ix_file_removals_due',
      'ix_files_id',
      'ix_files_unused',
      'ix_groups_hours_due',
      'ix_handoffs_due',
      'ix_idempotency_keys_created_at',
      'ix_inbound_mails_old',
      'ix_mails_content',
      'ix_mails_due',
      'ix_mails_token',
      'ix_mails_without_chat',
      'ix_person_requests_due',
      'ix_push_notifications_due',
      'ix_search_entries_words',
      'ix_visitor_links_expiry',
      'ix_visitor_links_hash',
    ]);
  });

  it('a migration that may find a distributed database creates tables with createTable, and no sequence', () => {
    const folder = new URL('../../migrations/', import.meta.url);
    const later = readdirSync(folder).filter((name) => name.endsWith('.ts') && name > FIRST_SCHEMA);
    expect(later.filter((name) => breaksClusters(readFileSync(new URL(name, folder), 'utf8')))).toEqual([]);
    expect(breaksClusters('await runner.query(`CREATE TABLE x (id text)`)')).toBe(true);
    expect(breaksClusters('await createTable(\n runner,\n `CREATE TABLE x (id text); CREATE TABLE y ()`)')).toBe(true);
    expect(breaksClusters('`ALTER TABLE chats ADD COLUMN number bigserial`')).toBe(true);
  });

  describe('the statements of all routes', () => {
    let statements: Statement[];
    let routes: { known: string[]; answered: Set<string> };

    beforeAll(async () => {
      const recorder = new StatementRecorder();
      routes = await exerciseAll(recorder);
      statements = recorder.statements;
    }, 600_000);

    const touching = () =>
      statements
        .map((statement) => ({ ...statement, mentions: mentionsOf(statement.text, DISTRIBUTED) }))
        .filter(({ mentions }) => mentions.length > 0);
    // One label per statement: another that begins alike would be in the list twice.
    const labels = (list: Statement[]) => list.map(({ label }) => label).sort();

    it('the suite calls every route, and runs every statement in the source', () => {
      expect(routes.known.filter((route) => !routes.answered.has(route))).toEqual([]);
      const inSource = statementsInSource();
      expect(inSource.length).toBeGreaterThan(40);
      const onOnePostgres = inSource.filter((text) => !ON_CLUSTERS.some((begin) => text.startsWith(begin)));
      expect(onOnePostgres.filter((text) => !statements.some((statement) => statement.text.includes(text)))).toEqual(
        [],
      );
    });

    it('every statement names the tenant at each mention of a distributed table', () => {
      const unscoped = touching().filter(({ mentions }) => mentions.some(({ isScoped }) => !isScoped));
      expect(labels(unscoped)).toEqual(Object.keys(OF_EVERYBODY).sort());
    });

    it('no statement depends on the locale or the time zones of the database', () => {
      expect(labels(statements.filter(({ text }) => isLocal(text)))).toEqual([]);
    });

    it('every statement is about one organization', () => {
      const several = touching().filter(
        ({ text, mentions }) => mentions.every(({ isScoped }) => isScoped) && !isOfOneOrganization(text),
      );
      expect(labels(several)).toEqual(Object.keys(OF_SEVERAL).sort());
    });
  });

  it('the check detects a statement that depends on the locale or the time zones of the database', () => {
    expect(['lower(a)', 'a ILIKE $1', 'at AT TIME ZONE $2', 'at::date'].every(isLocal)).toBe(true);
    expect(isLocal('fold_text(name) = $1 AND created_at AT TIME ZONE ? < $2')).toBe(false);
  });

  it('the check detects a statement without the tenant', () => {
    const isScoped = (text: string) => mentionsOf(text, DISTRIBUTED).map((mention) => mention.isScoped);
    expect(isScoped('SELECT id FROM chats WHERE id = $1')).toEqual([false]);
    expect(
      isScoped('SELECT c.id FROM chats c JOIN messages m ON m.chat_id = c.id WHERE c.organization_id = $1'),
    ).toEqual([true, false]);
    expect(
      isScoped('UPDATE chats SET status = $1 WHERE id IN (SELECT id FROM chats WHERE organization_id = $2)'),
    ).toEqual([false, true]);
    expect(isScoped('SELECT organization_id FROM chats WHERE id = $1')).toEqual([false]);
    expect(isScoped('INSERT INTO chats (id, organization_id) VALUES ($1, $2)')).toEqual([false]);
    expect(isScoped('DELETE FROM messages m USING x WHERE x.organization_id = m.organization_id')).toEqual([true]);
    expect(() => isScoped('SELECT FROM visitors v, chats c')).toThrow();
  });
});
