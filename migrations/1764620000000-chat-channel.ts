import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a chat's visitor writes. */
export class ChatChannel1764620000000 implements MigrationInterface {
  /** No transaction: the step locks the table for a moment and can be repeated. */
  transaction = false;

  // A constant default: no row is written, and it is right for the rows of nodes that do not know the column.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE chats ADD COLUMN IF NOT EXISTS channel text COLLATE "C" NOT NULL DEFAULT 'WIDGET'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chats DROP COLUMN channel');
  }
}
