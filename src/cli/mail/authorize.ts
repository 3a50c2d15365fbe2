import { createHash } from 'node:crypto';
import type pg from 'pg';
import { authorizationKey, sealAuthorization } from '../../mail/oauth/authorization.js';
import { type Grant, GrantError, grantForApp, grantForCode } from '../../mail/oauth/grants.js';
import { storeAuthorization } from '../../mail/oauth/mail-authorization.queries.js';
import { isLoopback } from '../../platform/config/local-address.js';
import { parseImapUrl, parseSmtpUrl } from '../../platform/config/mail-url.js';
import { findOAuthClient, findOAuthFault, type OAuthClient } from '../../platform/config/oauth-variables.js';
import { judgeKey } from '../../platform/database/key/key-check.js';
import { randomText, type SecretKeys } from '../../platform/lib/secrets.js';
import { closing, findDatabase } from '../copy/target.js';
import { openWriting, readKeyCheck } from '../copy/two-databases.js';
import { CliError, EXIT, usage } from '../errors.js';
import { findSecretKeys } from '../secrets/keys.js';
import { note, out } from '../show.js';
import { waitForCode } from './redirect.js';

const REDIRECT = 'http://127.0.0.1:8976';
/** Characters of the state and of the code verifier (RFC 7636 allows 43 to 128). */
const [STATE, VERIFIER] = [32, 64];

/**
 * Signs in to the mail servers with OAuth, and stores the tokens for all nodes (CONTRACT: E-mail).
 * @param environment what the service has: MAIL_OAUTH_…, SECRET_KEY, and DATABASE_URL or DATA_DIR
 * @param options `app`: with the client's own credentials, without a person. `redirect`: the redirect address that the client has at the provider
 * @throws CliError if the provider refuses, or the database can't be reached
 */
export async function authorizeMail(
  environment: NodeJS.ProcessEnv,
  { app, redirect }: { app?: boolean; redirect?: string },
): Promise<void> {
  const client = getClient(environment, app ?? false);
  const keys = findSecretKeys(environment);
  if (!keys) throw usage('set SECRET_KEY to the key of the service');
  const redirectUri = checkRedirect(redirect ?? REDIRECT);
  // Before the person signs in, who may take minutes: a code is valid once.
  await onDatabase(environment, (database) => checkKey(database, keys));
  const asking = app ? grantForApp(client) : grantForPerson(client, redirectUri, findUser(environment));
  const grant = await asking.catch(explain);
  if (!app && grant.refreshToken === null)
    throw new CliError(EXIT.failed, 'the provider gave no refresh token: allow offline access, and try again');
  const tokens = { accessToken: grant.accessToken, refreshToken: app ? null : grant.refreshToken };
  const key = authorizationKey(client);
  const sealed = sealAuthorization(keys, key, tokens);
  await onDatabase(environment, (database) => storeAuthorization(database, key, sealed, grant.expiresAt));
  out('The tokens are stored for all nodes. Check them with: npx parley doctor');
}

function onDatabase(environment: NodeJS.ProcessEnv, work: (database: pg.Client) => Promise<void>): Promise<void> {
  return closing('nothing was stored', async (open) => {
    const database = await openWriting(await findDatabase(environment));
    open.push(database);
    await work(database);
  });
}

function getClient(environment: NodeJS.ProcessEnv, isApp: boolean): OAuthClient {
  const fault = findOAuthFault(environment);
  if (fault !== null) throw usage(fault);
  const client = findOAuthClient(environment);
  if (client === null) throw usage('set MAIL_OAUTH_PROVIDER and MAIL_OAUTH_CLIENT_ID, as for the service');
  if (!isApp) return client;
  if (client.appScope === null) throw usage("Google has no --app: sign in as the mailbox's user");
  if (client.clientSecret === null) throw usage('--app needs MAIL_OAUTH_CLIENT_SECRET');
  if (environment.MAIL_OAUTH_PROVIDER === 'microsoft' && !environment.MAIL_OAUTH_TENANT)
    throw usage('--app needs MAIL_OAUTH_TENANT');
  return client;
}

function checkRedirect(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' || !isLoopback(url.hostname) || url.port === '' || url.search !== '')
    throw usage(`--redirect must be an address of this machine with a port, like ${REDIRECT}`);
  return text;
}

// Tokens under another key would be useless to the service.
async function checkKey(database: pg.Client, keys: SecretKeys): Promise<void> {
  const sealed = await readKeyCheck(database);
  if (sealed.length > 0 && judgeKey(keys, sealed) === 'other')
    throw new CliError(EXIT.failed, "SECRET_KEY isn't the key of the database: set it to the key of the service");
}

// The page suggests this account, so that another one isn't used by mistake.
function findUser({ IMAP_URL, SMTP_URL }: NodeJS.ProcessEnv): string | undefined {
  return (IMAP_URL && parseImapUrl(IMAP_URL).auth.user) || (SMTP_URL && parseSmtpUrl(SMTP_URL).auth?.user) || undefined;
}

async function grantForPerson(client: OAuthClient, redirectUri: string, user: string | undefined): Promise<Grant> {
  const [state, verifier] = [randomText(STATE), randomText(VERIFIER)];
  const url = new URL(client.authorizeUrl);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: client.scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(user && { login_hint: user }),
    ...client.parameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const code = await waitForCode(redirectUri, state, () => {
    out(url.href);
    note(
      `Open this address in a browser, and sign in${user ? ` as ${user}` : ''}. If the browser can't show the last page, paste its address here.`,
    );
  });
  return grantForCode(client, code, verifier, redirectUri);
}

function explain(error: unknown): never {
  if (error instanceof GrantError) throw new CliError(EXIT.failed, `nothing was stored: ${error.message}`);
  throw error;
}
