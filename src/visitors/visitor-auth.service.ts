import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { unauthorized } from '../auth/bearer.js';
import { type VisitorClaims, VisitorTokensService } from '../auth/visitor-tokens.service.js';
import { Problem } from '../common/problem.js';

/** The visitor who calls. */
export interface VisitorIdentity extends VisitorClaims {
  /** Nobody has signed who they are. */
  isAnonymous: boolean;
  /** Where they call from. */
  address: string;
}

const FIND = `
  SELECT o.allowed_origins AS "allowedOrigins", v.external_id IS NULL AS "isAnonymous"
  FROM visitors v JOIN organizations o ON o.id = v.organization_id
  WHERE v.organization_id = $1 AND v.id = $2 AND v.erasing_since IS NULL AND o.deleted_at IS NULL`;

/** Checks a visitor's token and where the page that uses it comes from. */
@Injectable()
export class VisitorAuthService {
  constructor(
    private readonly tokens: VisitorTokensService,
    private readonly manager: EntityManager,
  ) {}

  /** @throws Problem unauthorized, also when the visitor is gone; forbidden for an origin outside the allow-list */
  async authenticate(token: unknown, origin: string | undefined, address: string): Promise<VisitorIdentity> {
    const claims = await this.tokens.verify(token);
    const rows: { allowedOrigins: string[]; isAnonymous: boolean }[] = await this.manager.query(FIND, [
      claims.organizationId,
      claims.visitorId,
    ]);
    if (!rows[0]) throw unauthorized('The visitor of this token is gone');
    checkOrigin(rows[0].allowedOrigins, origin);
    return { ...claims, isAnonymous: rows[0].isAnonymous, address };
  }
}

/**
 * An allow-list binds browsers, which always name the origin of a page that calls from elsewhere; `null` (a sandboxed
 * page, a file) is outside of every list.
 * @throws Problem forbidden
 */
export function checkOrigin(allowedOrigins: string[], origin: string | undefined): void {
  if (origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin)) return;
  throw new Problem('forbidden', 'This origin may not use the chat of the organization');
}
