import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('the beginning of a chat', () => {
  const stage = Stage.set();

  const call = (visit: Visit, ...args: unknown[]) => visit.page.evaluate(`Parley(...${JSON.stringify(args)})`);
  const visitors = () => stage.parley.query('SELECT id FROM visitors WHERE organization_id = $1', [stage.tenant.id]);
  const chats = async () => (await stage.tenant.bot.get('/chats').expect(200)).body.chats as { id: string }[];

  it('a chat is created with the first message, and nothing is stored before', async () => {
    await stage.tenant.admin.patch('/widget', { consent: 'We keep what you write.' }).expect(200);
    const before = [(await visitors()).length, (await chats()).length];
    const visit = await stage.visit();
    const asked: string[] = [];
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visit.open();
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    await visit.panel.getByText('We keep what you write.').waitFor();
    await visit.composer.fill('Hel');
    await visit.page.waitForLoadState('networkidle');
    expect(asked.filter((path) => /sessions|chats|socket/.test(path))).toEqual([]);
    expect(await visit.page.evaluate('localStorage.length')).toBe(0);
    expect([(await visitors()).length, (await chats()).length]).toEqual(before);
    await visit.say('Hello');
    expect([(await visitors()).length, (await chats()).length]).toEqual(before.map((count) => count + 1));
    expect((await stage.stored()).map(({ content }) => content)).toEqual(['Hello']);
    expect(visit.complaints).toEqual([]);
  });

  it('a customer who signs in again on the same page continues their chat', async () => {
    const identity = await signIdentity(stage.tenant, { sub: 'zoe' });
    const visit = await stage.visit();
    await call(visit, 'identify', identity);
    await visit.open();
    await visit.say('My order');
    const { length } = await chats();
    await call(visit, 'identify', null);
    await visit.panel.getByText('Hi there! How can we help?').waitFor();
    await call(visit, 'identify', identity);
    await visit.sees('My order');
    expect(await chats()).toHaveLength(length);
  });

  it('a customer continues their chat on another device, and sees its unread count before opening it', async () => {
    const identity = await signIdentity(stage.tenant, { sub: 'zoe' });
    stage.site.page.attributes += ` data-identity="${identity}"`;
    const phone = await stage.visit();
    await phone.open();
    await phone.say('My order');
    await phone.close();
    await stage.say('It comes today');
    const visit = await stage.visit();
    await visit.page.getByRole('button', { name: 'Open chat (1 unread)' }).waitFor();
    await visit.open();
    await visit.sees('My order', 'It comes today');
  });

  it('a chat starts at its top in the lowest window', async () => {
    const visit = await stage.visit({ viewport: { width: 568, height: 320 } });
    await visit.open();
    await eventually(
      () => visit.panel.locator('.view').evaluate((view) => [view.scrollTop, view.clientHeight] as const),
      ([top, height]) => top === 0 && height > 100,
    );
  });

  it('the greeting is seen above the consent in the lowest window', async () => {
    const choice = {
      greeting: 'Good morning!',
      consent: 'We keep what you write for 30 days. ',
      privacyUrl: 'https://example.com',
    };
    await stage.tenant.admin.patch('/widget', choice).expect(200);
    const visit = await stage.visit({ viewport: { width: 320, height: 256 } });
    await visit.open();
    await visit.panel.getByText('We keep what you write').waitFor();
    const boxOf = async (selector: string) => (await visit.panel.locator(selector).boundingBox())!;
    const [view, greeting] = [await boxOf('.view'), await boxOf('.greeting')];
    expect(greeting.y + greeting.height).toBeLessThanOrEqual(view.y + view.height);
  });

  it("the button is hidden when the service rejects the key or the site, and the browser's console says why", async () => {
    const visit = await stage.visit({}, 'about:blank');
    const isRefused = async (reason: string) => {
      const warned = visit.page.waitForEvent('console', (message) => message.text().includes(reason));
      await visit.page.goto(stage.site.url);
      await warned;
      await visit.launcher.waitFor({ state: 'hidden' });
    };
    stage.site.page.attributes = 'data-widget-key="prl_wk_0000000000000000000000"';
    await isRefused('widget key');
    await stage.tenant.admin.patch('', { allowedOrigins: ['https://elsewhere.example'] }).expect(200);
    stage.site.page.attributes = `data-widget-key="${stage.tenant.widgetKey}"`;
    await isRefused('allowedOrigins');
  });

  it('the button stays when a proxy rejects the settings', async () => {
    const visit = await stage.visit();
    await visit.page.route(/api\/visitor\/widget/, (route) =>
      route.fulfill({ status: 403, json: { error: 'blocked' } }),
    );
    const refused = visit.page.waitForResponse((response) => response.status() === 403);
    await visit.page.reload();
    await (await refused).finished();
    await visit.open();
    visit.complaints.splice(0);
  });

  it("a second script with another key is reported in the browser's console", async () => {
    const visit = await stage.visit();
    await visit.launcher.waitFor();
    const warned = visit.page.waitForEvent('console', (message) => message.text().includes('needs data-widget-key'));
    await visit.page.evaluate(`{
      const script = document.createElement('script');
      script.src = ${JSON.stringify(stage.road.url)} + '/widget.js';
      script.dataset.widgetKey = 'prl_wk_other';
      document.head.append(script);
    }`);
    expect((await warned).type()).toBe('error');
    expect(await visit.page.locator('parley-widget').count()).toBe(1);
  });

  it('the widget uses the text size chosen in the browser', async () => {
    const visit = await stage.visit();
    await visit.open();
    const size = () =>
      visit.panel
        .locator('.greeting')
        .evaluate((element) => parseFloat(`${element.computedStyleMap().get('font-size')}`));
    const usual = await size();
    const session = await visit.context.newCDPSession(visit.page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    await eventually(size, (now) => Math.abs(now / usual - 2) < 0.01);
  });

  it('a chat started in one tab appears in another open tab', async () => {
    const visit = await stage.visit();
    await visit.open();
    const tab = await visit.newTab(stage.site.url);
    await tab.open();
    await visit.say('Hello');
    await tab.sees('Hello');
    await stage.say('Good day');
    await Promise.all([visit.sees('Hello', 'Good day'), tab.sees('Hello', 'Good day')]);
  });

  it('a customer starts another chat after one whose last file failed to load once', async () => {
    const visit = await stage.visit();
    let requests = 0;
    await visit.page.route('**/widget/extras.*', (route) => (requests++ ? route.continue() : route.abort()));
    await visit.open();
    await visit.say('Hello');
    await stage.tenant.admin.patch(`/chats/${await stage.chatId()}`, { status: 'CLOSED' }).expect(200);
    await visit.button('Start a new chat').click();
    await visit.composer.waitFor();
    expect(requests).toBe(2);
  });

  it('a customer whom the page identifies after loading continues their chat', async () => {
    const identity = await signIdentity(stage.tenant, { sub: 'zoe' });
    const phone = await stage.visit();
    await call(phone, 'identify', identity);
    await phone.open();
    await phone.say('My order');
    await phone.close();
    await stage.say('It comes today');
    const visit = await stage.visit();
    await visit.page.waitForLoadState('networkidle');
    await call(visit, 'identify', identity);
    await visit.page.getByRole('button', { name: 'Open chat (1 unread)' }).waitFor();
  });
});
