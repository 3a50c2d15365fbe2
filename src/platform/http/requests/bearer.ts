import { Problem } from '../../errors/problem.js';

/** The token of an `Authorization: Bearer …` header; null when there is none. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}

export function unauthorized(detail = 'A valid token is required: send Authorization: Bearer <token>'): Problem {
  return new Problem('unauthorized', detail);
}
