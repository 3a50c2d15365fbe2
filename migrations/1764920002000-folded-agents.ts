import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Agents sign in by the folded address. It's the address in lower case, as before, but for few letters outside of ASCII. Of agents whose
 * addresses differ only in these, one gets the key.
 */
export class FoldedAgents1764920002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE agents AS a SET email_key = fold_text(a.email)
      WHERE a.email_key <> fold_text(a.email) AND NOT EXISTS (
        SELECT FROM agents other
        WHERE other.organization_id = a.organization_id AND other.id <> a.id
          AND (other.email_key = fold_text(a.email) OR other.id < a.id AND fold_text(other.email) = fold_text(a.email)))`);
  }

  async down(): Promise<void> {
    // Both keys are right for the nodes of the previous release, but for those few letters.
  }
}
