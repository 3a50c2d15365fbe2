import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same of a note. */
export class FilesOfNotes1766032000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notes ADD COLUMN files json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notes DROP COLUMN files');
  }
}
