import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './support/concurrently.js';

const NAME = 'ix_files_pictures';

/** Finds the pictures of an organization. */
export class Pictures1766194007000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, NAME, `ON files (organization_id, created_at) WHERE used_by = 'picture'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, NAME);
  }
}
