import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks, their deliveries, and the attempts. */
export class Webhooks1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WEBHOOKS);
    await runner.query(DELIVERIES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE attempts, deliveries, webhook_lanes, webhooks;
      DROP SEQUENCE deliveries_position;
    `);
  }
}

// Two tables for a webhook: messages read its settings (`webhooks`), attempts change its state (`webhook_lanes`).
const WEBHOOKS = `
  CREATE TABLE webhooks (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    url text NOT NULL,
    events text[],
    sender_types text[],
    is_enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_expires_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_webhooks PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_webhooks_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  );

  CREATE TABLE webhook_lanes (
    organization_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    fence bigint NOT NULL DEFAULT 0,
    leased_until timestamptz(3),
    failing_since timestamptz(3),
    paused_until timestamptz(3),
    taken_position bigint NOT NULL DEFAULT 0,
    taken_at timestamptz(3),
    CONSTRAINT pk_webhook_lanes PRIMARY KEY (organization_id, webhook_id),
    CONSTRAINT fk_webhook_lanes_webhook FOREIGN KEY (organization_id, webhook_id)
      REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
  ) WITH (fillfactor = 50);
`;

// No foreign key to the webhook: its check would lock the webhook's row for every message of the organization. The
// deliveries of a deleted webhook are removed in batches. A delivery waits until it has an outcome. `position` is drawn
// while the chat is locked, so within a chat it has the order of `seq`. Rows are short-lived: vacuum runs early.
const DELIVERIES = `
  CREATE SEQUENCE deliveries_position;

  CREATE TABLE deliveries (
    organization_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    event_type text COLLATE "C" NOT NULL,
    payload text NOT NULL,
    attempt_count integer NOT NULL DEFAULT 0,
    retry_count integer NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    outcome text COLLATE "C",
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_deliveries PRIMARY KEY (organization_id, webhook_id, id),
    CONSTRAINT ck_deliveries_outcome CHECK (outcome IN ('delivered', 'dead'))
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02,
    autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX ix_deliveries_first ON deliveries (organization_id, webhook_id, position)
    WHERE outcome IS NULL AND due_at IS NULL;
  CREATE INDEX ix_deliveries_retry ON deliveries (organization_id, webhook_id, due_at)
    WHERE outcome IS NULL AND due_at IS NOT NULL;
  CREATE INDEX ix_deliveries_dead ON deliveries (organization_id, webhook_id, id) WHERE outcome = 'dead';

  CREATE TABLE attempts (
    organization_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    delivery_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    at timestamptz(3) NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    CONSTRAINT pk_attempts PRIMARY KEY (organization_id, webhook_id, delivery_id, number),
    CONSTRAINT fk_attempts_delivery FOREIGN KEY (organization_id, webhook_id, delivery_id)
      REFERENCES deliveries (organization_id, webhook_id, id) ON DELETE CASCADE
  );
`;
