import base from './jest.config.mjs';

/** What needs a Docker Engine: `npm run test:compose`. It brings its own PostgreSQL. */
export default {
  ...base,
  roots: ['<rootDir>/test/compose'],
  testRegex: '\\.compose-spec\\.ts$',
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: 120_000,
  maxWorkers: 1,
};
