import { ConfigError, loadConfig } from '../../platform/config/config.js';
import { type Check, failed, ok, warning } from './check.js';

const NAME = 'configuration';
/** Stands for secrets that the service would generate, because a check must not create any. */
const PLACEHOLDER = 'generated-at-the-first-start';

const WITHOUT_PROXY =
  'set PUBLIC_URL to the address that browsers use, and TRUST_PROXY if a proxy is in front: otherwise all visitors share the rate limits of its address';

/** Checks whether the service would start with this environment. */
export function checkConfiguration(environment: NodeJS.ProcessEnv): Check {
  const { NODE_ENV, ADMIN_TOKEN, SECRET_KEY } = environment;
  const secrets = { ADMIN_TOKEN: ADMIN_TOKEN || PLACEHOLDER, SECRET_KEY: SECRET_KEY || PLACEHOLDER };
  try {
    const config = loadConfig({ ...environment, ...(NODE_ENV === 'production' ? {} : secrets) });
    if (config.isProduction && config.PUBLIC_URL === undefined && config.TRUST_PROXY === undefined)
      return warning(NAME, 'every variable is in order, but neither PUBLIC_URL nor TRUST_PROXY is set', WITHOUT_PROXY);
    return ok(NAME, `every variable is in order${config.isProduction ? ', for production' : ''}`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed(NAME, error.message, 'set it as docs/reference/environment.md says; the service does not start');
  }
}
