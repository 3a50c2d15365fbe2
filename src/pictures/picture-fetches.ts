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
  /** Of each organization, the oldest first. */
  private readonly running = new Map<string, Set<AbortController>>();

  constructor(private readonly agent: OutboundAgent) {}

  onModuleDestroy(): Promise<void> {
    return this.agent.close();
  }

  /** The bytes at an address. @throws PictureRefused; Problem unavailable if too many run */
  async fetch(organizationId: string, url: string): Promise<Buffer> {
    const own = this.running.get(organizationId) ?? new Set();
    if (own.size >= MAX_FETCHES_OF_ORGANIZATION) throw tooMany();
    this.makeRoom(own.size);
    const fetching = new AbortController();
    this.running.set(organizationId, own.add(fetching));
    try {
      return await this.get(url, fetching.signal);
    } finally {
      this.remove(organizationId, fetching);
    }
  }

  // While all places are taken, an organization with fewer fetches takes one from the organization with the most. The oldest has had the
  // most time.
  private makeRoom(own: number): void {
    const all = Array.from(this.running);
    if (all.reduce((sum, [, { size }]) => sum + size, 0) < MAX_FETCHES) return;
    const [organizationId, most] = all.toSorted(([, one], [, other]) => other.size - one.size)[0]!;
    if (most.size <= own) throw tooMany();
    const [oldest] = most;
    this.remove(organizationId, oldest!);
    oldest!.abort(new Error('another one took its place'));
  }

  private remove(organizationId: string, fetching: AbortController): void {
    const own = this.running.get(organizationId);
    own?.delete(fetching);
    if (own?.size === 0) this.running.delete(organizationId);
  }

  private async get(url: string, signal: AbortSignal): Promise<Buffer> {
    const headers = { accept: 'image/png, image/jpeg, image/webp', 'user-agent': 'Parley' };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_PICTURE_BYTES, signal };
    const { status, body } = await readAnswer(this.agent, url, { method: 'GET', headers }, limits).catch(
      ({ message }: Error) => {
        if (signal.aborted) throw tooMany();
        throw new PictureRefused(`can't be fetched: ${message}`);
      },
    );
    if (status === 200) return body;
    throw new PictureRefused(`can't be fetched: answered ${status}`);
  }
}

const tooMany = () => overloaded('Too many pictures are fetched');
