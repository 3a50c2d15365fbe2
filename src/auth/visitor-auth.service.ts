import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { unauthorized } from '../platform/http/bearer.js';
import { type VisitorClaims, VisitorTokensService } from './visitor-tokens.service.js';
import { WrongTokens } from './wrong-tokens.js';
import { Problem } from '../platform/http/problem.js';
import { VisitorLimits } from './visitor-limits.js';
import { findVisitor } from './visitor-sessions.queries.js';
import { VisitorTurns } from './visitor-turns.js';

/** The visitor who calls. */
export interface VisitorIdentity extends VisitorClaims {
  /** Nobody has signed who they are. */
  isAnonymous: boolean;
  /** Where they call from. */
  address: string;
}

/**
 * Checks a visitor's token and where the page that uses it comes from: its signature first, then the visitor's rate, then
 * the database.
 */
@Injectable()
export class VisitorAuthService {
  constructor(
    private readonly tokens: VisitorTokensService,
    private readonly manager: EntityManager,
    private readonly wrong: WrongTokens,
    private readonly limits: VisitorLimits,
    private readonly turns: VisitorTurns,
  ) {}

  /**
   * @param address where it comes from, as the limits count it
   * @throws Problem unauthorized, also when the token was ended or the visitor is gone; forbidden for an origin outside the
   *   allow-list; rate_limited
   */
  async authenticate(token: unknown, origin: string | undefined, address: string): Promise<VisitorIdentity> {
    const claims = await this.verify(token, address);
    await this.limits.spend(claims.visitorId, address);
    const found = await this.turns.run(address, () => findVisitor(this.manager, claims));
    if (!found) throw unauthorized('The visitor token was ended, or its visitor is gone');
    checkOrigin(found.allowedOrigins, origin);
    return { ...claims, isAnonymous: found.isAnonymous, address };
  }

  // A token that is signed is no guess, whatever others at its address do.
  private async verify(token: unknown, address: string): Promise<VisitorClaims> {
    try {
      return await this.tokens.verify(token);
    } catch (error) {
      await this.wrong.check(address);
      if (typeof token === 'string') this.wrong.note(address);
      throw error;
    }
  }
}

/**
 * An allow-list binds browsers, which always name the origin of a page that calls from elsewhere; `null` (a sandboxed
 * page, a file) is outside of every list.
 * @throws Problem forbidden
 */
export function checkOrigin(allowedOrigins: string[], origin: string | undefined): void {
  if (!isAllowed(allowedOrigins, origin)) {
    throw new Problem('forbidden', 'This origin may not use the chat of the organization');
  }
}

export function isAllowed(allowedOrigins: string[], origin: string | undefined): boolean {
  return origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin);
}
