import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { unauthorized } from '../auth/bearer.js';
import { type VisitorClaims, VisitorTokensService } from '../auth/visitor-tokens.service.js';
import { Problem } from '../common/problem.js';
import { findVisitor } from './visitor-sessions.queries.js';

/** The visitor who calls. */
export interface VisitorIdentity extends VisitorClaims {
  /** Nobody has signed who they are. */
  isAnonymous: boolean;
  /** Where they call from. */
  address: string;
}

/** Checks a visitor's token and where the page that uses it comes from. */
@Injectable()
export class VisitorAuthService {
  constructor(
    private readonly tokens: VisitorTokensService,
    private readonly manager: EntityManager,
  ) {}

  /** @throws Problem unauthorized, also when the token was ended or the visitor is gone; forbidden for an origin outside the allow-list */
  async authenticate(token: unknown, origin: string | undefined, address: string): Promise<VisitorIdentity> {
    const claims = await this.tokens.verify(token);
    const found = await findVisitor(this.manager, claims);
    if (!found) throw unauthorized('The visitor token was ended, or its visitor is gone');
    checkOrigin(found.allowedOrigins, origin);
    return { ...claims, isAnonymous: found.isAnonymous, address };
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
