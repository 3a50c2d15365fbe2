import base from './jest.config.mjs';

/** What breaks the parts of an installation while it is used: `npm run test:faults`. */
export default {
  ...base,
  roots: ['<rootDir>/test/faults'],
  testRegex: '\\.fault-spec\\.ts$',
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: 120_000,
  maxWorkers: 1,
};
