import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../../platform/config/config.js';
import { markAuthenticated } from '../../platform/http/responses/access-log.js';
import { bearerToken, unauthorized } from '../../platform/http/requests/bearer.js';
import { Problem } from '../../platform/errors/problem.js';
import { readSessionCookie } from './agent-cookie.js';
import type { AgentIdentity, FoundSession } from './agent-sessions.queries.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import { ClientAddress } from '../limits/client-address.js';
import { trustConnection } from '../limits/connections-by-address.js';
import { type Limit, RateLimits } from '../limits/rate-limit.js';
import { WrongTokens } from '../limits/wrong-tokens.js';

interface Credentials {
  token: string;
  /** Browsers send cookies automatically, even for pages of other origins. */
  isCookie: boolean;
}

/** Checks the session of an agent, for REST and for the handshake of a socket (CONTRACT: Signing in). */
@Injectable()
export class AgentAuthService {
  private readonly rate: Limit;

  constructor(
    private readonly sessions: AgentSessionsService,
    private readonly address: ClientAddress,
    private readonly wrong: WrongTokens,
    limits: RateLimits,
    { AGENT_RATE_LIMIT }: Config,
  ) {
    this.rate = limits.make('agent', AGENT_RATE_LIMIT);
  }

  /**
   * The agent of a request, by its bearer token or otherwise by its cookie. A cookie is accepted from our own origin only, except
   * for a GET request. Reads the database each time, so that a session that ends is refused immediately on every node.
   * @param handshake the `auth` of a socket's handshake, whose `token` counts before the headers; undefined for REST
   * @throws Problem unauthorized; forbidden for a cookie from another origin; rate_limited
   */
  async authenticate(request: IncomingMessage, handshake?: { token?: unknown }): Promise<AgentIdentity> {
    const credentials = this.credentialsOf(request, handshake);
    if (credentials === null) throw unauthorized();
    const session = await this.check(credentials.token, this.address.of(request));
    markAuthenticated(request);
    const needsOrigin = credentials.isCookie && (handshake !== undefined || !isSafe(request));
    if (needsOrigin && !this.address.isOwnOrigin(request)) {
      throw new Problem(
        'forbidden',
        'The session cookie is accepted only from pages of this service; use a bearer token elsewhere',
      );
    }
    trustConnection(request);
    this.sessions.recordUse(session);
    const { lastUsedAt: _, ...agent } = session;
    return agent;
  }

  /** Whether a request has an agent's session token, valid or not, and no other token. */
  hasSession(request: IncomingMessage): boolean {
    const credentials = this.credentialsOf(request);
    return credentials !== null && (credentials.isCookie || this.sessions.parse(credentials.token) !== null);
  }

  private credentialsOf(request: IncomingMessage, handshake?: { token?: unknown }): Credentials | null {
    const { authorization, cookie } = request.headers;
    const given = handshake?.token;
    if (given !== undefined && given !== null)
      return { token: typeof given === 'string' ? given : '', isCookie: false };
    if (authorization !== undefined) {
      const token = bearerToken(authorization);
      return token === null ? null : { token, isCookie: false };
    }
    const token = readSessionCookie(cookie, this.address.cookieScope(request));
    return token === null ? null : { token, isCookie: true };
  }

  // As in BotGuard, the token's form and rate are checked before the database is read.
  private async check(text: string, address: string): Promise<FoundSession> {
    const token = this.sessions.parse(text);
    if (token) await this.rate.spend(token.key);
    const session = token && (await this.sessions.find(token));
    return session ?? this.wrong.reject(address, unauthorized('The session token is invalid or has expired'));
  }
}

function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
