import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { deriveKeys, type Keys } from '../../platform/lib/secrets.js';
import type { ScryptJob } from './hash-threads.js';

/** The parameters of scrypt for new hashes (CONTRACT: Signing in). */
@Injectable()
export class PasswordCost {
  /** log2 of N, r, and p, in PHC form. */
  parameters = 'ln=15,r=8,p=3';
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** scrypt needs 128 bytes × N × r, 32 MB, and a little more. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/**
 * The salt of new hashes. All agents with one email address share it, in every organization, so one hash compares a password with all
 * of them: other organizations' agents with an address make no sign-in slower, and hide no right password. It can't be computed
 * without `SECRET_KEY`.
 */
@Injectable()
export class PasswordSalts {
  private readonly keys: Keys;

  constructor(config: Config) {
    this.keys = deriveKeys(config, 'password salts');
  }

  of(emailKey: string): Buffer {
    return saltOf(this.keys[0], emailKey);
  }

  /** The salts that need no new hash: nodes whose keys are being replaced one at a time keep each other's hashes. */
  current(emailKey: string): Buffer[] {
    return this.keys.map((key) => saltOf(key, emailKey));
  }
}

function saltOf(key: Buffer, emailKey: string): Buffer {
  return createHmac('sha256', key).update(emailKey).digest().subarray(0, SALT_BYTES);
}

type Scrypt = (job: ScryptJob) => Promise<Buffer>;

/** Hashes a password with scrypt, in PHC form: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(
  scrypt: Scrypt,
  password: string,
  salt: Buffer,
  { parameters }: PasswordCost,
): Promise<string> {
  return format(parameters, salt, await scrypt(jobOf(password, salt, parameters, HASH_BYTES)));
}

/**
 * A test whether a hash in PHC form is of a password, for all hashes with the parameters and salt of `like`. Computes one hash, none
 * if `like` has another form.
 */
export async function comparePassword(
  scrypt: Scrypt,
  like: string,
  password: string,
): Promise<(stored: string) => boolean> {
  const [, id, parameters, salt, hash] = like.split('$');
  if (id !== 'scrypt' || !parameters || !salt || !hash) return () => false;
  const length = Buffer.from(hash, 'base64').length;
  const actual = await scrypt(jobOf(password, Buffer.from(salt, 'base64'), parameters, length));
  return (stored) => {
    const expected = Buffer.from(stored.slice(saltedPrefixOf(stored).length), 'base64');
    return (
      saltedPrefixOf(stored) === saltedPrefixOf(like) && expected.length === length && timingSafeEqual(expected, actual)
    );
  };
}

/** What hashes have in common that one hash can be compared with: the parameters and the salt, with the `$` after them. */
export function saltedPrefixOf(stored: string): string {
  return stored.slice(0, stored.lastIndexOf('$') + 1);
}

/** Whether a hash uses the current parameters, and this salt. */
export function isCurrent(stored: string, salt: Buffer, { parameters }: PasswordCost): boolean {
  return saltedPrefixOf(stored) === saltedPrefixOf(format(parameters, salt, salt));
}

/** A hash that no password matches. Comparing with it takes as long as with a real one. */
export function makeDummy({ parameters }: PasswordCost): string {
  return format(parameters, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
}

// Normalized, because keyboards and systems encode the same character differently.
function jobOf(password: string, salt: Buffer, parameters: string, length: number): ScryptJob {
  const [ln, r, p] = parameters.split(',').map((part) => Number(part.split('=')[1])) as [number, number, number];
  return {
    password: password.normalize('NFKC'),
    salt,
    length,
    options: { N: 2 ** ln, r, p, maxmem: MAX_MEMORY_BYTES },
  };
}

function format(parameters: string, salt: Buffer, hash: Buffer): string {
  const [left, right] = [salt, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$scrypt$${parameters}$${left}$${right}`;
}
