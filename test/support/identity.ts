import { type JWTPayload, SignJWT } from 'jose';
import type { Tenant } from './tenant.js';

/** An identity signed like the tenant's own server does: `sub` is the visitor. Valid for an hour. */
export function signIdentity({ identitySecret }: Pick<Tenant, 'identitySecret'>, claims: JWTPayload): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(identitySecret));
}
