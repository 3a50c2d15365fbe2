import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The agents whom a note mentions, and whether they have seen it. */
export class NoteMentions1764643000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE note_mentions (
        organization_id text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C" NOT NULL,
        note_id text COLLATE "C" NOT NULL,
        chat_id text COLLATE "C" NOT NULL,
        seen_at timestamptz(3),
        CONSTRAINT pk_note_mentions PRIMARY KEY (organization_id, agent_id, note_id),
        CONSTRAINT fk_note_mentions_note FOREIGN KEY (organization_id, chat_id, note_id)
          REFERENCES notes (organization_id, chat_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_note_mentions_agent FOREIGN KEY (organization_id, agent_id)
          REFERENCES agents (organization_id, id) ON DELETE CASCADE
      );
      CREATE INDEX ix_note_mentions_note ON note_mentions (organization_id, chat_id, note_id);
      CREATE INDEX ix_note_mentions_unseen ON note_mentions (organization_id, agent_id, note_id) WHERE seen_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE note_mentions');
  }
}
