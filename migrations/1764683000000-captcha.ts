import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The captcha that new visitors of an organization solve, and its sealed secret. */
export class Captcha1764683000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE organizations ADD COLUMN captcha jsonb, ADD COLUMN captcha_secret bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE organizations DROP COLUMN captcha, DROP COLUMN captcha_secret`);
  }
}
