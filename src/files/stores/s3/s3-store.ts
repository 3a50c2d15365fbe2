import { Readable } from 'node:stream';
import type { StoreUrl } from '../../../platform/config/files-url.js';
import type { ByteSource, Piece } from '../../inspect/index.js';
import type { ByteRange } from '../../../platform/http/responses/deliver-bytes.js';
import {
  bytesOfPieces,
  FileStore,
  isKey,
  MissingBytes,
  type OpenBytes,
  sizeOfPieces,
  type StoredObject,
  StoreUnavailable,
  type UploadAddress,
} from '../store.js';
import { codeIn, S3Client } from './s3-client.js';
import { textIn, textsIn } from './xml.js';

const ID_KEY = 'store-id';
const MISSING = { allowed: [404] } as const;

/** A bucket of any store with the S3 API (CONTRACT: File storage). Uses neither multipart uploads nor checksums, which some stores lack. */
export class S3Store extends FileStore {
  readonly isShared = true;
  private readonly client: S3Client;

  /** @param publicOrigin the store's address as browsers see it */
  constructor(
    private readonly url: StoreUrl,
    publicOrigin = url.origin,
  ) {
    super();
    this.client = new S3Client(url, publicOrigin);
  }

  async uploadAddress(key: string, size: number): Promise<UploadAddress> {
    return { url: await this.client.presign('PUT', key, { length: size }), headers: {} };
  }

  readAddress(key: string, headers: Record<string, string>): Promise<string> {
    const query = Object.fromEntries(
      ['Content-Type', 'Content-Disposition', 'Cache-Control'].map((name) => [
        `response-${name.toLowerCase()}`,
        headers[name]!,
      ]),
    );
    return this.client.presign('GET', key, { query });
  }

  async put(key: string, stream: Readable, size: number): Promise<void> {
    await this.client.ask({ method: 'PUT', key, body: { stream, size } });
  }

  async size(key: string): Promise<number | undefined> {
    return (await this.head(key))?.size;
  }

  /** Copies exactly the object whose size was read, because another body may arrive in between. */
  async copy(from: string, to: string): Promise<number | undefined> {
    const source = await this.head(from);
    if (!source) return undefined;
    const { text } = await this.client.ask({
      method: 'PUT',
      key: to,
      headers: {
        'x-amz-copy-source': `/${this.url.bucket}/${from}`,
        ...(source.etag !== undefined && { 'x-amz-copy-source-if-match': source.etag }),
      },
    });
    // A store may answer 200 and then report in the body that it couldn't copy.
    if (textIn(text, 'Code') !== undefined || text.includes('<Error>'))
      throw new StoreUnavailable(`copy ${codeIn(text)}`);
    const copied = await this.size(to);
    if (copied !== source.size) throw new StoreUnavailable('the copy has another size');
    return copied;
  }

  open(key: string, size: number): Promise<OpenBytes> {
    const read = async (offset: number, length: number) => {
      const end = Math.min(offset + length, size) - 1;
      const parts: Buffer[] = [];
      for await (const part of (await this.read(key, { start: offset, end })) as AsyncIterable<Buffer>)
        parts.push(part);
      return Buffer.concat(parts);
    };
    return Promise.resolve({
      size,
      read: (offset, length) => guarded(read(offset, length)),
      close: () => Promise.resolve(),
    });
  }

  rewrite(key: string, source: ByteSource, pieces: readonly Piece[]): Promise<void> {
    return this.put(key, Readable.from(bytesOfPieces(source, pieces), { objectMode: false }), sizeOfPieces(pieces));
  }

  // The store answers a PUT only when the bytes are safe.
  sync(): Promise<void> {
    return Promise.resolve();
  }

  async read(key: string, { start, end }: ByteRange): Promise<Readable> {
    const answer = await this.client.send({
      method: 'GET',
      key,
      headers: { Range: `bytes=${start}-${end}` },
      ...MISSING,
    });
    if (answer.statusCode === 404) throw new MissingBytes('the file has no bytes');
    const isPart = answer.statusCode === 206 || start === 0;
    if (isPart && Number(answer.headers['content-length']) === end - start + 1) return answer;
    answer.destroy();
    throw new StoreUnavailable('the store sends other bytes than were asked for');
  }

  async remove(key: string): Promise<void> {
    await this.client.ask({ method: 'DELETE', key, ...MISSING });
  }

  async *list(): AsyncGenerator<StoredObject> {
    for (let token: string | undefined = ''; token !== undefined;) {
      const query = { 'list-type': '2', ...(token !== '' && { 'continuation-token': token }) };
      const { text }: { text: string } = await this.client.ask({ method: 'GET', key: '', query });
      // A console of the store may have made `folder/`.
      for (const entry of contentsIn(text)) if (entry.key !== ID_KEY && isKey(entry.key)) yield entry;
      token = textIn(text, 'IsTruncated') === 'true' ? textIn(text, 'NextContinuationToken') : undefined;
    }
  }

  hasRoomFor(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async readId(): Promise<string | undefined> {
    const { status, text } = await this.client.ask({ method: 'GET', key: ID_KEY, ...MISSING });
    return status === 404 ? undefined : text.trim();
  }

  async writeId(id: string, isForced = false): Promise<string> {
    const own = isForced ? undefined : await this.readId();
    if (own !== undefined) return own;
    await this.client.ask({ method: 'PUT', key: ID_KEY, body: `${id}\n` });
    return id;
  }

  override close(): void {
    this.client.close();
  }

  private async head(key: string): Promise<{ size: number; etag: string | undefined } | undefined> {
    const { status, headers } = await this.client.ask({ method: 'HEAD', key, ...MISSING });
    if (status === 404) return undefined;
    const size = Number(headers['content-length'] ?? Number.NaN);
    if (!Number.isSafeInteger(size)) throw new StoreUnavailable('the store says no size');
    return { size, etag: headers.etag };
  }
}

function* contentsIn(xml: string): Generator<StoredObject> {
  for (const entry of textsIn(xml, 'Contents')) {
    const [key, size, modified] = [textIn(entry, 'Key'), textIn(entry, 'Size'), textIn(entry, 'LastModified')];
    if (key === undefined) throw new StoreUnavailable('the listing has an entry without a key');
    yield { key, size: Number(size), modifiedAt: new Date(modified ?? Number.NaN) };
  }
}

function guarded<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? error : new StoreUnavailable('the store broke off', { cause: error });
  });
}
