import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { deriveKey } from '../platform/lib/secrets.js';
import { Problem } from '../platform/errors/problem.js';
import type { Uploader } from './file.js';
import { addStart, countStarts, countUnfinished, lockNames, lockQuota, type Window } from './upload-limits.queries.js';
import type { NewUpload } from './uploads.queries.js';

const MB = 1_048_576;
/** The most uploads in 10 minutes and bytes in 24 h: of a visitor, and of all visitors at one source address (CONTRACT: File limits). */
const VISITOR = { uploads: 10, bytes: 100 * MB };
const ADDRESS = { uploads: 50, bytes: 500 * MB };
const UNFINISHED_OF_VISITOR = 20;
const UNFINISHED_IN_CHAT = 200;
/** Seconds until a client may retry, because some unfinished uploads may have ended by then. */
const UNFINISHED_RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 86_400;

/** The limits of uploads, counted on all nodes together when an upload begins. */
@Injectable()
export class UploadLimits {
  private readonly key: Buffer;

  constructor(config: Config) {
    this.key = deriveKey(config.SECRET_KEY, 'source addresses of uploads');
  }

  /** Counts an upload in the transaction that stores it. @throws Problem rate_limited, quota_exceeded */
  async spend(tx: EntityManager, uploader: Uploader, upload: NewUpload): Promise<void> {
    if (uploader.type === 'VISITOR') await this.spendOfVisitor(tx, uploader, upload);
    else await this.checkChat(tx, uploader.organizationId, upload.chatId);
    const { quota, used } = await lockQuota(tx, uploader.organizationId);
    if (quota !== null && used + upload.size > quota)
      throw new Problem('quota_exceeded', 'The organization has no room left for this file');
  }

  private async spendOfVisitor(tx: EntityManager, uploader: Uploader, upload: NewUpload): Promise<void> {
    const { organizationId, id } = uploader;
    // Mails have no address. What's stored then is their visitor's own value, so that they share no window with others.
    const address = createHmac('sha256', this.key)
      .update(uploader.address ?? id)
      .digest();
    await lockNames(tx, [`uploads of ${id}`, `uploads from ${address.toString('hex')}`]);
    checkWindow(await countStarts(tx, 'sender', id), VISITOR, upload.size, 'a visitor');
    if (uploader.address !== null)
      checkWindow(await countStarts(tx, 'address', address), ADDRESS, upload.size, "visitors' source address");
    if ((await countUnfinished(tx, organizationId, { senderId: id })) >= UNFINISHED_OF_VISITOR)
      throw tooMany(`${UNFINISHED_OF_VISITOR} unfinished uploads of a visitor`, UNFINISHED_RETRY_SECONDS);
    await addStart(tx, { id: upload.id, sender: id, address, size: upload.size, createdAt: upload.createdAt });
  }

  private async checkChat(tx: EntityManager, organizationId: string, chatId: string): Promise<void> {
    // A picture has no chat.
    await lockNames(tx, [`uploads into ${chatId || organizationId}`]);
    if ((await countUnfinished(tx, organizationId, { chatId })) >= UNFINISHED_IN_CHAT)
      throw tooMany(`${UNFINISHED_IN_CHAT} unfinished uploads into a chat`, UNFINISHED_RETRY_SECONDS);
  }
}

function checkWindow(window: Window, limit: typeof VISITOR, size: number, who: string): void {
  if (window.uploads >= limit.uploads)
    throw tooMany(`${limit.uploads} uploads of ${who} in 10 minutes`, window.uploadsFreeIn);
  if (window.bytes + size > limit.bytes)
    throw tooMany(`${limit.bytes / MB} MB of uploads of ${who} in 24 hours`, window.bytesFreeIn);
}

function tooMany(limit: string, seconds: number): Problem {
  const wait = Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds)));
  return new Problem('rate_limited', `The limit is ${limit}; retry in ${wait} s`, undefined, wait);
}
