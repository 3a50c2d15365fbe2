import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable } from './support/create-table.js';

/** Push notifications to agents: their browsers, what's to send, keys, and which pages are visible. */
export class Push1766140000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents ADD COLUMN push_settings jsonb');
    await runner.query('ALTER TABLE agent_connections ADD COLUMN is_visible boolean NOT NULL DEFAULT false');
    await createTable(
      runner,
      `CREATE TABLE push_keys (
        public_key text COLLATE "C" NOT NULL,
        sealed bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_push_keys PRIMARY KEY (public_key)
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE push_subscriptions (
        organization_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C" NOT NULL,
        session_id text COLLATE "C" NOT NULL,
        sealed bytea NOT NULL,
        public_key text COLLATE "C" NOT NULL,
        language text COLLATE "C" NOT NULL,
        refusals integer NOT NULL DEFAULT 0,
        subscribed_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_push_subscriptions PRIMARY KEY (organization_id, id),
        CONSTRAINT fk_push_subscriptions_agent FOREIGN KEY (organization_id, agent_id)
          REFERENCES agents (organization_id, id) ON DELETE CASCADE
      )`,
    );
    await createTable(
      runner,
      `CREATE TABLE push_notifications (
        organization_id text COLLATE "C" NOT NULL,
        subscription_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        due_at timestamptz(3) NOT NULL,
        retry_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        lease integer NOT NULL DEFAULT 0,
        CONSTRAINT pk_push_notifications PRIMARY KEY (organization_id, subscription_id, chat_id),
        CONSTRAINT fk_push_notifications_subscription FOREIGN KEY (organization_id, subscription_id)
          REFERENCES push_subscriptions (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_push_notifications_chat FOREIGN KEY (organization_id, chat_id)
          REFERENCES chats (organization_id, id) ON DELETE CASCADE
      )`,
    );
    await runner.query(`
      CREATE INDEX ix_push_subscriptions_agent ON push_subscriptions (organization_id, agent_id);
      CREATE INDEX ix_push_notifications_due ON push_notifications (due_at);
      CREATE INDEX ix_push_notifications_chat ON push_notifications (organization_id, chat_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE push_notifications, push_subscriptions, push_keys');
    await runner.query('ALTER TABLE agent_connections DROP COLUMN is_visible');
    await runner.query('ALTER TABLE agents DROP COLUMN push_settings');
  }
}
