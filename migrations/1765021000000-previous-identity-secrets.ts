import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The former identity secret of an organization, which is valid for a while after a rotation. */
export class PreviousIdentitySecrets1765021000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE organizations ADD COLUMN previous_identity_secret bytea,
        ADD COLUMN previous_identity_secret_expires_at timestamptz(3)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE organizations DROP COLUMN previous_identity_secret, DROP COLUMN previous_identity_secret_expires_at',
    );
  }
}
