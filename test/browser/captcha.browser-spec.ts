import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { inRepository } from '../support/example.js';
import { CaptchaProvider } from '../support/captcha-provider.js';
import { Stage } from './support/stage.js';

describe('a captcha before the first message', () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  let provider: CaptchaProvider;

  beforeEach(async () => {
    provider = await CaptchaProvider.start();
    const captcha = { provider: 'TURNSTILE', siteKey: 'key', secret: 'the-secret', verifyUrl: provider.url };
    await stage.tenant.admin.put('/captcha', captcha).expect(200);
  });
  afterEach(() => provider.close());

  /** The page's own script, with the call of Turnstile: it shows the captcha when the chat opens. */
  const SCRIPT = `
    window.turnstile = { render: (_, { callback }) => { window.shown = (window.shown ?? 0) + 1; callback('solved-' + Math.random()); } };
    const solve = () => turnstile.render('#captcha', {
      sitekey: 'key',
      callback: (captcha) => Parley('set', { visitor: { captcha } }),
    });`;

  it('the page shows it when the chat opens, and the session has it', async () => {
    const visit = await stage.visit();
    await visit.page.evaluate(`${SCRIPT}; Parley('on', 'open', solve)`);
    await visit.open();
    await visit.say('Hello');
    await visit.say('Are you there?');
    expect(await visit.page.evaluate('window.shown')).toBe(1);
    expect(provider.asked).toHaveLength(1);
  });

  it('without it, a new visitor reads that the chat is not available, and the message is sent once the page has it', async () => {
    const visit = await stage.visit();
    await visit.page.evaluate(`${SCRIPT}; Parley('on', 'error', ({ code }) => code === 'captcha_required' && solve())`);
    await visit.open();
    await visit.write('Hello');
    await visit.panel.getByText('Chat is unavailable right now').waitFor();
    await visit.button('Try again').click();
    await visit.sees('Hello');
    await visit.panel.getByText(/Sent/).waitFor();
  });

  it('the page of the documentation runs as it stands', async () => {
    const guide = readFileSync(inRepository('docs/website/settings.md'), 'utf8');
    const [sample] = guide.match(/(?<=^```html\n)<div id="captcha">[^]*?(?=^```)/m)!;
    stage.site.page = { ...stage.site.page, body: sample, hasScriptInBody: true };
    const visit = await stage.visit({}, 'about:blank');
    await visit.page.addInitScript(`{
      let solve;
      // The first response comes too late to be accepted.
      window.turnstile = {
        render: (_, { callback }) => { solve = callback; solve('expired'); return 'the-captcha'; },
        reset: (id) => solve(id === 'the-captcha' ? 'solved-' + Math.random() : ''),
      };
    }`);
    await visit.page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await visit.page.goto(stage.site.url);
    await visit.open();
    await visit.write('Hello');
    await visit.panel.getByText('Chat is unavailable right now').waitFor();
    await visit.button('Try again').click();
    await visit.panel.getByText(/Sent/).waitFor();
    await visit.sees('Hello');
    // The browser reports the session that was rejected.
    expect(visit.complaints.filter((complaint) => !complaint.includes('403'))).toEqual([]);
  });
});
