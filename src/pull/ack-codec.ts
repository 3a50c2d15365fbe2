import { Injectable } from '@nestjs/common';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Config } from '../platform/config/config.js';
import { Problem } from '../platform/errors/problem.js';
import { deriveKeys, type Keys } from '../platform/lib/secrets.js';

const RANDOM_BYTES = 16;
const CODE_BYTES = 16;

interface Bot {
  organizationId: string;
  botId: string;
}

/**
 * Creates and verifies the `ack` of each poll response (CONTRACT: Polling for events). An `ack` is random, so it's never issued twice,
 * even if a crash loses the last commits or a backup is restored. It carries a message authentication code for its bot, so a
 * genuine old `ack` is recognized without being stored.
 */
@Injectable()
export class AckCodec {
  private readonly keys: Keys;

  constructor(config: Config) {
    this.keys = deriveKeys(config, 'acks of pulled events');
  }

  create(bot: Bot): string {
    const random = randomBytes(RANDOM_BYTES);
    return Buffer.concat([random, codeOf(this.keys[0], bot, random)]).toString('base64url');
  }

  /** @throws Problem validation_failed if this bot was never given the `ack` */
  verify(bot: Bot, ack: string): void {
    const bytes = Buffer.from(ack, 'base64url');
    const isWhole = bytes.length === RANDOM_BYTES + CODE_BYTES && bytes.toString('base64url') === ack;
    const random = bytes.subarray(0, RANDOM_BYTES);
    const code = bytes.subarray(RANDOM_BYTES);
    if (isWhole && this.keys.some((key) => timingSafeEqual(code, codeOf(key, bot, random)))) return;
    const detail = 'is not valid for this bot: use the ack of a response to this bot, or leave it out';
    throw new Problem('validation_failed', `ack ${detail}`, [{ parameter: 'ack', detail }]);
  }
}

function codeOf(key: Buffer, { organizationId, botId }: Bot, random: Buffer): Buffer {
  const code = createHmac('sha256', key).update(`${organizationId}/${botId}\n`).update(random).digest();
  return code.subarray(0, CODE_BYTES);
}
