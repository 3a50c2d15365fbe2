import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { endedSessionCookie, sessionCookie } from '../../auth/agents/agent-cookie.js';
import { AgentProfileService } from '../../auth/agents/agent-profile.service.js';
import type { AgentIdentity } from '../../auth/agents/agent-sessions.queries.js';
import { AgentSessionsService, type NewSession, type SignInSource } from '../../auth/agents/agent-sessions.service.js';
import { ClientAddress } from '../../auth/limits/client-address.js';
import { Problem } from '../../platform/errors/problem.js';

interface Exchange {
  request: Request;
  response: Response;
}

/** Responds to the start and the end of a session, with a token or a cookie. */
@Injectable()
export class SessionResponses {
  constructor(
    private readonly profiles: AgentProfileService,
    private readonly sessions: AgentSessionsService,
    private readonly address: ClientAddress,
  ) {}

  /**
   * Signs in, and returns the token or sets the cookie. A page of another origin can't sign a browser in.
   * @throws Problem forbidden for a cookie from another origin, and what `signIn` throws
   */
  async signIn(
    { request, response, mode }: Exchange & { mode: 'cookie' | 'token' },
    signIn: (source: SignInSource) => Promise<NewSession>,
  ) {
    if (mode === 'cookie' && this.address.isOwnOrigin(request) === false) {
      throw new Problem('forbidden', 'Cookie sessions can be started only from pages of this service');
    }
    const { token, agent } = await signIn({
      address: request.ip ?? '',
      userAgent: request.headers['user-agent'] ?? null,
    });
    const profile = await this.profiles.get(agent);
    if (mode === 'token') return { ...profile, token };
    response.append('Set-Cookie', sessionCookie(token, agent.expiresAt, this.address.cookieScope(request)));
    return profile;
  }

  /** Ends a session. If it is the current one, also removes the cookie. @throws Problem not_found */
  async end(agent: AgentIdentity, sessionId: string, { request, response }: Exchange): Promise<void> {
    await this.sessions.end(agent, sessionId);
    if (sessionId !== agent.sessionId) return;
    response.append('Set-Cookie', endedSessionCookie(this.address.cookieScope(request)));
  }
}
