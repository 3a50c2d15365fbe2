import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Saved replies of one agent or of one group, in a language, with an action. */
export class PersonalReplies1764665000000 implements MigrationInterface {
  // Few rows: each agent and administrator writes some texts.
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE canned_replies ADD COLUMN agent_id text COLLATE "C", ADD COLUMN group_id text COLLATE "C",
        ADD COLUMN language text COLLATE "C", ADD COLUMN action text COLLATE "C",
        ADD COLUMN action_group_id text COLLATE "C",
        ADD CONSTRAINT fk_canned_replies_agent FOREIGN KEY (organization_id, agent_id)
          REFERENCES agents (organization_id, id) ON DELETE CASCADE,
        ADD CONSTRAINT fk_canned_replies_group FOREIGN KEY (organization_id, group_id)
          REFERENCES groups (organization_id, id) ON DELETE CASCADE
    `);
    // By the same name, nodes of the previous release explain a shortcut that is taken.
    await runner.query('ALTER TABLE canned_replies DROP CONSTRAINT uq_canned_replies_shortcut');
    await runner.query(`
      CREATE UNIQUE INDEX uq_canned_replies_shortcut
        ON canned_replies (organization_id, COALESCE(agent_id, ''), shortcut, COALESCE(language, ''))
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX uq_canned_replies_shortcut;
      ALTER TABLE canned_replies DROP COLUMN agent_id, DROP COLUMN group_id, DROP COLUMN language, DROP COLUMN action,
        DROP COLUMN action_group_id;
      ALTER TABLE canned_replies ADD CONSTRAINT uq_canned_replies_shortcut UNIQUE (organization_id, shortcut);
    `);
  }
}
