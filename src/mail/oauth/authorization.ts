import { AUTHORIZATION_PURPOSE } from '../../platform/database/key/reseal.queries.js';
import { deriveKeys, seal, type SecretKeys, sha256, unseal } from '../../platform/lib/secrets.js';
import type { OAuthClient } from '../../platform/config/oauth-variables.js';
import type { Grant } from './grants.js';

/** The command that a person runs when the OAuth server refuses. */
export const AUTHORIZE_COMMAND = 'npx parley mail authorize';

/** The tokens for the mail servers. */
export interface Authorization {
  accessToken: string;
  /** Null: the tokens are the client's own, and it gets new ones by its secret. */
  refreshToken: string | null;
}

/** The key of a client's row: another client, or another server, needs another authorization. */
export function authorizationKey({ tokenUrl, clientId }: OAuthClient): string {
  return sha256(`${tokenUrl} ${clientId}`).toString('hex');
}

/** Encrypts tokens for a row. */
export function sealAuthorization(keys: SecretKeys, key: string, { accessToken, refreshToken }: Authorization): Buffer {
  return seal(deriveKeys(keys, AUTHORIZATION_PURPOSE), key, JSON.stringify({ accessToken, refreshToken }));
}

/** Decrypts the tokens of a row. @throws SealError if they were sealed with another SECRET_KEY */
export function unsealAuthorization(keys: SecretKeys, key: string, sealed: Buffer): Authorization {
  return JSON.parse(unseal(deriveKeys(keys, AUTHORIZATION_PURPOSE), key, sealed)) as Authorization;
}

/** The tokens after a grant. If the grant has a refresh token, it replaces the older one. */
export function renewed(before: Authorization, { accessToken, refreshToken }: Grant): Authorization {
  return { accessToken, refreshToken: before.refreshToken === null ? null : (refreshToken ?? before.refreshToken) };
}
