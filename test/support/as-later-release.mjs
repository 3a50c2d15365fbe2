// Loaded before the built service (`--import`), so that it's a later release with more migrations.
import * as indexes from '../../dist/migrations/support/concurrently.js';
import * as tables from '../../dist/migrations/support/create-table.js';
import { MIGRATION_NAMES, MIGRATIONS } from '../../dist/src/platform/database/data-source.js';
import { addMigrations, laterMigrations } from './later-migrations.mjs';

addMigrations(laterMigrations({ ...indexes, ...tables }), MIGRATIONS, MIGRATION_NAMES);
