import { Injectable } from '@nestjs/common';
import { Config } from '../common/config.js';
import { deriveKey, seal, unseal } from '../common/secrets.js';
import { keyOf, makeSecret } from './signature.js';

/** Webhook secrets, as they are kept. */
@Injectable()
export class WebhookSecrets {
  private readonly sealKey: Buffer;

  constructor({ SECRET_KEY }: Config) {
    this.sealKey = deriveKey(SECRET_KEY, 'webhook secrets');
  }

  /** A new secret: to be shown once, and to be kept. */
  make(): { secret: string; sealed: Buffer } {
    const secret = makeSecret();
    return { secret, sealed: seal(this.sealKey, secret) };
  }

  /** The signing keys, the newest first; none when they were sealed under another SECRET_KEY. */
  open(...sealed: (Buffer | null)[]): Buffer[] {
    try {
      return sealed.flatMap((one) => (one ? [keyOf(unseal(this.sealKey, one))] : []));
    } catch {
      return [];
    }
  }
}
