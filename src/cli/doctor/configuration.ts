import { ConfigError, loadConfig } from '../../platform/config/config.js';
import { type Check, failed, ok } from './check.js';

const NAME = 'configuration';
/** Stands for a secret that the service would generate: a look must not make any. */
const GENERATED = 'generated-at-the-first-start';

/** Whether a service would start with the variables that are set here. */
export function checkConfiguration(environment: NodeJS.ProcessEnv): Check {
  const { NODE_ENV, ADMIN_TOKEN, SECRET_KEY } = environment;
  const secrets = { ADMIN_TOKEN: ADMIN_TOKEN || GENERATED, SECRET_KEY: SECRET_KEY || GENERATED };
  try {
    const config = loadConfig({ ...environment, ...(NODE_ENV === 'production' ? {} : secrets) });
    return ok(NAME, `every variable is in order${config.isProduction ? ', for production' : ''}`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed(
      NAME,
      error.message,
      'set it as the table of variables in README.md says; the service does not start',
    );
  }
}
