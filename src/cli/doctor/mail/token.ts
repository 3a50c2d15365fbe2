import pg from 'pg';
import { AUTHORIZE_COMMAND, authorizationKey, unsealAuthorization } from '../../../mail/oauth/authorization.js';
import { findAuthorization } from '../../../mail/oauth/mail-authorization.queries.js';
import { findOAuthClient } from '../../../platform/config/oauth-variables.js';
import { writerClient } from '../../../platform/database/hosts.js';
import { findDatabase } from '../../copy/target.js';
import { findSecretKeys } from '../../secrets/keys.js';

const TIMEOUT_MS = 5_000;

/** Why there's no token, and what to do. */
export class NoToken extends Error {
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message);
  }
}

/** The access token that the service signs in with. It's not renewed here. @throws NoToken */
export async function getMailToken(environment: NodeJS.ProcessEnv): Promise<string> {
  const client = findOAuthClient(environment);
  if (client === null) throw new NoToken('there is no password, and MAIL_OAUTH_PROVIDER is not set', 'set one of them');
  const keys = findSecretKeys(environment);
  if (keys === null) throw new NoToken("SECRET_KEY is not set, so the token can't be read", 'set it');
  const key = authorizationKey(client);
  const stored = await withDatabase(environment, (database) => findAuthorization(database, key));
  if (stored === null) throw new NoToken('the mail servers are not authorized', `run ${AUTHORIZE_COMMAND}`);
  if (stored.lastError !== null) throw new NoToken(stored.lastError, `run ${AUTHORIZE_COMMAND}`);
  if (stored.expiresAt < new Date())
    throw new NoToken('the token has ended, and no node has renewed it', 'start the service, which renews it');
  return unsealAuthorization(keys, key, stored.sealed).accessToken;
}

async function withDatabase<T>(environment: NodeJS.ProcessEnv, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = writerClient(await findDatabase(environment), { connectionTimeoutMillis: TIMEOUT_MS });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
