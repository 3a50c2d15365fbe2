import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recordedAddress } from '../../src/auth/audit/audit-changes.js';
import { CaptchaProvider } from '../support/captcha-provider.js';
import { until } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('captchas of new visitors', () => {
  let parley: Parley;
  let tenant: Tenant;
  let provider: CaptchaProvider;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
    provider = await CaptchaProvider.start();
    await tenant.admin.put('/captcha', body()).expect(200);
  });
  afterEach(() => provider.close());

  const body = (more: object = {}) => ({
    provider: 'TURNSTILE',
    siteKey: 'the-site-key',
    secret: 'the-secret',
    verifyUrl: provider.url,
    ...more,
  });
  const begin = (more: object = {}, token?: string) => parley.beginSession(tenant, more, token);

  it('a new anonymous visitor needs a response that the provider accepts, and others need none', async () => {
    expect((await begin().expect(403)).body.code).toBe('captcha_required');
    expect((await begin({ visitor: { captcha: 'guessed' } }).expect(403)).body.code).toBe('captcha_required');
    const { body: session } = await begin({ visitor: { captcha: 'solved-1' } }).expect(201);
    expect((await begin({ visitor: { captcha: 'solved-1' } }).expect(403)).body.code).toBe('captcha_required');
    await begin({}, session.token).expect(201);
    await begin({ identity: await signIdentity(tenant, { sub: 'vera' }) }).expect(201);
    expect(provider.asked[0]).toEqual({ secret: 'the-secret', response: 'guessed', names: ['secret', 'response'] });
    expect(provider.asked).toHaveLength(3);
  });

  it.each(['hangs', 'fails', 'garbage'] as const)(
    'a session waits for a later try while the provider %s, and known visitors go on',
    async (fault) => {
      const { body: session } = await begin({ visitor: { captcha: 'solved' } }).expect(201);
      provider.fault = fault;
      expect((await begin({ visitor: { captcha: 'solved-2' } }).expect(503)).body.code).toBe('unavailable');
      await begin({}, session.token).expect(201);
      provider.fault = null;
      await begin({ visitor: { captcha: 'solved-3' } }).expect(201);
    },
  );

  it("an organization whose provider hangs doesn't keep the visitors of another one waiting", async () => {
    const other = await parley.createTenant();
    const working = await CaptchaProvider.start();
    await other.admin.put('/captcha', body({ verifyUrl: working.url })).expect(200);
    provider.fault = 'hangs';
    let refused = 0;
    const begun = Array.from({ length: 250 }, async () => {
      await begin({ visitor: { captcha: 'solved' } }).expect(503);
      refused++;
    });
    await until('too many wait', async () => refused >= 50);
    await parley.beginSession(other, { visitor: { captcha: 'solved' } }).expect(201);
    await Promise.all(begun);
    await working.close();
  });

  it('the secret is sealed, is never returned, and is in no log entry of the audit', async () => {
    const captcha = { provider: 'TURNSTILE', siteKey: 'the-site-key', verifyUrl: provider.url };
    expect((await tenant.admin.get('/captcha').expect(200)).body).toEqual({ captcha });
    const { body: page } = await parley.visitor('').get(`/widget?key=${tenant.widgetKey}`).expect(200);
    expect(page.captcha).toEqual({ provider: 'TURNSTILE', siteKey: 'the-site-key' });
    const [row] = await parley.query<{ text: string }>(
      `SELECT to_jsonb(o)::text || encode(captcha_secret, 'escape') AS text FROM organizations o WHERE id = $1`,
      [tenant.id],
    );
    expect(row!.text).not.toContain('the-secret');
    const { body: log } = await tenant.admin.get('/audit?action=widget.changed').expect(200);
    const [{ changes }] = log.entries;
    expect(changes).toEqual([
      { field: 'captcha', from: null, to: { ...captcha, verifyUrl: recordedAddress(provider.url) } },
    ]);
    const verifyUrl = 'https://captcha.example.com/verify/secret-of-path?key=secret-of-query';
    await tenant.admin.put('/captcha', body({ verifyUrl })).expect(200);
    const { text } = await tenant.admin.get('/audit?action=widget.changed').expect(200);
    expect(text).toContain('https://captcha.example.com/…');
    expect(text).not.toContain('secret-of');
    for (const secret of ['another-secret', 'another-secret']) {
      await tenant.admin.put('/captcha', body({ verifyUrl, secret })).expect(200);
    }
    const { body: after, text: whole } = await tenant.admin.get('/audit?action=widget.changed').expect(200);
    expect(after.entries).toHaveLength(3);
    expect(after.entries[0].changes).toEqual([]);
    expect(whole).not.toContain('another-secret');
    await tenant.admin.delete('/captcha').expect(204);
    await begin().expect(201);
    expect((await tenant.admin.get('/captcha').expect(200)).body).toEqual({ captcha: null });
  });

  it('an invalid captcha is rejected with its field, and one organization does not see that of another', async () => {
    for (const [more, pointer] of [
      [{ provider: 'RECAPTCHA' }, '/provider'],
      [{ siteKey: '' }, '/siteKey'],
      [{ secret: 7 }, '/secret'],
      [{ verifyUrl: 'nowhere' }, '/verifyUrl'],
      [{ verifyUrl: 'http://10.0.0.1/verify' }, '/verifyUrl'],
      [{ verifyUrl: 'file:///etc/passwd' }, '/verifyUrl'],
    ] as const) {
      expect((await tenant.admin.put('/captcha', body(more)).expect(400)).body.errors).toMatchObject([{ pointer }]);
    }
    const other = await parley.createTenant();
    expect((await other.admin.get('/captcha').expect(200)).body).toEqual({ captcha: null });
    await parley.beginSession(other).expect(201);
  });
});

describe('crawlers', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  it.each([
    'Mozilla/5.0 (Linux; Android 6.0.1) Chrome/W.X.Y.Z Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/103.0.5060.134',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  ])('a crawler creates no visitor: %s', async (userAgent) => {
    const before = await parley.query('SELECT FROM visitors WHERE organization_id = $1', [tenant.id]);
    const { body } = await parley.beginSession(tenant).set('User-Agent', userAgent).expect(403);
    expect(body.code).toBe('forbidden');
    expect(await parley.query('SELECT FROM visitors WHERE organization_id = $1', [tenant.id])).toEqual(before);
  });

  it.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0.4664.45 Mobile Safari/537.36',
    'node',
    '',
  ])('a browser or a program starts a session: %s', async (userAgent) => {
    await parley.beginSession(tenant).set('User-Agent', userAgent).expect(201);
  });
});
