import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { overloaded } from '../platform/errors/problem.js';
import { OutboundAgent } from '../platform/outbound/outbound-agent.js';
import { readAnswer } from '../platform/outbound/read-answer.js';
import { MAX_PICTURE_BYTES } from './picture-choice.js';
import { PictureRefused } from './picture-files.js';

/** How long the host of a picture may take, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Pictures that a node fetches at a time, of all organizations and of one. */
export const MAX_FETCHES = 16;
export const MAX_FETCHES_OF_ORGANIZATION = 4;

/** Fetches pictures of other hosts, so that visitors' browsers don't (CONTRACT: Pictures). Follows no redirects. */
@Injectable()
export class PictureFetches implements OnModuleDestroy {
  private readonly running: string[] = [];

  constructor(private readonly agent: OutboundAgent) {}

  onModuleDestroy(): Promise<void> {
    return this.agent.close();
  }

  /** The bytes at an address. @throws PictureRefused; Problem unavailable if too many run */
  async fetch(organizationId: string, url: string): Promise<Buffer> {
    const own = this.running.filter((other) => other === organizationId).length;
    if (this.running.length >= MAX_FETCHES || own >= MAX_FETCHES_OF_ORGANIZATION)
      throw overloaded('Too many pictures are fetched');
    this.running.push(organizationId);
    try {
      return await this.get(url);
    } finally {
      this.running.splice(this.running.indexOf(organizationId), 1);
    }
  }

  private async get(url: string): Promise<Buffer> {
    const headers = { accept: 'image/png, image/jpeg, image/webp', 'user-agent': 'Parley' };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_PICTURE_BYTES };
    const { status, body } = await readAnswer(this.agent, url, { method: 'GET', headers }, limits).catch(
      ({ message }: Error) => {
        throw new PictureRefused(`can't be fetched: ${message}`);
      },
    );
    if (status === 200) return body;
    throw new PictureRefused(`can't be fetched: answered ${status}`);
  }
}
