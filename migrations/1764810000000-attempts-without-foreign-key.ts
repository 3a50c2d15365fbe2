import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a trigger remove the attempts of a deleted delivery, instead of a foreign key: bots that poll delete deliveries without any. */
export class AttemptsWithoutForeignKey1764810000000 implements MigrationInterface {
  /** No transaction: each step locks its tables for a moment and can be repeated, while nodes of the previous release write. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STEPS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE attempts ADD CONSTRAINT fk_attempts_delivery FOREIGN KEY (organization_id, webhook_id, delivery_id)
        REFERENCES deliveries (organization_id, webhook_id, id) ON DELETE CASCADE;
      DROP TRIGGER deliveries_remove_attempts ON deliveries;
      DROP FUNCTION remove_attempts_of_delivery;
    `);
  }
}

// For each row, because a plan for all deleted deliveries could read all attempts. A result and its attempt are stored together, under
// the lock of the delivery's row, so a deleted delivery gets no attempt.
const STEPS = [
  `CREATE OR REPLACE FUNCTION remove_attempts_of_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM attempts WHERE organization_id = OLD.organization_id AND webhook_id = OLD.webhook_id AND delivery_id = OLD.id;
    RETURN NULL;
  END $$`,
  `CREATE OR REPLACE TRIGGER deliveries_remove_attempts AFTER DELETE ON deliveries
    FOR EACH ROW WHEN (OLD.attempt_count > 0) EXECUTE FUNCTION remove_attempts_of_delivery()`,
  'ALTER TABLE attempts DROP CONSTRAINT IF EXISTS fk_attempts_delivery',
];
