import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The pictures of an organization's widget: of its button, and of its bots. */
export class WidgetPictures1764710000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE organizations ADD COLUMN launcher_picture bytea, ADD COLUMN bot_picture bytea`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE organizations DROP COLUMN launcher_picture, DROP COLUMN bot_picture`);
  }
}
