import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { deriveKey, seal, unseal } from '../platform/lib/secrets.js';
import { keyOf, makeSecret } from './signature.js';

/**
 * Creates and opens the sealed webhook secrets. Each is bound to its webhook, so that it cannot be opened in another's
 * row.
 */
@Injectable()
export class WebhookSecrets {
  private readonly logger = new Logger(WebhookSecrets.name);
  private readonly sealKey: Buffer;

  constructor({ SECRET_KEY }: Config) {
    this.sealKey = deriveKey(SECRET_KEY, 'webhook secrets');
  }

  /** Creates a webhook's secret: its text, which is shown once, and its sealed form, which is stored. */
  make(organizationId: string, webhookId: string): { secret: string; sealed: Buffer } {
    const secret = makeSecret();
    return { secret, sealed: seal(this.sealKey, `${organizationId}/${webhookId}`, secret) };
  }

  /**
   * The signing keys of a webhook, the newest first; secrets that cannot be opened are left out. `row` is
   * `organizationId/webhookId`.
   */
  open(row: string, ...sealed: (Buffer | null)[]): Buffer[] {
    return sealed.flatMap((one) => (one ? this.openOne(row, one) : []));
  }

  private openOne(row: string, sealed: Buffer): Buffer[] {
    try {
      return [keyOf(unseal(this.sealKey, row, sealed))];
    } catch (err) {
      this.logger.warn({ err, webhook: row }, 'the secret of a webhook cannot be opened');
      return [];
    }
  }
}
