import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sessionCookie } from '../../auth/agent-cookie.js';
import { AgentProfileService } from '../../auth/agent-profile.service.js';
import type { NewSession, SignInSource } from '../../auth/agent-sessions.service.js';
import { ClientAddress } from '../../auth/client-address.js';

/** What signing in reads from a request and answers: a cookie or a token. */
@Injectable()
export class SessionAnswers {
  constructor(
    private readonly profiles: AgentProfileService,
    private readonly address: ClientAddress,
  ) {}

  sourceOf(request: Request): SignInSource {
    return { address: request.ip ?? '', userAgent: request.headers['user-agent'] ?? null };
  }

  async signedIn(request: Request, response: Response, { token, agent }: NewSession, mode: 'cookie' | 'token') {
    const profile = await this.profiles.get(agent);
    if (mode === 'token') return { ...profile, token };
    response.append('Set-Cookie', sessionCookie(token, agent.expiresAt, this.address.isSecure(request)));
    return profile;
  }
}
