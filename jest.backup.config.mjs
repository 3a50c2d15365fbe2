import base from './jest.config.mjs';

/** What needs pg_dump and a PostgreSQL of its version: `npm run test:backup`. */
export default {
  ...base,
  roots: ['<rootDir>/test/backup'],
  testRegex: '\\.backup-spec\\.ts$',
  globalSetup: '<rootDir>/test/backup/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/backup/support/global-teardown.mjs',
  maxWorkers: 1,
};
