import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { checkSmtp } from '../../src/cli/doctor/mail/smtp.js';
import { MailTokens } from '../../src/mail/oauth/mail-tokens.service.js';
import { storeCheck } from '../../src/platform/database/key/key-check.js';
import { Cli } from '../support/cli.js';
import { until } from '../support/eventually.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { Authorizing } from './support/authorize.js';
import { MailServer } from './support/mail-server.js';
import { hasten, untilMail } from './support/mails.js';
import { OAuthServer } from './support/oauth-server.js';

const SECRET_KEY = 'a-secret-key-of-this-test';
const USER = 'support@parley.example';

describe('OAuth', () => {
  let server: MailServer;
  let oauth: OAuthServer;
  let parley: Parley;
  let tenant: Tenant;
  let environment: Record<string, string>;

  beforeAll(async () => {
    server = await MailServer.start();
    oauth = await OAuthServer.start();
    server.behaviour = { onToken: (token) => oauth.valid.has(token) };
    const SMTP_URL = `smtp://${encodeURIComponent(USER)}@127.0.0.1:${server.port}`;
    const mail = { ...server.environment, SMTP_URL, ...oauth.environment, SECRET_KEY };
    parley = await Parley.start(mail);
    // As a start of the service does.
    await storeCheck((text, values) => parley.query(text, values) as never, { SECRET_KEY });
    tenant = await parley.createTenant();
    environment = { ...mail, DATABASE_URL: parley.databaseUrl, ADMIN_TOKEN };
  });
  afterEach(() => {
    oauth.refusal = null;
    oauth.expiresIn = 3_600;
  });
  afterAll(async () => {
    await parley.stop();
    await server.close();
    await oauth.close();
  });

  const send = (to: string) => tenant.admin.post('/mail/test', { to }).expect(202);
  const isSent = ({ status }: { status: string }) => status === 'SENT';
  const authorize = async () => {
    const authorizing = await Authorizing.start(environment);
    expect((await fetch(oauth.agree(authorizing.address))).status).toBe(200);
    expect(await authorizing.end()).toBe(0);
  };

  it('before anyone has authorized, mails wait, and doctor names the command', async () => {
    await send('early@example.com');
    const mail = await untilMail(tenant, 'early@example.com', ({ attempts }) => attempts === 1);
    expect(mail).toMatchObject({ status: 'WAITING', lastError: expect.stringContaining('npx parley mail authorize') });
    // As after any refusal, in an hour.
    expect(Date.parse(mail.nextAttemptAt!) - Date.now()).toBeGreaterThan(3_000_000);
    expect(await checkSmtp(environment)).toEqual({
      name: 'SMTP',
      status: 'warning',
      detail: 'the mail servers are not authorized',
      advice: 'run npx parley mail authorize',
    });
  });

  it('the answer counts only with the state of the question', async () => {
    const authorizing = await Authorizing.start(environment);
    const { searchParams: asked } = new URL(authorizing.address);
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'parley',
      redirect_uri: authorizing.redirect,
      scope: 'mail offline_access',
      code_challenge_method: 'S256',
      login_hint: USER,
    });
    expect((await fetch(`${authorizing.redirect}/?code=stolen&state=${'x'.repeat(32)}`)).status).toBe(404);
    authorizing.paste(`${authorizing.redirect}/?code=stolen`);
    await until('it says so', () => authorizing.stderr.includes('not the address of the last page'));
    expect(oauth.requests).toEqual([]);
    authorizing.paste(oauth.agree(authorizing.address));
    expect(await authorizing.end()).toBe(0);
    expect(oauth.requests).toHaveLength(1);
    const [row] = await parley.query<{ sealed: Buffer }>('SELECT sealed FROM mail_authorizations');
    expect(row!.sealed.toString('latin1')).not.toMatch(/access-|refresh-/);
  });

  it('a person who refuses ends the command', async () => {
    const authorizing = await Authorizing.start(environment);
    const state = new URL(authorizing.address).searchParams.get('state')!;
    await fetch(`${authorizing.redirect}/?error=access_denied&state=${state}`);
    expect(await authorizing.end()).toBe(1);
    expect(authorizing.stderr).toContain('the provider refuses: access_denied');
  });

  it('with the key of another service, nothing is asked or stored', async () => {
    const { code, stderr } = await new Cli({ ...environment, SECRET_KEY: 'another-secret-key' }).run(
      'mail',
      'authorize',
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining("SECRET_KEY isn't the key of the database")]);
  });

  it('mails are sent with the token', async () => {
    await authorize();
    await hasten(parley);
    await untilMail(tenant, 'early@example.com', isSent);
    expect(server.users.at(-1)).toBe(USER);
    expect(await checkSmtp(environment)).toMatchObject({ status: 'ok' });
  });

  it('a token that the server refuses is renewed once for several mails together', async () => {
    const before = oauth.renewals;
    oauth.endTokens();
    const addresses = Array.from({ length: 6 }, (_, index) => `together${index}@example.com`);
    for (const to of addresses) await send(to);
    for (const to of addresses) await untilMail(tenant, to, isSent);
    expect(oauth.renewals - before).toBe(1);
  });

  it('a token is renewed before its end, by one of two nodes', async () => {
    oauth.expiresIn = 240;
    await authorize();
    oauth.expiresIn = 3_600;
    const before = oauth.renewals;
    const other = await Parley.start(environment, parley.databaseUrl);
    try {
      await Promise.all([parley, other].map(({ app }) => app.get(MailTokens).renewEarly()));
      expect(oauth.renewals - before).toBe(1);
      await parley.app.get(MailTokens).renewEarly();
      expect(oauth.renewals - before).toBe(1);
    } finally {
      await other.stop();
    }
  });

  it('each renewal uses the newest refresh token', async () => {
    const tokens = parley.app.get(MailTokens);
    const first = await tokens.get();
    const second = await tokens.get(first);
    const third = await tokens.get(second);
    expect(new Set([first, second, third]).size).toBe(3);
    // A node that's late gets the newest one, and renews nothing.
    const before = oauth.renewals;
    expect(await tokens.get(first)).toBe(third);
    expect(oauth.renewals).toBe(before);
  });

  it('an outage of the OAuth server is retried, and no reason to authorize again', async () => {
    oauth.refusal = { status: 503, body: {} };
    oauth.endTokens();
    await send('outage@example.com');
    const { lastError } = await untilMail(tenant, 'outage@example.com', ({ attempts }) => attempts === 1);
    expect(lastError).toBe('the OAuth server answered 503 (no reason)');
    oauth.refusal = null;
    await hasten(parley);
    await untilMail(tenant, 'outage@example.com', isSent);
  });

  it('after a refusal, mails wait, nothing is asked for an hour, and authorizing again helps', async () => {
    oauth.refusal = { status: 400, body: { error: 'invalid_grant', error_description: 'revoked' } };
    oauth.endTokens();
    await send('revoked@example.com');
    const { lastError } = await untilMail(tenant, 'revoked@example.com', ({ attempts }) => attempts === 1);
    expect(lastError).toBe('the OAuth server answered 400 (invalid_grant: revoked); run npx parley mail authorize');
    const before = oauth.requests.length;
    await send('later@example.com');
    await untilMail(tenant, 'later@example.com', ({ attempts }) => attempts === 1);
    expect(oauth.requests).toHaveLength(before);
    expect(await checkSmtp(environment)).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('invalid_grant: revoked'),
      advice: 'run npx parley mail authorize',
    });
    oauth.refusal = null;
    await authorize();
    await hasten(parley);
    for (const to of ['revoked@example.com', 'later@example.com']) await untilMail(tenant, to, isSent);
  });

  it("--app uses the client's own credentials, and so does each renewal", async () => {
    const { code } = await new Cli(environment).run('mail', 'authorize', '--app');
    expect(code).toBe(0);
    const tokens = parley.app.get(MailTokens);
    await tokens.get(await tokens.get());
    const types = oauth.requests.slice(-2).map(({ grant_type: type }) => type);
    expect(types).toEqual(['client_credentials', 'client_credentials']);
  });

  it('a new SECRET_KEY can read the tokens once they were encrypted again', async () => {
    const keys = { SECRET_KEY: 'the-next-secret-key', SECRET_KEY_PREVIOUS: SECRET_KEY };
    const token = await parley.app.get(MailTokens).get();
    const both = await Parley.start({ ...environment, ...keys }, parley.databaseUrl);
    try {
      expect(await both.app.get(MailTokens).get()).toBe(token);
      await new Cli({ ADMIN_TOKEN, PARLEY_URL: both.url }).say('secrets', 'reseal');
    } finally {
      await both.stop();
    }
    const next = await Parley.start({ ...environment, SECRET_KEY: keys.SECRET_KEY }, parley.databaseUrl);
    try {
      expect(await next.app.get(MailTokens).get()).toBe(token);
    } finally {
      await next.stop();
    }
  });
});
