// Fails if the entities and the migrations don't describe the same schema.
import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import '../dist/src/app.module.js';
import { migrationDataSource } from '../dist/src/platform/database/data-source.js';
import { startEmbeddedPostgres } from '../dist/src/platform/database/embedded-postgres.js';

const directory = mkdtempSync(join(tmpdir(), 'parley-schema-'));
chmodSync(directory, 0o755);
const postgres = await startEmbeddedPostgres(directory);
const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
const dataSource = await migrationDataSource(postgres.url).setOptions({ entities }).initialize();
try {
  await dataSource.runMigrations();
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  for (const { query } of upQueries) console.error(query);
  console.log(
    upQueries.length === 0 ? 'schema: entities and migrations agree' : 'schema: entities and migrations differ',
  );
  process.exitCode = upQueries.length === 0 ? 0 : 1;
} finally {
  await dataSource.destroy();
  await postgres.stop();
  rmSync(directory, { recursive: true });
}
