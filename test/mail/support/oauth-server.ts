import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** An OAuth server on loopback, which grants everything unless a test says otherwise. */
export class OAuthServer {
  /** What was asked at the token address, newest last. */
  readonly requests: Record<string, string>[] = [];
  /** The access tokens that are valid. */
  readonly valid = new Set<string>();
  /** Seconds that new access tokens are valid. */
  expiresIn = 3_600;
  /** Answers a request for a token with this status and body. */
  refusal: { status: number; body: object } | null = null;
  private readonly challenges = new Map<string, string>();
  private refreshToken = '';
  private count = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OAuthServer> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
        const [status, answer] =
          request.url === '/token' ? own.grant(Object.fromEntries(new URLSearchParams(body))) : own.introspect(bearer);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
    });
    const own = new OAuthServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return own;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get environment() {
    return {
      MAIL_OAUTH_PROVIDER: 'custom',
      MAIL_OAUTH_CLIENT_ID: 'parley',
      MAIL_OAUTH_CLIENT_SECRET: 'client-secret',
      MAIL_OAUTH_AUTHORIZE_URL: `${this.url}/authorize`,
      MAIL_OAUTH_TOKEN_URL: `${this.url}/token`,
      MAIL_OAUTH_SCOPE: 'mail offline_access',
    };
  }

  /** How often tokens were renewed. */
  get renewals(): number {
    return this.requests.filter(({ grant_type: type }) => type === 'refresh_token').length;
  }

  /** What the page does once a person has agreed: the address that the browser is led to. */
  agree(address: string): string {
    const { searchParams: given } = new URL(address);
    if (given.get('code_challenge_method') !== 'S256') throw new Error('no S256');
    const code = `code${this.challenges.size}`;
    this.challenges.set(code, given.get('code_challenge')!);
    const back = new URL(given.get('redirect_uri')!);
    back.search = new URLSearchParams({ code, state: given.get('state')! }).toString();
    return back.href;
  }

  /** Ends all access tokens. */
  endTokens(): void {
    this.valid.clear();
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
  }

  private grant(fields: Record<string, string>): [number, object] {
    this.requests.push(fields);
    if (this.refusal) return [this.refusal.status, this.refusal.body];
    const fault = this.faultOf(fields);
    if (fault !== null) return [400, { error: fault }];
    const number = ++this.count;
    const token = `access-${number}`;
    this.valid.add(token);
    // Each refresh token is valid once.
    this.refreshToken = `refresh-${number}`;
    const isApp = fields.grant_type === 'client_credentials';
    const refresh = isApp ? {} : { refresh_token: this.refreshToken };
    return [200, { access_token: token, token_type: 'Bearer', expires_in: this.expiresIn, ...refresh }];
  }

  private faultOf(fields: Record<string, string>): string | null {
    if (fields.client_id !== 'parley' || fields.client_secret !== 'client-secret') return 'invalid_client';
    if (fields.grant_type === 'client_credentials') return null;
    if (fields.grant_type === 'refresh_token')
      return fields.refresh_token === this.refreshToken ? null : 'invalid_grant';
    const challenge = createHash('sha256').update(fields.code_verifier!).digest('base64url');
    const isRight = this.challenges.get(fields.code!) === challenge;
    this.challenges.delete(fields.code!);
    return isRight ? null : 'invalid_grant';
  }

  private introspect(token: string | undefined): [number, object] {
    const active = token !== undefined && this.valid.has(token);
    return [200, active ? { active, email: 'support@parley.example' } : { active }];
  }
}
