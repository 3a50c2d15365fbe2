// Migrations as a later release may have them: they show how a start changes a database that others use. Plain JavaScript, because a
// process of the built service loads it too.

/**
 * @param {object} tools what migrations use: `migrations/support`
 * @param {(runner: any, name: string, definition: string) => Promise<void>} tools.createIndexConcurrently
 * @param {(runner: any, statement: string) => Promise<void>} tools.createTable
 */
export function laterMigrations({ createIndexConcurrently, createTable }) {
  /** Builds an index of a growing table, and locks another table for a key. */
  class LaterReads9000000000001 {
    transaction = false;
    async up(runner) {
      await createIndexConcurrently(runner, 'ix_later_messages', LATER_INDEX);
      await createTable(
        runner,
        `CREATE TABLE IF NOT EXISTS later_reads (organization_id text COLLATE "C", chat_id text COLLATE "C",
          PRIMARY KEY (organization_id, chat_id), FOREIGN KEY (organization_id, chat_id) REFERENCES chats)`,
      );
    }
  }

  /** Locks the visitors, and changes rows of the agents. */
  class LaterColumns9000000000002 {
    async up(runner) {
      await runner.query('ALTER TABLE visitors ADD COLUMN later_rank integer');
      await runner.query('UPDATE agents SET missed_offers = 0 WHERE missed_offers > 0');
    }
  }

  /** Reads all organizations twice. */
  class LaterLimits9000000000003 {
    async up(runner) {
      for (const name of ['one', 'two'])
        await runner.query(`ALTER TABLE organizations ADD CONSTRAINT ck_later_${name} CHECK (retention_days < 10000)`);
    }
  }

  /** Builds three indexes of the visitors. */
  class LaterFolds9000000000004 {
    transaction = false;
    async up(runner) {
      for (const column of ['name', 'email', 'external_id'])
        await createIndexConcurrently(runner, `ix_later_${column}`, `ON visitors (organization_id, ${column})`);
    }
  }

  return [LaterReads9000000000001, LaterColumns9000000000002, LaterLimits9000000000003, LaterFolds9000000000004];
}

/** The definition of the first index. */
export const LATER_INDEX = 'ON messages (organization_id, chat_id, id)';

/** Adds them to a release's lists. Returns what takes them out again. */
export function addMigrations(migrations, list, names) {
  const { length } = list;
  list.push(...migrations);
  names.push(...migrations.map(({ name }) => name));
  return () => {
    list.length = length;
    names.length = length;
  };
}
