import { Injectable } from '@nestjs/common';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { Config } from '../../platform/config/config.js';
import { deriveKeys, type Keys, randomText, sha256 } from '../../platform/lib/secrets.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';

const AUDIENCE = 'parley:visitor';
/** Random characters that make two tokens of the same visitor and second different. */
const JTI_LENGTH = 16;
const LIFETIME_SECONDS = 30 * 24 * 60 * 60;

const VERIFICATION = { algorithms: ['HS256'], audience: AUDIENCE, requiredClaims: ['sub', 'org', 'exp'] };

/** The bytes of a token's hash that identify it. */
const ID_BYTES = 16;

/** The claims of a visitor's token. */
export interface VisitorClaims {
  organizationId: string;
  visitorId: string;
  /** Identifies the token. */
  tokenId: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

export interface VisitorToken {
  token: string;
  expiresAt: Date;
}

/** Signs and verifies the tokens of visitors: JWT, HS256, 30 days (CONTRACT: Visitors). */
@Injectable()
export class VisitorTokensService {
  private readonly keys: Keys;

  constructor(config: Config) {
    this.keys = deriveKeys(config, 'visitor tokens');
  }

  async sign(organizationId: string, visitorId: string): Promise<VisitorToken> {
    const now = Math.floor(Date.now() / 1000);
    const expiresAt = now + LIFETIME_SECONDS;
    const token = await new SignJWT({ org: organizationId })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(visitorId)
      .setAudience(AUDIENCE)
      .setJti(randomText(JTI_LENGTH))
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .sign(this.keys[0]);
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** @throws Problem unauthorized */
  async verify(token: string): Promise<VisitorClaims> {
    if (token.length > 4_096) throw unauthorized();
    const { org, sub, exp } = await this.read(token, this.keys).catch(() => {
      throw unauthorized('The visitor token is invalid or has expired');
    });
    return { organizationId: String(org), visitorId: String(sub), tokenId: idOf(token), expiresAt: exp! };
  }

  private async read(token: string, [key, ...others]: Keys): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, key, VERIFICATION)).payload;
    } catch (error) {
      const [next, ...rest] = others;
      if (next === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      return this.read(token, [next, ...rest]);
    }
  }
}

// Hashes only the signed part: a signature has several encodings, and a re-encoded token must keep its id.
function idOf(token: string): string {
  return sha256(token.slice(0, token.lastIndexOf('.'))).toString('base64url', 0, ID_BYTES);
}
