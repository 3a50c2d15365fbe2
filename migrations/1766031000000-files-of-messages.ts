import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files of a message, as they're shown, without their addresses; null: none. */
export class FilesOfMessages1766031000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN files json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages DROP COLUMN files');
  }
}
