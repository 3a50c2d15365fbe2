import { join } from 'node:path';
import { readLocalSecrets } from '../../platform/config/local-secrets.js';
import type { SecretKeys } from '../../platform/lib/secrets.js';

/** The keys that the service would start with in this environment; null if there's none yet. */
export function findSecretKeys(environment: NodeJS.ProcessEnv): SecretKeys | null {
  const { SECRET_KEY_PREVIOUS, DATA_DIR, NODE_ENV } = environment;
  const generated = NODE_ENV === 'production' ? null : readLocalSecrets(join(DATA_DIR || './data', 'secrets.json'));
  const SECRET_KEY = environment.SECRET_KEY || generated?.SECRET_KEY;
  return SECRET_KEY ? { SECRET_KEY, SECRET_KEY_PREVIOUS: SECRET_KEY_PREVIOUS || undefined } : null;
}
