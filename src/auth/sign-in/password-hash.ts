import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ScryptJob } from './hash-threads.js';

/** The parameters of scrypt for new hashes (CONTRACT section 7). */
@Injectable()
export class PasswordCost {
  /** log2 of N, r, and p, in PHC form. */
  parameters = 'ln=15,r=8,p=3';
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** scrypt needs 128 bytes × N × r, 32 MB, and a little more. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

type Scrypt = (job: ScryptJob) => Promise<Buffer>;

/** Hashes a password with scrypt and a new salt, in PHC form: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(scrypt: Scrypt, password: string, { parameters }: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(parameters, salt, await scrypt(jobOf(password, salt, parameters, HASH_BYTES)));
}

/** Whether a password matches a hash in PHC form, computed with the hash's own parameters; false if the hash has another form. */
export async function isPasswordOf(scrypt: Scrypt, stored: string, password: string): Promise<boolean> {
  const [, id, parameters, salt, hash] = stored.split('$');
  if (id !== 'scrypt' || !parameters || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const actual = await scrypt(jobOf(password, Buffer.from(salt, 'base64'), parameters, expected.length));
  return timingSafeEqual(expected, actual);
}

/** Whether a hash uses the current parameters. */
export function isCurrent(stored: string, { parameters }: PasswordCost): boolean {
  return stored.startsWith(`$scrypt$${parameters}$`);
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
