import base from './jest.config.mjs';

/** The release before on the schema of this one: `npm run test:upgrade`. */
export default {
  ...base,
  roots: ['<rootDir>/test/upgrade'],
  testRegex: '\\.upgrade-spec\\.ts$',
  testTimeout: 60_000,
  maxWorkers: 1,
};
