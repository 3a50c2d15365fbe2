import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('a page whose identity fails', () => {
  const stage = Stage.set();
  let visit: Visit;
  let warnings: string[];

  beforeEach(async () => {
    visit = await stage.visit({}, 'about:blank');
    warnings = [];
    visit.page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await visit.page.goto(stage.site.url);
    await visit.launcher.waitFor();
  });

  const identify = (code: string) => visit.page.evaluate(`void Parley('identify', ${code})`);

  it.each([
    ['fails', `() => Promise.reject(Error('shop is down'))`, 'shop is down'],
    ['never answers', '() => new Promise(() => {})', 'no answer for 10 s'],
    ['returns an object', '() => ({ token: 1 })', 'no text, but object'],
    ['returns a wrong token', `() => 'nonsense'`, 'must be a JWT'],
    ['is a wrong token', `'nonsense'`, 'must be a JWT'],
  ])('the visitor chats without it if it %s, and the console says why', async (_, code, reason) => {
    await identify(code);
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.say('Hello');
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
    expect(warnings.filter((text) => text.includes(reason)).length).toBeGreaterThan(0);
  });

  const hour = 3_600_000;
  it.each([
    ['an expired token is called expired', 1_600_000_000, 0],
    ['also by a clock that is years behind', 1_600_000_000, -10 * 365 * 24 * hour],
  ])('%s', async (_, exp, ahead) => {
    await visit.page.evaluate(`{ const { now } = Date; Date.now = () => now() + ${ahead}; }`);
    const key = new TextEncoder().encode(stage.tenant.identitySecret);
    const jwt = new SignJWT({ sub: 'vera', exp }).setProtectedHeader({ alg: 'HS256' });
    await identify(JSON.stringify(await jwt.sign(key)));
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.say('Hello');
    expect(warnings.join()).toContain('The identity has expired');
  });

  it('a wrong token is not called expired by a clock that is ahead', async () => {
    await visit.page.evaluate(`{ const { now } = Date; Date.now = () => now() + ${48 * hour}; }`);
    const [head, body] = (await signIdentity(stage.tenant, { sub: 'vera' })).split('.');
    await identify(JSON.stringify(`${head}.${body}.c2ln`));
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.say('Hello');
    expect(warnings.join()).toContain('must be a JWT');
    expect(warnings.join()).not.toContain('expired');
  });

  it('a function that never answers is not asked again for each message', async () => {
    await identify('() => (window.asked = (window.asked ?? 0) + 1, new Promise(() => {}))');
    await eventually(
      () => warnings,
      ({ length }) => length > 0,
    );
    const asked = await visit.page.evaluate('asked');
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.say('Hello');
    await visit.say('Are you there?');
    expect(await visit.page.evaluate('asked')).toBe(asked);
    await identify(JSON.stringify(await signIdentity(stage.tenant, { sub: 'vera' })));
    await visit.say('It is Vera');
    const { body } = await stage.tenant.bot.get('/chats').expect(200);
    expect(body.chats[0].visitor.isVerified).toBe(true);
  });

  it.each([
    ['fails', `() => Promise.reject(Error('shop is down'))`],
    ['is refused', `'nonsense'`],
  ])('no visitor is created before the first message if it %s', async (_, code) => {
    await identify(code);
    await eventually(
      () => warnings,
      ({ length }) => length > 0,
    );
    await identify(code);
    await visit.launcher.click();
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    expect(await visit.page.evaluate(`localStorage.getItem('parley:${stage.tenant.widgetKey}') ?? ''`)).not.toContain(
      'token',
    );
    await visit.say('Hello');
  });

  it('a running chat goes on when the function of a later identify never answers', async () => {
    await visit.open();
    await visit.say('Hello');
    await identify('() => new Promise(() => {})');
    await visit.say('Still here');
    await stage.say('Hi');
    await visit.sees('Hello', 'Still here', 'Hi');
  });

  it("a refused identity of another person doesn't show the chat of the first", async () => {
    await identify(JSON.stringify(await signIdentity(stage.tenant, { sub: 'vera' })));
    await visit.open();
    await visit.say('My secret');
    await identify(`'nonsense'`);
    await visit.sees();
    await visit.say('Anonymous');
    await visit.sees('Anonymous');
  });

  it('a lock that another script holds delays the chat, and nothing more', async () => {
    await visit.page.evaluate(
      `void navigator.locks.request('parley:${stage.tenant.widgetKey}', () => new Promise(() => {}))`,
    );
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
  });
});
