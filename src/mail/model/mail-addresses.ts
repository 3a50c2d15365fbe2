import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { Config } from '../../platform/config/config.js';
import { foldText } from '../../platform/locale/fold.js';
import { deriveKeys, type Keys } from '../../platform/lib/secrets.js';

/** An address as one person has it: its case and what follows a `+` don't make another one. */
function canonicalAddress(address: string): string {
  const folded = foldText(address.trim());
  const at = folded.lastIndexOf('@');
  if (at < 0) return folded;
  const plus = folded.indexOf('+');
  return plus >= 0 && plus < at ? folded.slice(0, plus) + folded.slice(at) : folded;
}

/** Names addresses in limits without storing them. */
@Injectable()
export class MailAddresses {
  private readonly keys: Keys;

  constructor(config: Config) {
    this.keys = deriveKeys(config, 'mail addresses');
  }

  /** The key of an address in a limit. */
  limitKey(limit: string, address: string): string {
    const hash = createHmac('sha256', this.keys[0]).update(canonicalAddress(address)).digest('base64url');
    return `${limit}:${hash}`;
  }
}
