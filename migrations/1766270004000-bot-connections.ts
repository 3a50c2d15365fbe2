import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createAll } from './support/create-table.js';

/** Bots by address: their connections, turns, and runs, and what an endpoint has said in a chat. */
export class BotConnections1766270004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createAll(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('no schema comes before the first one');
  }
}

const STATEMENTS = [
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
    CONSTRAINT fk_bot_connections_receiver FOREIGN KEY (organization_id, id) REFERENCES receivers (organization_id, id) ON DELETE CASCADE
  )`,
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
    stopped_at timestamptz(3),
    replaces text[] NOT NULL DEFAULT '{}',
    CONSTRAINT pk_bot_turns PRIMARY KEY (organization_id, id),
    CONSTRAINT ck_bot_turns_status CHECK (status IN ('WAITING', 'RUNNING', 'DONE', 'HANDED_OVER', 'INTERRUPTED', 'CANCELLED', 'ABORTED', 'FAILED'))
  )`,
  `CREATE INDEX ix_bot_turns_bot ON bot_turns (organization_id, bot_id, id)`,
  `CREATE INDEX ix_bot_turns_chat ON bot_turns (organization_id, chat_id, id)`,
  `CREATE INDEX ix_bot_turns_created ON bot_turns (created_at)`,
  `CREATE INDEX ix_bot_turns_running ON bot_turns (leased_until) WHERE status = 'RUNNING'`,
  `CREATE INDEX ix_bot_turns_waiting ON bot_turns (due_at) WHERE status = 'WAITING'`,
  `CREATE UNIQUE INDEX uq_bot_turns_running ON bot_turns (organization_id, chat_id) WHERE status = 'RUNNING'`,
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
    CONSTRAINT fk_bot_runs_turn FOREIGN KEY (organization_id, turn_id) REFERENCES bot_turns (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_bot_runs_turn ON bot_runs (organization_id, turn_id)`,
  `CREATE TABLE bot_transcripts (
    organization_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    connection_id text COLLATE "C" NOT NULL,
    content jsonb NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_bot_transcripts PRIMARY KEY (organization_id, chat_id),
    CONSTRAINT fk_bot_transcripts_chat FOREIGN KEY (organization_id, chat_id) REFERENCES chats (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE bot_usage (
    organization_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    day text COLLATE "C" NOT NULL,
    turns integer NOT NULL,
    failed integer NOT NULL,
    handed_over integer NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_bot_usage PRIMARY KEY (organization_id, bot_id, day),
    CONSTRAINT fk_bot_usage_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_bot_usage_created ON bot_usage (created_at)`,
  `CREATE TABLE conversation_removals (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    connection_id text COLLATE "C" NOT NULL,
    remote_id text NOT NULL,
    remote_user text COLLATE "C" NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_conversation_removals PRIMARY KEY (organization_id, id)
  )`,
  `CREATE INDEX ix_conversation_removals_due ON conversation_removals (due_at)`,
];
