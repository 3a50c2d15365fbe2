import { relative } from 'node:path';
import NodeItself from '../../support/runtime/environment.mjs';
import { ONE_POSTGRES_ONLY } from './one-postgres-only.mjs';

/** Skips the tests that can't run on a cluster. */
export default class OnCluster extends NodeItself {
  constructor(config, context) {
    super(config, context);
    const file = relative(config.projectConfig.rootDir, context.testPath);
    this.skipped = ONE_POSTGRES_ONLY.filter(({ path, test }) => path === file && test !== undefined);
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.skipped.some((one) => test.name.includes(one.test))) test.mode = 'skip';
  }
}
