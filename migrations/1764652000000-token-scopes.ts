import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an access token may do; null: everything. */
export class TokenScopes1764652000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_tokens ADD COLUMN scopes text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE access_tokens DROP COLUMN scopes');
  }
}
