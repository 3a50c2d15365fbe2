import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CaptchaProvider } from '../support/captcha-provider.js';
import { until } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('captchas of many organizations', () => {
  let parley: Parley;
  let working: CaptchaProvider;
  let healthy: Tenant;
  let visits = 0;

  beforeAll(async () => {
    parley = await Parley.start({
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      NEW_VISITOR_LIMIT: '0',
      VISITOR_RATE_LIMIT: '0',
    });
    working = await CaptchaProvider.start();
    healthy = await create(working);
  });
  afterAll(async () => {
    await working.close();
    await parley.stop();
  });

  const create = async (provider: CaptchaProvider) => {
    const tenant = await parley.createTenant({ hasBot: false });
    const settings = { provider: 'TURNSTILE', siteKey: 'the-site-key', secret: 'the-secret', verifyUrl: provider.url };
    await tenant.admin.put('/captcha', settings).expect(200);
    return tenant;
  };
  const visit = async (tenant: Tenant) => {
    const { status } = await parley.beginSession(tenant, { visitor: { captcha: `solved-${++visits}` } });
    return status;
  };

  it.each([
    ['4 organizations whose providers never answer', 4, 60, false],
    ['50 organizations whose providers never answer', 50, 10, false],
    ['4 organizations whose providers answer once and then hang', 4, 60, true],
  ])("%s don't refuse the visitors of another one", async (_, organizations, visitors, hasAnswered) => {
    const provider = await CaptchaProvider.start();
    const silent = await Promise.all(Array.from({ length: organizations }, () => create(provider)));
    if (hasAnswered) for (const tenant of silent) expect(await visit(tenant)).toBe(201);
    provider.fault = 'hangs';
    const before = provider.asked.length;
    const hanging = silent.flatMap((tenant) => Array.from({ length: visitors }, () => visit(tenant)));
    // On a slow machine, the first checks time out before all are asked, and the provider is paused.
    let isOver = false;
    void Promise.all(hanging).then(() => (isOver = true));
    await until('200 are asked, or all are refused', () => isOver || provider.asked.length - before >= 200);
    expect(await visit(healthy)).toBe(201);
    const statuses = await Promise.all(Array.from({ length: 40 }, () => visit(healthy)));
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([503]));
    // A provider that didn't answer three times isn't asked again immediately. Of 50 organizations, each has fewer checks.
    const asked = provider.asked.length;
    expect(await visit(silent[0]!)).toBe(503);
    if (organizations < 50) expect(provider.asked).toHaveLength(asked);
    await provider.close();
  });
});
