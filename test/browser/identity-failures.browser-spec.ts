import { beforeEach, describe, expect, it } from '@jest/globals';
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
    ['returns an object', '() => ({ token: 1 })', 'it returned no text, but object'],
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

  it('an expired token is called expired', async () => {
    const expired = await signIdentity(stage.tenant, { sub: 'vera' });
    const [head, body] = expired.split('.') as [string, string];
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const old = Buffer.from(JSON.stringify({ ...claims, exp: 1_600_000_000 })).toString('base64url');
    await identify(JSON.stringify(`${head}.${old}.c2ln`));
    await visit.launcher.click();
    await visit.composer.waitFor();
    await visit.say('Hello');
    expect(warnings.join()).toContain('the identity has expired');
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
