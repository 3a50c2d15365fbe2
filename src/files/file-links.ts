import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Config } from '../platform/config/config.js';
import { parseStoreUrl } from '../platform/config/files-url.js';
import { deriveKeys, type Keys } from '../platform/lib/secrets.js';
import { encodeName } from './inspect/index.js';
import type { FileView, StoredFile } from './file.js';
import { withoutTrailingSlashes } from '../platform/lib/web-url.js';

const HOUR_MS = 3_600_000;
/** Seconds that an endpoint's link to a file is valid. */
const ENDPOINT_SECONDS = 900;
/** Characters of a signature: 192 bits. */
const SIGNATURE_LENGTH = 32;

export type LinkPurpose = 'files' | 'uploads';

/** The addresses of files, and their signatures (CONTRACT: Delivery of files). */
@Injectable()
export class FileLinks {
  private readonly keys: Record<LinkPurpose, Keys>;

  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {
    this.keys = { files: deriveKeys(config, 'file links'), uploads: deriveKeys(config, 'upload links') };
  }

  /** Adds an address for agents and visitors. It's valid for 1 to 2 h, and the same within an hour, so that browsers cache the bytes. */
  signed<F extends StoredFile>(file: F): F & FileView {
    return this.until(file, (Math.floor(Date.now() / HOUR_MS) + 2) * (HOUR_MS / 1000));
  }

  /** Adds an address for the endpoints of bots by address, valid for 15 minutes (CONTRACT: Bots by address). */
  forEndpoint<F extends StoredFile>(file: F): F & FileView {
    return this.until(file, Math.floor(Date.now() / 1000) + ENDPOINT_SECONDS);
  }

  /** Adds an address for bots, which fetch the bytes with their token. */
  ofBots<F extends StoredFile>(file: F): F & FileView {
    return { ...file, url: `${this.publicUrl}/api/bot/files/${file.id}` };
  }

  /** The address of a public picture. It never changes, and needs no signature. */
  picture(id: string): string {
    return `${this.origin}/files/${id}/picture`;
  }

  /** The address that an upload's bytes are sent to. */
  upload(id: string, expiresAt: Date): string {
    return this.address('uploads', id, Math.floor(expiresAt.getTime() / 1000), '');
  }

  /** The origins of these addresses and of presigned ones, for the Content-Security-Policy of a page of our own. */
  get origins(): string[] {
    const { FILES_URL, FILES_PUBLIC_URL } = this.config;
    const store = FILES_URL === undefined ? [] : [FILES_PUBLIC_URL ?? parseStoreUrl(FILES_URL).origin];
    return [this.origin, ...store].map((address) => new URL(address).origin);
  }

  /** Whether an address was signed for this id, and hasn't expired. */
  isValid(purpose: LinkPurpose, id: string, expires: unknown, signature: unknown): boolean {
    if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false;
    if (Number(expires) * 1000 < Date.now()) return false;
    const given = Buffer.from(signature);
    return this.keys[purpose].some((key) => {
      const right = Buffer.from(sign(key, id, Number(expires)));
      return right.length === given.length && timingSafeEqual(right, given);
    });
  }

  private until<F extends StoredFile>(file: F, expires: number): F & FileView {
    return { ...file, url: this.address('files', file.id, expires, `/${encodeName(file.name)}`) };
  }

  private address(purpose: LinkPurpose, id: string, expires: number, name: string): string {
    const signature = sign(this.keys[purpose][0], id, expires);
    return `${this.origin}/${purpose}/${id}${name}?expires=${expires}&signature=${signature}`;
  }

  private get origin(): string {
    return this.config.FILES_ORIGIN === undefined ? this.publicUrl : new URL(this.config.FILES_ORIGIN).origin;
  }

  private get publicUrl(): string {
    return withoutTrailingSlashes(this.config.PUBLIC_URL ?? this.ownUrl);
  }

  // Without PUBLIC_URL, the service is used on its own machine. Asks the server for its port, because PORT may be 0.
  private get ownUrl(): string {
    const { HOST, PORT } = this.config;
    const address = (this.host.httpAdapter.getHttpServer() as Server).address() as AddressInfo | null;
    const name = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
    return `http://${name.includes(':') ? `[${name}]` : name}:${address?.port ?? PORT}`;
  }
}

function sign(key: Buffer, id: string, expires: number): string {
  return createHmac('sha256', key).update(`${id} ${expires}`).digest('base64url').slice(0, SIGNATURE_LENGTH);
}
