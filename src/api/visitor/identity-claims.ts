import type { JWTPayload } from 'jose';
import { type Attributes, findAttributeFault } from '../../attributes/attributes.js';
import { unauthorized } from '../../platform/http/requests/bearer.js';
import { invalid } from '../../platform/errors/problem.js';
import { hasInexactInteger, isJsonObject, isStorable } from '../../platform/lib/json.js';
import { hasAtMost } from '../../platform/validation/validators.js';

/**
 * The attributes of an identity; undefined without any.
 * @param identity the JWT: only its text shows which integers lost digits in parsing
 * @throws Problem validation_failed for attributes that aren't valid (CONTRACT: Attributes)
 */
export function claimAttributes({ attributes }: JWTPayload, identity: string): Attributes | undefined {
  if (attributes === undefined) return undefined;
  if (!isJsonObject(attributes)) throw invalid('/identity', 'has attributes that are not a JSON object');
  const fault = findAttributeFault(attributes, false);
  if (fault) throw invalid('/identity', `has attributes that are not valid: ${fault.key ?? 'they'} ${fault.detail}`);
  const text = Buffer.from(identity.split('.')[1]!, 'base64url').toString();
  if (hasInexactInteger(attributes, text))
    throw invalid('/identity', 'has attributes with an integer that loses digits; sign it as a string');
  return attributes as Attributes;
}

/** A text of an identity; undefined without it. @throws Problem unauthorized @param max the most characters */
export function claimText(value: unknown, name: string, max: number): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && hasAtMost(max, value) && isStorable(value)) return value;
  throw unauthorized(`The ${name} claim of the identity must be a string of at most ${max} characters`);
}
