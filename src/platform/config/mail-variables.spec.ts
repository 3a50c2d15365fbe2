import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.js';
import { parseImapUrl, parseSmtpUrl } from './mail-url.js';
import { parseMailbox } from './mail-variables.js';
import { findOAuthClient } from './oauth-variables.js';

const SECRETS = { ADMIN_TOKEN: 'test-admin-token', SECRET_KEY: 'test-secret-key' };
const MAIL = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' };
const load = (environment: NodeJS.ProcessEnv = {}) => loadConfig({ ...SECRETS, ...environment });
const pem = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('SMTP_URL', () => {
  it.each([
    ['smtp://mail.example.com', 'mail.example.com', 587, false, null],
    ['smtps://mail.example.com', 'mail.example.com', 465, true, null],
    ['smtps://u%40x:p%3A%2F@mail.example.com:2465/', 'mail.example.com', 2465, true, { user: 'u@x', pass: 'p:/' }],
    ['smtp://[::1]:25', '::1', 25, false, null],
  ])('%s is read', (text, host, port, isImplicitTls, auth) =>
    expect(parseSmtpUrl(text)).toMatchObject({ host, port, isImplicitTls, auth }),
  );

  it('only a server on this machine needs no TLS', () => {
    expect(parseSmtpUrl('smtp://127.0.0.1').isLocal).toBe(true);
    expect(parseSmtpUrl('smtp://localhost').isLocal).toBe(true);
    expect(parseSmtpUrl('smtp://127.0.0.1.example.com').isLocal).toBe(false);
  });

  it('a server in a network of our own needs no TLS if the address says so', () => {
    expect(parseSmtpUrl('smtp://mailpit:1025?tls=0')).toMatchObject({ host: 'mailpit', port: 1025, isLocal: true });
    for (const text of ['smtps://a.example?tls=0', 'smtp://a.example?tls=1', 'smtp://a.example?tls=0&x'])
      expect(() => parseSmtpUrl(text)).toThrow('must be smtp:');
    expect(() => parseImapUrl('imap://u:p@a.example?tls=0')).toThrow('must be imap:');
  });

  it.each([
    'mail.example.com',
    'http://a.example',
    'smtp://',
    'smtp://hidden@a.example',
    'smtp://a:hidden@b.example/x',
    'smtps://a:%zz@b',
  ])('%s is rejected, and the error does not quote it', (SMTP_URL) => {
    const fail = () => load({ ...MAIL, SMTP_URL });
    expect(fail).toThrow(/^SMTP_URL must be smtp:\/\/user:password@host:port or smtps:/);
    expect(fail).not.toThrow(/hidden/);
  });

  it('needs MAIL_FROM', () =>
    expect(() => load({ SMTP_URL: 'smtp://a.example' })).toThrow('MAIL_FROM is required with SMTP_URL'));
});

describe('IMAP_URL', () => {
  it.each([
    ['imap://u:p@mail.example.com', 143, false],
    ['imaps://u:p@mail.example.com', 993, true],
    ['IMAPS://u:p@mail.example.com:1993/', 1_993, true],
  ])('%s is read', (text, port, isImplicitTls) =>
    expect(parseImapUrl(text)).toMatchObject({
      host: 'mail.example.com',
      port,
      isImplicitTls,
      isLocal: false,
      auth: { user: 'u', pass: 'p' },
    }),
  );

  it.each([
    'imaps://mail.example.com',
    'imaps://hidden@a.example',
    'imaps://a:hidden@b.example/Folder',
    'smtp://a:hidden@b',
  ])('%s is rejected, and the error does not quote it', (IMAP_URL) => {
    const fail = () => load({ ...MAIL, IMAP_URL });
    expect(fail).toThrow(/^IMAP_URL must be imap:\/\/user:password@host:port or imaps:/);
    expect(fail).not.toThrow(/hidden/);
  });

  it('needs SMTP_URL', () =>
    expect(() => load({ IMAP_URL: 'imaps://u:p@a.example' })).toThrow('SMTP_URL is required with IMAP_URL'));
});

describe('OAuth', () => {
  const oauth = { MAIL_OAUTH_PROVIDER: 'microsoft', MAIL_OAUTH_CLIENT_ID: 'id' };

  it('lets a user have no password', () => {
    const SMTP_URL = 'smtp://u@a.example';
    expect(load({ ...MAIL, ...oauth, SMTP_URL, IMAP_URL: 'imaps://u@a.example' }).SMTP_URL).toBe(SMTP_URL);
    expect(parseSmtpUrl(SMTP_URL).auth).toEqual({ user: 'u', pass: null });
  });

  it('a client of Microsoft has the addresses of its tenant', () =>
    expect(findOAuthClient({ ...oauth, MAIL_OAUTH_TENANT: 'example.com' })).toMatchObject({
      authorizeUrl: 'https://login.microsoftonline.com/example.com/oauth2/v2.0/authorize',
      tokenUrl: 'https://login.microsoftonline.com/example.com/oauth2/v2.0/token',
      clientSecret: null,
    }));

  it("Google's page is asked for a refresh token each time, and has no way without a person", () =>
    expect(findOAuthClient({ ...oauth, MAIL_OAUTH_PROVIDER: 'google' })).toMatchObject({
      scope: 'https://mail.google.com/',
      parameters: { access_type: 'offline', prompt: 'consent' },
      appScope: null,
    }));

  it.each([
    [{ MAIL_OAUTH_PROVIDER: 'yahoo' }, /^MAIL_OAUTH_PROVIDER must be one of microsoft, google, custom$/],
    [{ MAIL_OAUTH_PROVIDER: 'google' }, /^MAIL_OAUTH_CLIENT_ID is required with MAIL_OAUTH_PROVIDER$/],
    [{ MAIL_OAUTH_CLIENT_ID: 'id' }, /^MAIL_OAUTH_PROVIDER is required with MAIL_OAUTH_CLIENT_ID$/],
    [
      { ...oauth, MAIL_OAUTH_PROVIDER: 'custom' },
      /^MAIL_OAUTH_AUTHORIZE_URL is required with MAIL_OAUTH_PROVIDER=custom$/,
    ],
    [{ ...oauth, MAIL_OAUTH_SCOPE: 'mail' }, /^MAIL_OAUTH_SCOPE needs MAIL_OAUTH_PROVIDER=custom$/],
    [{ ...oauth, MAIL_OAUTH_TENANT: 'a/b' }, /^MAIL_OAUTH_TENANT must be a tenant id/],
    [{ ...oauth, MAIL_OAUTH_TOKEN_URL: 'http://a.example' }, /^MAIL_OAUTH_TOKEN_URL must be an https address/],
  ])('%j is rejected', (given, error) => expect(() => load({ ...MAIL, ...given })).toThrow(error));
});

describe('MAIL_FROM', () => {
  it.each([
    ['a@example.com', null, 'a@example.com'],
    ['Acme <a@example.com>', 'Acme', 'a@example.com'],
    ['"Acme, Inc." <a@example.com>', 'Acme, Inc.', 'a@example.com'],
  ])('%s is read', (text, name, address) => expect(parseMailbox(text)).toEqual({ name, address }));

  it.each(['Acme', 'Acme <>', 'a@b@c.example <x>', 'A\nB <a@example.com>', 'a@exa mple.com'])(
    '%j is rejected',
    (MAIL_FROM) => expect(() => load({ MAIL_FROM })).toThrow(/^MAIL_FROM must be an e-mail address/),
  );
});

describe('the address for replies', () => {
  it('a long local part is rejected', () => {
    const long = `${'a'.repeat(31)}@example.com`;
    expect(() => load({ ...MAIL, MAIL_REPLY_ADDRESS: long })).toThrow(/^MAIL_REPLY_ADDRESS must have at most 30/);
    expect(() => load({ ...MAIL, MAIL_FROM: long })).toThrow(/^MAIL_REPLY_ADDRESS is required, because MAIL_FROM/);
    expect(load({ ...MAIL, MAIL_FROM: long, MAIL_REPLY_ADDRESS: 'a@example.com' }).MAIL_FROM).toBe(long);
  });
});

describe('the DKIM key', () => {
  const dkim = { MAIL_DKIM_DOMAIN: 'example.com', MAIL_DKIM_SELECTOR: 'parley1' };

  it('a key on one line is accepted', () => {
    const MAIL_DKIM_KEY = pem(1_024).replaceAll('\n', '\\n');
    expect(load({ ...MAIL, ...dkim, MAIL_DKIM_KEY }).MAIL_DKIM_KEY).toBe(MAIL_DKIM_KEY);
  });

  it.each(['hidden', pem(512)])('a wrong one is rejected, and the error does not quote it', (MAIL_DKIM_KEY) => {
    const fail = () => load({ ...MAIL, ...dkim, MAIL_DKIM_KEY });
    expect(fail).toThrow(/^MAIL_DKIM_KEY must be an RSA private key/);
    expect(fail).not.toThrow(/hidden|BEGIN/);
  });

  it('needs its two names', () =>
    expect(() => load({ ...MAIL, MAIL_DKIM_DOMAIN: 'example.com' })).toThrow(
      'MAIL_DKIM_SELECTOR is required with MAIL_DKIM_DOMAIN',
    ));
});

it.each(['0', '1000001', 'many'])('MAIL_MAX_PER_HOUR %s is rejected', (MAIL_MAX_PER_HOUR) =>
  expect(() => load({ MAIL_MAX_PER_HOUR })).toThrow(/^MAIL_MAX_PER_HOUR must be an integer from 1/),
);

it('MAIL_RETRY_SECONDS is a list of numbers', () => {
  expect(load().MAIL_RETRY_SECONDS).toEqual([60, 300, 900, 3_600]);
  expect(load({ MAIL_RETRY_SECONDS: '1, 2' }).MAIL_RETRY_SECONDS).toEqual([1, 2]);
  expect(() => load({ MAIL_RETRY_SECONDS: 'soon' })).toThrow(/^MAIL_RETRY_SECONDS must be up to 50 numbers/);
});
