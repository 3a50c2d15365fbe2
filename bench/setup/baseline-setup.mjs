import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startService } from './processes.mjs';
import { chatsOf } from './tenants.mjs';

const SERVICE = fileURLToPath(new URL('baseline.mjs', import.meta.url));

// The keys, foreign keys, and fill factor that this task needs in any service, so that only the code differs.
const SCHEMA = `
  CREATE TABLE organizations (id text COLLATE "C" PRIMARY KEY);

  CREATE TABLE bots (
    id text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    name text NOT NULL
  );

  CREATE TABLE access_tokens (
    token_hash bytea PRIMARY KEY,
    bot_id text COLLATE "C" NOT NULL REFERENCES bots,
    expires_at timestamptz
  );

  CREATE TABLE chats (
    id text COLLATE "C" PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
    message_count integer NOT NULL DEFAULT 0,
    last_message_at timestamptz,
    first_response_at timestamptz
  ) WITH (fillfactor = 70);
  CREATE INDEX ON chats (organization_id);

  CREATE TABLE messages (
    chat_id text COLLATE "C" NOT NULL REFERENCES chats,
    seq integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text NOT NULL,
    content text NOT NULL,
    metadata json,
    sender_type text NOT NULL,
    sender_id text,
    sender_name text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (chat_id, seq)
  );

  CREATE TABLE visitor_tokens (
    token_hash bytea PRIMARY KEY,
    chat_id text COLLATE "C" NOT NULL REFERENCES chats
  );`;

/** Starts the hand-written service on its own database with the same tenants, tokens, chats, and visitors. */
export async function startBaseline({ postgres, tenants }, database) {
  const databaseUrl = await postgres.createDatabase(database);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(SCHEMA);
  for (const tenant of tenants) await insertTenant(client, tenant);
  await client.end();
  const service = await startService('the baseline', SERVICE, { DATABASE_URL: databaseUrl });
  const visitors = { namespace: '', opensChats: false };
  return { name: 'baseline', ...service, ...visitors, databaseUrl, before: 0, answered: 0, cutOff: 0 };
}

async function insertTenant(client, tenant) {
  const { organizationId, bot, token } = tenant;
  const chats = chatsOf([tenant]);
  const chatIds = chats.map(({ id }) => id);
  const visitors = chats.map(({ visitorToken }) => sha256(visitorToken));
  await client.query('INSERT INTO organizations VALUES ($1)', [organizationId]);
  await client.query('INSERT INTO bots VALUES ($1, $2, $3)', [bot.id, organizationId, bot.name]);
  await client.query('INSERT INTO access_tokens VALUES ($1, $2)', [sha256(token), bot.id]);
  await client.query('INSERT INTO chats SELECT id, $1 FROM unnest($2::text[]) AS id', [organizationId, chatIds]);
  await client.query('INSERT INTO visitor_tokens SELECT * FROM unnest($1::bytea[], $2::text[])', [visitors, chatIds]);
}

function sha256(token) {
  return createHash('sha256').update(token).digest();
}
