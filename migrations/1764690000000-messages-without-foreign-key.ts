import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a trigger remove the messages of a deleted chat, instead of a foreign key, whose check every new message paid for. */
export class MessagesWithoutForeignKey1764690000000 implements MigrationInterface {
  /** No transaction: each step locks its tables for a moment and can be repeated, while nodes of the previous release write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STEPS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE messages ADD CONSTRAINT fk_messages_chat FOREIGN KEY (organization_id, chat_id)
        REFERENCES chats (organization_id, id) ON DELETE CASCADE;
      DROP TRIGGER chats_remove_messages ON chats;
      DROP FUNCTION remove_messages_of_chat;
    `);
  }
}

// For each row, because a plan for all deleted chats could read all messages. Chats are locked before messages, as everywhere.
const STEPS = [
  `CREATE OR REPLACE FUNCTION remove_messages_of_chat() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM messages WHERE organization_id = OLD.organization_id AND chat_id = OLD.id;
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE TRIGGER chats_remove_messages AFTER DELETE ON chats
    FOR EACH ROW EXECUTE FUNCTION remove_messages_of_chat()`,
  'ALTER TABLE messages DROP CONSTRAINT IF EXISTS fk_messages_chat',
];
