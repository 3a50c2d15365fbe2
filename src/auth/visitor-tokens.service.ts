import { Injectable } from '@nestjs/common';
import { jwtVerify, SignJWT } from 'jose';
import { Config } from '../common/config.js';
import { deriveKey } from '../common/secrets.js';
import { unauthorized } from './bearer.js';

const AUDIENCE = 'parley:visitor';
const LIFETIME_SECONDS = 30 * 24 * 60 * 60;

/** What a visitor's token says. */
export interface VisitorClaims {
  organizationId: string;
  visitorId: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

export interface VisitorToken {
  token: string;
  expiresAt: Date;
}

/** Signs and reads the tokens visitors carry: JWT, HS256, 30 days (CONTRACT section 3). */
@Injectable()
export class VisitorTokensService {
  private readonly key: Uint8Array;

  constructor(config: Config) {
    this.key = deriveKey(config.SECRET_KEY, 'visitor tokens');
  }

  async sign(organizationId: string, visitorId: string): Promise<VisitorToken> {
    const now = Math.floor(Date.now() / 1000);
    const expiresAt = now + LIFETIME_SECONDS;
    const token = await new SignJWT({ org: organizationId })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(visitorId)
      .setAudience(AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .sign(this.key);
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** @throws Problem unauthorized */
  async verify(token: unknown): Promise<VisitorClaims> {
    if (typeof token !== 'string' || token.length > 4_096) throw unauthorized();
    const options = { algorithms: ['HS256'], audience: AUDIENCE, requiredClaims: ['sub', 'org', 'exp'] };
    const { payload } = await jwtVerify(token, this.key, options).catch(() => {
      throw unauthorized('The visitor token is not valid or has expired');
    });
    return { organizationId: String(payload.org), visitorId: String(payload.sub), expiresAt: payload.exp! };
  }
}
