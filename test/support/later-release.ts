import { fileURLToPath } from 'node:url';
import { createIndexConcurrently } from '../../migrations/support/concurrently.js';
import { createTable } from '../../migrations/support/create-table.js';
import { MIGRATION_NAMES, MIGRATIONS } from '../../src/platform/database/data-source.js';
import { addMigrations, laterMigrations } from './later-migrations.mjs';

const LATER = laterMigrations({ createIndexConcurrently, createTable });

/** The names of the migrations that the later release adds. */
export const LATER_NAMES = LATER.map(({ name }) => name);

/** Makes this process a later release. Returns what ends that. */
export const becomeLater = () => addMigrations(LATER, MIGRATIONS, MIGRATION_NAMES);

/** The environment that makes a process of the built service a later release. */
export const LATER_RELEASE = {
  NODE_OPTIONS: `--import ${fileURLToPath(new URL('as-later-release.mjs', import.meta.url))}`,
};
