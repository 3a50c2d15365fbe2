import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Stored {
  bytes: Buffer;
  etag: string;
  modifiedAt: Date;
}

/** How the stand-in behaves. */
export interface Behavior {
  /** Answers this status to everything. */
  status?: number;
  /** Doesn't answer. */
  isSilent?: boolean;
  /** Sends fewer bytes than it says. */
  isCut?: boolean;
  /** Answers a copy with 200 and an error, as AWS does. */
  failsToCopy?: boolean;
  /** The headers that browsers may send from other sites; default: all. */
  corsHeaders?: string;
}

const [KEY, SECRET, BUCKET, REGION] = ['the key', 's3cret/+', 'bucket', 'eu-test-1'];
const PAGE = 3;
const MAX_SKEW_MS = 15 * 60_000;

/** A store for tests that speaks as much of the S3 API as Parley uses, and verifies the signature of each request itself. */
export class StandInS3 {
  readonly objects = new Map<string, Stored>();
  readonly requests: string[] = [];
  readonly refused: string[] = [];
  behavior: Behavior = {};

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<StandInS3> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const store = new StandInS3(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => void store.answer(request, response));
    return store;
  }

  /** FILES_URL. */
  get url(): string {
    const host = new URL(this.origin).host;
    return `s3://${encodeURIComponent(KEY)}:${encodeURIComponent(SECRET)}@${host}/${BUCKET}?region=${REGION}&tls=0`;
  }

  keys(): string[] {
    return [...this.objects.keys()].toSorted();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.origin);
    this.requests.push(`${request.method} ${url.pathname}`);
    if (this.behavior.isSilent) return;
    if (request.method === 'OPTIONS') return this.allow(response);
    const fault = this.behavior.status === undefined ? faultOf(request, url) : null;
    if (this.behavior.status !== undefined || fault !== null) {
      if (fault !== null) this.refused.push(`${request.method} ${url.pathname}: ${fault}`);
      request.resume();
      return fail(response, this.behavior.status ?? 403, fault === null ? 'InternalError' : 'SignatureDoesNotMatch');
    }
    const parts: Buffer[] = [];
    try {
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    } catch {
      return;
    }
    const key = decodeURIComponent(url.pathname).slice(BUCKET.length + 2);
    if (request.method === 'PUT') return this.put(key, request, response, Buffer.concat(parts));
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      response.writeHead(204).end();
    } else if (key === '') this.list(url, response);
    else this.get(key, request, response, url);
  }

  // Browsers ask without a signature.
  private allow(response: ServerResponse): void {
    response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Access-Control-Allow-Methods', 'GET, HEAD, PUT');
    response
      .setHeader('Access-Control-Allow-Headers', this.behavior.corsHeaders ?? '*')
      .writeHead(204)
      .end();
  }

  private put(key: string, { headers }: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const source = headers['x-amz-copy-source'];
    let bytes = body;
    if (typeof source === 'string') {
      const from = this.objects.get(decodeURIComponent(source).slice(BUCKET.length + 2));
      if (!from) return fail(response, 404, 'NoSuchKey');
      const match = headers['x-amz-copy-source-if-match'];
      if (match !== undefined && match !== from.etag) return fail(response, 412, 'PreconditionFailed');
      if (this.behavior.failsToCopy) return void response.end('<Error><Code>InternalError</Code></Error>');
      bytes = from.bytes;
    } else if (Number(headers['content-length']) !== body.length) return fail(response, 400, 'IncompleteBody');
    this.objects.set(key, { bytes, etag: `"${randomBytes(8).toString('hex')}"`, modifiedAt: new Date() });
    response.end(source === undefined ? '' : '<CopyObjectResult></CopyObjectResult>');
  }

  private get(key: string, request: IncomingMessage, response: ServerResponse, url: URL): void {
    const found = this.objects.get(key);
    if (!found) return fail(response, 404, 'NoSuchKey');
    const { bytes, etag } = found;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = first === undefined ? [0, bytes.length - 1] : [Number(first), Number(last)];
    const part = bytes.subarray(start, end + 1);
    response.setHeader('ETag', etag);
    for (const [name, value] of url.searchParams)
      if (name.startsWith('response-')) response.setHeader(name.slice('response-'.length), value);
    response.writeHead(first === undefined ? 200 : 206, { 'Content-Length': part.length });
    if (request.method === 'HEAD') response.end();
    else if (this.behavior.isCut) response.write(part.subarray(0, part.length - 1), () => response.destroy());
    else response.end(part);
  }

  private list(url: URL, response: ServerResponse): void {
    const after = url.searchParams.get('continuation-token') ?? '';
    const keys = this.keys().filter((key) => key > after);
    const page = keys.slice(0, PAGE);
    const contents = page.map((key) => {
      const { bytes, modifiedAt } = this.objects.get(key)!;
      return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const more = keys.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    response.end(
      `<ListBucketResult><IsTruncated>${keys.length > PAGE}</IsTruncated>${contents.join('')}${more}</ListBucketResult>`,
    );
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>secret words of the store</Message></Error>`);
}

/** Why a request isn't rightly signed; null if it is. */
function faultOf(request: IncomingMessage, url: URL): string | null {
  const isPresigned = url.searchParams.has('X-Amz-Signature');
  const given = isPresigned ? fromQuery(url) : fromHeader(request);
  if (!given) return 'no signature';
  const [key, day, region, service, end] = given.credential.split('/');
  if (key !== KEY || region !== REGION || service !== 's3' || end !== 'aws4_request') return 'the credential';
  const time = Date.parse(given.date.replace(/^(.{4})(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'));
  const age = Date.now() - time;
  if (!given.date.startsWith(day!) || Math.abs(age) > (given.expires ?? MAX_SKEW_MS)) return 'the time';
  if (!given.signedHeaders.includes('host')) return 'host is not signed';
  const unsigned = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && !given.signedHeaders.includes(name),
  );
  if (unsigned.length > 0) return `${unsigned.join()} is not signed`;
  if (isPresigned && request.method === 'PUT' && !given.signedHeaders.includes('content-length'))
    return 'the length is not signed';
  const canonical = [
    request.method,
    url.pathname,
    canonicalQuery(url),
    ...given.signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    given.signedHeaders.join(';'),
    isPresigned ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256']),
  ].join('\n');
  const scope = [day, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', given.date, scope, sha256(canonical)].join('\n');
  const signing = [day!, region, service, end].reduce<Buffer>(
    (secret, part) => hmac(secret, part!),
    Buffer.from(`AWS4${SECRET}`),
  );
  const right = Buffer.from(hmac(signing, text).toString('hex'));
  const was = Buffer.from(given.signature);
  return right.length === was.length && timingSafeEqual(right, was) ? null : 'the signature';
}

interface Given {
  credential: string;
  signedHeaders: string[];
  signature: string;
  date: string;
  expires?: number;
}

function fromQuery({ searchParams }: URL): Given {
  const get = (name: string) => searchParams.get(`X-Amz-${name}`) ?? '';
  return {
    credential: get('Credential'),
    signedHeaders: get('SignedHeaders').split(';'),
    signature: get('Signature'),
    date: get('Date'),
    expires: Number(get('Expires')) * 1000,
  };
}

function fromHeader({ headers }: IncomingMessage): Given | null {
  const form = /^AWS4-HMAC-SHA256 Credential=(.+), SignedHeaders=(.+), Signature=(\w+)$/;
  const [, credential, signedHeaders, signature] = form.exec(headers.authorization ?? '') ?? [];
  if (!credential) return null;
  return {
    credential,
    signedHeaders: signedHeaders!.split(';'),
    signature: signature!,
    date: String(headers['x-amz-date']),
  };
}

function canonicalQuery({ search }: URL): string {
  return search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => pair.split('=').map((part) => encode(decodeURIComponent(part.replaceAll('+', ' ')))))
    .toSorted(([a], [b]) => (a! < b! ? -1 : 1))
    .map(([name, value = '']) => `${name}=${value}`)
    .join('&');
}

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
