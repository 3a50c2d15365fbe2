import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/eventually.js';

/** A notification that arrived for a browser. */
export interface ArrivedPush {
  headers: Record<string, string>;
  /** The decrypted payload. */
  payload: { web_push: number; notification: Record<string, any>; app_badge: string };
  /** The number of decrypted bytes. */
  bytes: number;
  /** The claims of the VAPID token, whose signature is valid. */
  claims: { aud: string; exp: number; sub: string };
  /** The key that signed it. */
  publicKey: string;
}

type Answer = (response: ServerResponse) => void;

/** A push service on loopback, which decrypts as browsers do (RFC 8291), and keeps what it took. */
export class PushService {
  private readonly browsers = new Map<string, FakeBrowser>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<PushService> {
    const server = createServer();
    const service = new PushService(server);
    server.on('request', (request, response) => void service.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  /** The environment of a service that may reach this one. */
  readonly environment = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', PUBLIC_URL: 'https://chat.example.com' };

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A browser with an endpoint of this service. */
  browser(): FakeBrowser {
    const path = `/send/${randomBytes(12).toString('hex')}`;
    const browser = new FakeBrowser(this.origin + path);
    this.browsers.set(path, browser);
    return browser;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const browser = this.browsers.get(request.url!);
    if (!browser) return void response.writeHead(404).end();
    browser.take(request.headers as Record<string, string>, Buffer.concat(chunks), response);
  }
}

/** A browser that subscribed. */
export class FakeBrowser {
  readonly arrived: ArrivedPush[] = [];
  answer: Answer = (response) => response.writeHead(201).end();
  private readonly key: ECDH = createECDH('prime256v1');
  private readonly auth = randomBytes(16);

  constructor(readonly endpoint: string) {
    this.key.generateKeys();
  }

  /** The subscription as a browser makes it. */
  get subscription() {
    const keys = { p256dh: this.key.getPublicKey('base64url'), auth: this.auth.toString('base64url') };
    return { endpoint: this.endpoint, expirationTime: null, keys };
  }

  /** Answers with a status from now on. */
  refuse(status: number, headers: Record<string, string> = {}): void {
    this.answer = (response) => response.writeHead(status, headers).end('no');
  }

  accept(): void {
    this.answer = (response) => response.writeHead(201).end();
  }

  /** Waits until this many have arrived. */
  count(count: number): Promise<ArrivedPush[]> {
    return eventually(
      () => this.arrived,
      ({ length }) => length >= count,
    );
  }

  take(headers: Record<string, string>, body: Buffer, response: ServerResponse): void {
    const plain = this.decrypt(body);
    const { claims, publicKey } = readVapid(headers.authorization!);
    const payload = JSON.parse(plain.toString()) as ArrivedPush['payload'];
    this.arrived.push({ headers, payload, bytes: plain.length, claims, publicKey });
    this.answer(response);
  }

  // RFC 8188 and 8291: salt (16), record size (4), length of the key (1), the sender's key, ciphertext.
  private decrypt(body: Buffer): Buffer {
    const salt = body.subarray(0, 16);
    const keyEnd = 21 + body[20]!;
    const senderKey = body.subarray(21, keyEnd);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.key.getPublicKey(), senderKey]);
    const secret = Buffer.from(hkdfSync('sha256', this.key.computeSecret(senderKey), this.auth, info, 32));
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2));
  }
}

function readVapid(header: string): Pick<ArrivedPush, 'claims' | 'publicKey'> {
  const [, token, publicKey] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header)!;
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  const point = Buffer.from(publicKey!, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.toString('base64url', 1, 33),
    y: point.toString('base64url', 33, 65),
  };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const isValid = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!isValid) throw new Error('the VAPID token has a wrong signature');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), publicKey: publicKey! };
}
