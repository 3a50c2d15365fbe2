import { Injectable, Logger } from '@nestjs/common';
import { createHmac, randomBytes } from 'node:crypto';
import { Config } from '../platform/config/config.js';
import { deriveKeys, type Keys, seal, unseal } from '../platform/lib/secrets.js';
import { LogSampler } from '../platform/telemetry/log-sampler.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * Creates and opens sealed webhook secrets. Each is bound to its webhook, so that it can't be opened in another webhook's row.
 */
@Injectable()
export class WebhookSecrets {
  private readonly logger = new Logger(WebhookSecrets.name);
  private readonly lines = new LogSampler((omitted) =>
    this.logger.warn({ omitted }, "could not decrypt further webhooks' secrets"),
  );
  private readonly sealKeys: Keys;

  constructor(config: Config) {
    this.sealKeys = deriveKeys(config, 'webhook secrets');
  }

  /** Creates a webhook's secret: its text, which is shown once, and its sealed form, which is stored. */
  make(organizationId: string, webhookId: string): { secret: string; sealed: Buffer } {
    const secret = makeSecret();
    return { secret, sealed: seal(this.sealKeys, `${organizationId}/${webhookId}`, secret) };
  }

  /**
   * The signing keys of a webhook, newest first. Secrets that can't be opened are left out. `row` is `organizationId/webhookId`.
   */
  open(row: string, ...sealed: (Buffer | null)[]): Buffer[] {
    return sealed.flatMap((one) => (one ? this.openOne(row, one) : []));
  }

  private openOne(row: string, sealed: Buffer): Buffer[] {
    try {
      return [keyOf(unseal(this.sealKeys, row, sealed))];
    } catch (err) {
      if (this.lines.admits(row)) this.logger.warn({ err, webhook: row }, "could not decrypt a webhook's secret");
      return [];
    }
  }
}

/** Creates a secret in the form of Standard Webhooks 1.0: `whsec_` and 32 bytes in base64. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The HMAC key in a secret. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** The `webhook-signature` header: one signature per key, over `id.timestamp.payload`. */
export function sign(keys: readonly Buffer[], id: string, timestamp: number, payload: string): string {
  const signed = `${id}.${timestamp}.${payload}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}
