import { join } from 'node:path';
import { localUrl } from '../platform/config/local-address.js';
import { readLocalSecrets } from '../platform/config/local-secrets.js';
import { usage } from './errors.js';
import { withoutTrailingSlashes } from '../platform/lib/web-url.js';

/** The address of the service and the admin token. */
export interface Connection {
  /** Without a trailing slash. */
  url: string;
  token: string;
  /** Where the token comes from, for error messages. */
  tokenSource: string;
}

/** The service's address: `--url`, PARLEY_URL, PUBLIC_URL, or this machine at PORT. @throws CliError */
export function findUrl(environment: NodeJS.ProcessEnv, option?: string): string {
  const { PARLEY_URL, PUBLIC_URL, HOST, PORT } = environment;
  const [name, text] = option
    ? ['--url', option]
    : PARLEY_URL
      ? ['PARLEY_URL', PARLEY_URL]
      : PUBLIC_URL
        ? ['PUBLIC_URL', PUBLIC_URL]
        : ['HOST and PORT', localUrl(HOST || '127.0.0.1', PORT || 3000)];
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw usage(`${name} must be an address like http://127.0.0.1:3000`);
  if (url.username || url.password) throw usage(`${name} must not contain a user name or password`);
  if (url.port === '0') throw usage('PORT is 0, so the port is unknown: give the address with --url');
  return withoutTrailingSlashes(url.origin + url.pathname);
}

/** The variable with a bot's token. */
export const BOT_TOKEN = 'PARLEY_TOKEN';

/** A bot's connection, with the token of PARLEY_TOKEN. @throws CliError */
export function botConnection(environment: NodeJS.ProcessEnv, url?: string): Connection {
  const token = environment[BOT_TOKEN];
  if (!token) throw usage(`set ${BOT_TOKEN} to the bot's token, and PARLEY_URL to the service's address`);
  requireSendable(token, BOT_TOKEN);
  return { url: findUrl(environment, url), token, tokenSource: BOT_TOKEN };
}

/** ADMIN_TOKEN, or the token that the service generated and stores in DATA_DIR. @throws CliError */
export function findToken({ ADMIN_TOKEN, DATA_DIR }: NodeJS.ProcessEnv): Pick<Connection, 'token' | 'tokenSource'> {
  const file = join(DATA_DIR || './data', 'secrets.json');
  const token = ADMIN_TOKEN || readToken(file);
  const tokenSource = ADMIN_TOKEN ? 'ADMIN_TOKEN' : file;
  if (!token)
    throw usage(
      `there is no admin token: set ADMIN_TOKEN, or DATA_DIR to where the service keeps its data (no ${file})`,
    );
  requireSendable(token, tokenSource);
  return { token, tokenSource };
}

// Otherwise fetch would throw an error whose message contains the token.
function requireSendable(token: string, source: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw usage(`the token of ${source} has characters that no token has`);
}

function readToken(file: string): string | undefined {
  try {
    return readLocalSecrets(file)?.ADMIN_TOKEN;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usage(`${file} cannot be read (${code ?? 'not JSON'}): set ADMIN_TOKEN, or run as the user of the service`);
  }
}
