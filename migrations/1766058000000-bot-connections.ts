import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** Bots by address: their connections, turns, and runs, and what an endpoint has said in a chat. */
export class BotConnections1766058000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks ADD COLUMN is_connection boolean NOT NULL DEFAULT false');
    // A bot has at most one subscription and one connection.
    await runner.query('DROP INDEX uq_webhooks_bot');
    await runner.query('CREATE UNIQUE INDEX uq_webhooks_bot ON webhooks (organization_id, bot_id, is_connection)');
    await createConnections(runner);
    await createTurns(runner);
    await createRuns(runner);
    await createTranscripts(runner);
    await runner.query(`
      CREATE INDEX ix_bot_turns_waiting ON bot_turns (due_at) WHERE status = 'WAITING';
      CREATE INDEX ix_bot_turns_running ON bot_turns (leased_until) WHERE status = 'RUNNING';
      CREATE UNIQUE INDEX uq_bot_turns_running ON bot_turns (organization_id, chat_id) WHERE status = 'RUNNING';
      CREATE INDEX ix_bot_turns_chat ON bot_turns (organization_id, chat_id, id);
      CREATE INDEX ix_bot_turns_bot ON bot_turns (organization_id, bot_id, id);
      CREATE INDEX ix_bot_turns_created ON bot_turns (created_at);
      CREATE INDEX ix_bot_runs_turn ON bot_runs (organization_id, turn_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bot_transcripts, bot_runs, bot_turns, bot_connections');
    await runner.query('DELETE FROM webhooks WHERE is_connection');
    await runner.query('DROP INDEX uq_webhooks_bot');
    await runner.query('CREATE UNIQUE INDEX uq_webhooks_bot ON webhooks (organization_id, bot_id)');
    await runner.query('ALTER TABLE webhooks DROP COLUMN is_connection');
  }
}

function createConnections(runner: QueryRunner): Promise<void> {
  return createTable(
    runner,
    `CREATE TABLE bot_connections (
    organization_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    url text NOT NULL,
    has_query boolean NOT NULL,
    has_key boolean NOT NULL,
    header_names text[] NOT NULL,
    secrets bytea NOT NULL,
    settings jsonb NOT NULL,
    is_enabled boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_success_at timestamptz(3),
    last_failure_at timestamptz(3),
    last_failure_code text COLLATE "C",
    failures_in_row integer NOT NULL DEFAULT 0,
    CONSTRAINT pk_bot_connections PRIMARY KEY (organization_id, bot_id),
    CONSTRAINT fk_bot_connections_webhook FOREIGN KEY (organization_id, id)
      REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
  )`,
  );
}

function createTurns(runner: QueryRunner): Promise<void> {
  return createTable(
    runner,
    `CREATE TABLE bot_turns (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C",
    status text COLLATE "C" NOT NULL,
    code text COLLATE "C",
    first_seq integer NOT NULL,
    last_seq integer NOT NULL,
    due_at timestamptz(3) NOT NULL,
    began_at timestamptz(3),
    run_id text COLLATE "C",
    leased_until timestamptz(3),
    step integer NOT NULL DEFAULT 1,
    tries integer NOT NULL DEFAULT 0,
    message_ids text[] NOT NULL DEFAULT '{}',
    failure jsonb,
    usage jsonb,
    first_token_ms integer,
    traceparent text COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    CONSTRAINT pk_bot_turns PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_bot_turns_status CHECK (
      status IN ('WAITING', 'RUNNING', 'DONE', 'HANDED_OVER', 'INTERRUPTED', 'CANCELLED', 'ABORTED', 'FAILED'))
  )`,
  );
}

function createRuns(runner: QueryRunner): Promise<void> {
  return createTable(
    runner,
    `CREATE TABLE bot_runs (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    turn_id text COLLATE "C" NOT NULL,
    step integer NOT NULL,
    try integer NOT NULL,
    outcome text COLLATE "C",
    code text COLLATE "C",
    detail text,
    http_status integer,
    protocol_version text,
    started_at timestamptz(3) NOT NULL,
    duration_ms integer,
    first_token_ms integer,
    bytes integer,
    usage jsonb,
    warnings jsonb,
    CONSTRAINT pk_bot_runs PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_bot_runs_turn FOREIGN KEY (organization_id, turn_id)
      REFERENCES bot_turns (organization_id, id) ON DELETE CASCADE
  )`,
  );
}

function createTranscripts(runner: QueryRunner): Promise<void> {
  return createTable(
    runner,
    `CREATE TABLE bot_transcripts (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    connection_id text COLLATE "C" NOT NULL,
    content jsonb NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_bot_transcripts PRIMARY KEY (organization_id, chat_id),
    CONSTRAINT fk_bot_transcripts_chat FOREIGN KEY (organization_id, chat_id)
      REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  );
}
