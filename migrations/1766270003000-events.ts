import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APPEND_MESSAGES } from './functions/append-messages.js';
import { TAKE_EVENTS } from './functions/take-events.js';
import { createAll } from './support/create-table.js';

/** Receivers, their events, and the functions that store messages with their events, and take events. */
export class Events1766270003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createAll(runner, STATEMENTS);
  }

  async down(): Promise<void> {
    throw new Error('no schema comes before the first one');
  }
}

const STATEMENTS = [
  'CREATE SEQUENCE deliveries_position',
  // Who gets events, and which. What stores an event reads this table, and knows no kind; each kind has a table for what only it needs.
  `CREATE TABLE receivers (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C",
    events text[],
    sender_types text[],
    is_enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_receivers PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_receivers_bot FOREIGN KEY (organization_id, bot_id) REFERENCES bots (organization_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_receivers_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
    CONSTRAINT ck_receivers_kind CHECK (kind IN ('WEBHOOK', 'SUBSCRIPTION', 'CONNECTION'))
  )`,
  `CREATE UNIQUE INDEX uq_receivers_bot ON receivers (organization_id, bot_id, kind)`,
  `CREATE TABLE webhooks (
    organization_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    url text NOT NULL,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_expires_at timestamptz(3),
    CONSTRAINT pk_webhooks PRIMARY KEY (organization_id, id),
    CONSTRAINT fk_webhooks_receiver FOREIGN KEY (organization_id, id) REFERENCES receivers (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE webhook_lanes (
    organization_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    fence bigint NOT NULL DEFAULT 0,
    leased_until timestamptz(3),
    failing_since timestamptz(3),
    paused_until timestamptz(3),
    taken_position bigint NOT NULL DEFAULT 0,
    taken_at timestamptz(3),
    CONSTRAINT pk_webhook_lanes PRIMARY KEY (organization_id, webhook_id),
    CONSTRAINT fk_webhook_lanes_webhook FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks (organization_id, id) ON DELETE CASCADE
  ) WITH (fillfactor = 50)`,
  // No foreign key to the receiver: its check would lock the receiver's row for every message of the organization. The deliveries of a deleted
  // receiver are removed in batches. A delivery waits until it has an outcome. `position` is drawn while the chat is locked, so within a chat it
  // has the order of `seq`. Rows are short-lived: vacuum runs early. Lists show the deliveries of webhooks only, so the events of bots that poll
  // aren't in their index.
  `CREATE TABLE deliveries (
    organization_id text COLLATE "C" NOT NULL,
    receiver_id text COLLATE "C" NOT NULL,
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
    traceparent text COLLATE "C",
    CONSTRAINT pk_deliveries PRIMARY KEY (organization_id, receiver_id, id),
    CONSTRAINT ck_deliveries_outcome CHECK (outcome IN ('delivered', 'dead'))
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  `CREATE INDEX ix_deliveries_chat_events ON deliveries (organization_id, chat_id) WHERE event_type <> 'message.created'`,
  `CREATE INDEX ix_deliveries_dead ON deliveries (organization_id, receiver_id, id) WHERE outcome = 'dead'`,
  `CREATE INDEX ix_deliveries_first ON deliveries (organization_id, receiver_id, position) WHERE outcome IS NULL AND due_at IS NULL`,
  `CREATE INDEX ix_deliveries_of_webhooks ON deliveries (organization_id, receiver_id, COALESCE(outcome, 'waiting'), event_type, id)
    WHERE receiver_id LIKE 'whk%'`,
  `CREATE INDEX ix_deliveries_retry ON deliveries (organization_id, receiver_id, due_at) WHERE outcome IS NULL AND due_at IS NOT NULL`,
  // A trigger removes the attempts of a deleted delivery, because bots that poll delete deliveries without any.
  `CREATE TABLE attempts (
    organization_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    delivery_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    at timestamptz(3) NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    CONSTRAINT pk_attempts PRIMARY KEY (organization_id, webhook_id, delivery_id, number)
  )`,
  `CREATE TABLE subscriptions (
    organization_id text COLLATE "C" NOT NULL,
    bot_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    generation bigint NOT NULL DEFAULT 0,
    ack text COLLATE "C",
    answered bigint[] NOT NULL DEFAULT '{}'::bigint[],
    is_resting boolean NOT NULL DEFAULT false,
    awake_since timestamptz(3) NOT NULL,
    last_polled_at timestamptz(3),
    gap_since timestamptz(3),
    gap_dropped bigint,
    told_gap_since timestamptz(3),
    told_gap_dropped bigint,
    told_gap_generation bigint NOT NULL DEFAULT 0,
    CONSTRAINT pk_subscriptions PRIMARY KEY (organization_id, bot_id),
    CONSTRAINT fk_subscriptions_receiver FOREIGN KEY (organization_id, id) REFERENCES receivers (organization_id, id) ON DELETE CASCADE
  ) WITH (fillfactor = 50)`,
  // Earlier answers to bots that fetch events, so that each `ack` marks the events of its own answer.
  `CREATE TABLE subscription_answers (
    organization_id text COLLATE "C" NOT NULL,
    subscription_id text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    ack text COLLATE "C" NOT NULL,
    positions bigint[] NOT NULL,
    CONSTRAINT pk_subscription_answers PRIMARY KEY (organization_id, subscription_id, generation),
    CONSTRAINT fk_subscription_answers_receiver FOREIGN KEY (organization_id, subscription_id) REFERENCES receivers (organization_id, id) ON DELETE CASCADE
  )`,
  // Copies of a bot that share its events: their names, what each was sent, and which chats it has.
  `CREATE TABLE subscription_copies (
    organization_id text COLLATE "C" NOT NULL,
    subscription_id text COLLATE "C" NOT NULL,
    copy text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    leased_until timestamptz(3) NOT NULL,
    CONSTRAINT pk_subscription_copies PRIMARY KEY (organization_id, subscription_id, copy),
    CONSTRAINT fk_subscription_copies_receiver FOREIGN KEY (organization_id, subscription_id) REFERENCES receivers (organization_id, id) ON DELETE CASCADE
  )`,
  `CREATE TABLE shared_answers (
    organization_id text COLLATE "C" NOT NULL,
    subscription_id text COLLATE "C" NOT NULL,
    copy text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    ack text COLLATE "C" NOT NULL,
    positions bigint[] NOT NULL,
    CONSTRAINT pk_shared_answers PRIMARY KEY (organization_id, subscription_id, copy, generation),
    CONSTRAINT fk_shared_answers_copy FOREIGN KEY (organization_id, subscription_id, copy) REFERENCES subscription_copies (organization_id, subscription_id, copy) ON DELETE CASCADE
  )`,
  `CREATE TABLE shared_chats (
    organization_id text COLLATE "C" NOT NULL,
    subscription_id text COLLATE "C" NOT NULL,
    chat_id text COLLATE "C" NOT NULL,
    copy text COLLATE "C" NOT NULL,
    positions bigint[] NOT NULL,
    CONSTRAINT pk_shared_chats PRIMARY KEY (organization_id, subscription_id, chat_id),
    CONSTRAINT fk_shared_chats_copy FOREIGN KEY (organization_id, subscription_id, copy) REFERENCES subscription_copies (organization_id, subscription_id, copy) ON DELETE CASCADE
  )`,
  `CREATE INDEX ix_shared_chats_copy ON shared_chats (organization_id, subscription_id, copy)`,
  // For each row, because a plan for all deleted deliveries could read all attempts. A result and its attempt are stored together, under the
  // lock of the delivery's row, so a deleted delivery gets no attempt.
  `CREATE FUNCTION remove_attempts_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM attempts WHERE organization_id = OLD.organization_id AND webhook_id = OLD.receiver_id AND delivery_id = OLD.id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER deliveries_remove_attempts AFTER DELETE ON deliveries
    FOR EACH ROW WHEN (OLD.attempt_count > 0)
    EXECUTE FUNCTION remove_attempts_of_delivery()`,
  APPEND_MESSAGES,
  TAKE_EVENTS,
];
