import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Visitors whom agents have blocked. */
export class VisitorBlocks1764682000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE visitor_blocks (
        organization_id text COLLATE "C" NOT NULL,
        visitor_id text COLLATE "C" NOT NULL,
        until timestamptz(3),
        reason text,
        agent_id text COLLATE "C" NOT NULL,
        agent_name text NOT NULL,
        blocked_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_visitor_blocks PRIMARY KEY (organization_id, visitor_id),
        CONSTRAINT fk_visitor_blocks_visitor FOREIGN KEY (organization_id, visitor_id)
          REFERENCES visitors (organization_id, id) ON DELETE CASCADE
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE visitor_blocks');
  }
}
