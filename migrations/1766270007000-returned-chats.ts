import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Connected bots also get the chats that return to them because no agent took them. */
export class ReturnedChats1766270007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(EVENTS, [['message.created', 'chat.returned', 'chat.unanswered']]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(EVENTS, [['message.created', 'chat.returned']]);
  }
}

const EVENTS = `UPDATE receivers SET events = $1 WHERE kind = 'CONNECTION'`;
