import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Visitor tokens that were ended before they expired, and since when a visitor's name and email are signed. */
export class VisitorSessions1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ended_visitor_tokens (
        organization_id text COLLATE "C" NOT NULL,
        token_id text COLLATE "C" NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_ended_visitor_tokens PRIMARY KEY (organization_id, token_id),
        CONSTRAINT fk_ended_visitor_tokens_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      );
      ALTER TABLE visitors ADD COLUMN signed_at timestamptz(3);
      CREATE INDEX ix_ended_visitor_tokens_expires_at ON ended_visitor_tokens (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ended_visitor_tokens; ALTER TABLE visitors DROP COLUMN signed_at');
  }
}
