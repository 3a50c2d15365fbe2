import { isLoopback } from './local-address.js';

/** The variables of signing in to the mail servers by OAuth 2.0. */
export interface OAuthVariables {
  readonly MAIL_OAUTH_PROVIDER?: string;
  readonly MAIL_OAUTH_CLIENT_ID?: string;
  readonly MAIL_OAUTH_CLIENT_SECRET?: string;
  readonly MAIL_OAUTH_TENANT?: string;
  readonly MAIL_OAUTH_AUTHORIZE_URL?: string;
  readonly MAIL_OAUTH_TOKEN_URL?: string;
  readonly MAIL_OAUTH_SCOPE?: string;
}

/** Where Parley gets tokens for the mail servers, and as which client. */
export interface OAuthClient {
  authorizeUrl: string;
  tokenUrl: string;
  /** What a person allows, separated by spaces. */
  scope: string;
  /** What the client may do without a person; null: this provider has no such way. */
  appScope: string | null;
  /** Further parameters of the page where a person signs in. */
  parameters: Record<string, string>;
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
}

export const OAUTH_PROVIDERS: readonly string[] = ['microsoft', 'google', 'custom'];

const OF_CUSTOM = ['MAIL_OAUTH_AUTHORIZE_URL', 'MAIL_OAUTH_TOKEN_URL', 'MAIL_OAUTH_SCOPE'] as const;
const TENANT = /^[A-Za-z0-9.-]{1,100}$/;

/** Describes why a text isn't the address of an OAuth server; null if it is. */
export function findOAuthUrlFault(value: unknown): string | null {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe && url?.username === '' && url.password === '' && url.hash === ''
    ? null
    : 'must be an https address without a user';
}

/** Describes why a text names no tenant; null if it does. */
export function findTenantFault(value: unknown): string | null {
  return TENANT.test(String(value)) ? null : 'must be a tenant id, or a domain of the tenant';
}

/** Describes what's missing beside MAIL_OAUTH_PROVIDER, or set without it; null if nothing is. The text begins with a variable's name. */
export function findOAuthFault(given: OAuthVariables): string | null {
  const { MAIL_OAUTH_PROVIDER: provider, MAIL_OAUTH_CLIENT_ID } = given;
  const set = Object.keys(given).find((name) => name.startsWith('MAIL_OAUTH_') && given[name as keyof OAuthVariables]);
  if (provider === undefined) return set === undefined ? null : `MAIL_OAUTH_PROVIDER is required with ${set}`;
  if (MAIL_OAUTH_CLIENT_ID === undefined) return 'MAIL_OAUTH_CLIENT_ID is required with MAIL_OAUTH_PROVIDER';
  if (provider === 'custom') {
    const missing = OF_CUSTOM.find((name) => given[name] === undefined);
    return missing === undefined ? null : `${missing} is required with MAIL_OAUTH_PROVIDER=custom`;
  }
  const other = OF_CUSTOM.find((name) => given[name] !== undefined);
  return other === undefined ? null : `${other} needs MAIL_OAUTH_PROVIDER=custom`;
}

/** The client of MAIL_OAUTH_PROVIDER; null without one. */
export function findOAuthClient(given: OAuthVariables): OAuthClient | null {
  const { MAIL_OAUTH_PROVIDER: provider, MAIL_OAUTH_CLIENT_ID, MAIL_OAUTH_CLIENT_SECRET } = given;
  if (!provider || !MAIL_OAUTH_CLIENT_ID) return null;
  const server = provider === 'microsoft' ? microsoft(given) : provider === 'google' ? GOOGLE : custom(given);
  return { ...server, clientId: MAIL_OAUTH_CLIENT_ID, clientSecret: MAIL_OAUTH_CLIENT_SECRET || null };
}

type Server = Omit<OAuthClient, 'clientId' | 'clientSecret'>;

function microsoft({ MAIL_OAUTH_TENANT }: OAuthVariables): Server {
  const base = `https://login.microsoftonline.com/${MAIL_OAUTH_TENANT || 'common'}/oauth2/v2.0`;
  return {
    authorizeUrl: `${base}/authorize`,
    tokenUrl: `${base}/token`,
    scope: 'offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
    appScope: 'https://outlook.office365.com/.default',
    parameters: {},
  };
}

// Without these parameters, Google gives a refresh token only the first time.
const GOOGLE: Server = {
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  scope: 'https://mail.google.com/',
  appScope: null,
  parameters: { access_type: 'offline', prompt: 'consent' },
};

function custom(given: OAuthVariables): Server {
  return {
    authorizeUrl: given.MAIL_OAUTH_AUTHORIZE_URL!,
    tokenUrl: given.MAIL_OAUTH_TOKEN_URL!,
    scope: given.MAIL_OAUTH_SCOPE!,
    appScope: given.MAIL_OAUTH_SCOPE!,
    parameters: {},
  };
}
