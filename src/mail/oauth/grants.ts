import type { OAuthClient } from '../../platform/config/oauth-variables.js';
import { printable } from '../../platform/lib/printable.js';
import { describeError } from '../../platform/outbound/outbound-error.js';

/** Milliseconds that the OAuth server has for an answer. */
export const GRANT_MS = 15_000;
const MAX_ANSWER = 100_000;
const MAX_ERROR = 300;
/** Seconds that a token is valid if the server doesn't say. */
const USUAL_SECONDS = 3_600;

/** What an OAuth server granted. */
export interface Grant {
  accessToken: string;
  /** Null: the server gave no new one. */
  refreshToken: string | null;
  expiresAt: Date;
}

/** The OAuth server gave no token. */
export class GrantError extends Error {
  constructor(
    message: string,
    /** Whether it refuses, so that a person has to authorize again; otherwise, trying again may help. */
    readonly isRefused: boolean,
  ) {
    super(message);
  }
}

/** Exchanges the code of a person's authorization (RFC 6749, section 4.1.3; RFC 7636). @throws GrantError */
export function grantForCode(client: OAuthClient, code: string, verifier: string, redirectUri: string): Promise<Grant> {
  return ask(client, { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri });
}

/** Renews an authorization of a person (RFC 6749, section 6). @throws GrantError */
export function grantForRefresh(client: OAuthClient, refreshToken: string): Promise<Grant> {
  return ask(client, { grant_type: 'refresh_token', refresh_token: refreshToken, scope: client.scope });
}

/** Gets a token of the client itself (RFC 6749, section 4.4). @throws GrantError */
export function grantForApp(client: OAuthClient): Promise<Grant> {
  return ask(client, { grant_type: 'client_credentials', scope: client.appScope ?? client.scope });
}

async function ask(client: OAuthClient, fields: Record<string, string>): Promise<Grant> {
  const { tokenUrl, clientId, clientSecret } = client;
  const body = new URLSearchParams({
    ...fields,
    client_id: clientId,
    ...(clientSecret && { client_secret: clientSecret }),
  });
  let status: number;
  let text: string;
  try {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(GRANT_MS),
    });
    status = response.status;
    text = (await response.text()).slice(0, MAX_ANSWER);
  } catch (error) {
    throw new GrantError(`the OAuth server can't be reached: ${describeError(error)}`, false);
  }
  const answer = parse(text);
  if (status === 200 && typeof answer.access_token === 'string') return grantOf(answer);
  throw errorOf(status, answer);
}

function parse(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function grantOf({ access_token, refresh_token, expires_in }: Record<string, unknown>): Grant {
  const seconds = Number(expires_in) > 0 ? Number(expires_in) : USUAL_SECONDS;
  return {
    accessToken: access_token as string,
    refreshToken: typeof refresh_token === 'string' ? refresh_token : null,
    expiresAt: new Date(Date.now() + seconds * 1000),
  };
}

function errorOf(status: number, { error, error_description }: Record<string, unknown>): GrantError {
  const said = [error, error_description].filter((part) => typeof part === 'string').join(': ');
  const text = printable((said || 'no reason').slice(0, MAX_ERROR));
  // 429 and 5xx end by themselves, and so does `temporarily_unavailable`.
  const isRefused = status >= 400 && status < 500 && status !== 429 && error !== 'temporarily_unavailable';
  return new GrantError(`the OAuth server answered ${status} (${text})`, isRefused);
}
