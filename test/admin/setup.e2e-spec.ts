import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Client } from '../support/client.js';
import { Parley, type Tenant } from '../support/parley.js';

describe('what an administrator has set up already', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const setup = async () => (await tenant.admin.get('/setup').expect(200)).body;

  it('each step is done when it has happened', async () => {
    const ada = await parley.signInAgent(tenant, { name: 'Ada', role: 'ADMIN' });
    const own = new Client(`${parley.url}/api/admin/organizations/${tenant.id}`, ada.token);
    expect((await own.get('/setup').expect(200)).body).toMatchObject({
      widget: null,
      hasInvited: false,
      hasColleague: false,
      hasAnswered: false,
    });

    const { id } = (await tenant.admin.post('/agents', { name: 'Ben', email: 'ben@example.com' }).expect(201)).body;
    expect(await setup()).toMatchObject({ hasInvited: true, hasColleague: false });
    const ben = await parley.signInAgain(tenant, id);
    await parley.connectAgent(ada.token);
    await parley.connectAgent(ben.token);
    await eventually(setup, ({ hasColleague }) => hasColleague === true);

    await ada.client.post(`/chats/${tenant.chatId}/claim`, {}).expect(200);
    await ada.client.post(`/chats/${tenant.chatId}/messages`, { content: 'Hello' }).expect(201);
    expect((await setup()).hasAnswered).toBe(true);

    await tenant.bot.get('/me').expect(200);
    await eventually(setup, ({ botUsedAt }) => botUsedAt !== null);
  });

  it('the widget was seen where a page of another site loaded it last', async () => {
    const page = new Client(parley.url);
    const { widgetKey } = (await parley.admin.get(`/${tenant.id}`).expect(200)).body;
    const load = (origin?: string) => {
      const asked = page.get(`/api/visitor/widget?key=${widgetKey}`);
      return origin === undefined ? asked : asked.set('Origin', origin);
    };
    await load().expect(200);
    for (const none of ['null', 'javascript:alert(1)', 'https://example.com/page', `https://${'x'.repeat(300)}.com`])
      await load(none).expect(200);
    await load('https://example.com').expect(200);
    const { widget } = await eventually(setup, (seen) => seen.widget !== null);
    expect(widget.origin).toBe('https://example.com');
    // The settings are read again after a change.
    await parley.admin.patch(`/${tenant.id}`, { allowedOrigins: ['https://shop.example'] }).expect(200);
    await load('https://example.com').expect(403);
    await load('https://shop.example').expect(200);
    await eventually(setup, (seen) => seen.widget.origin === 'https://shop.example');
  });

  it('an organization knows only its own steps, and only administrators read them', async () => {
    const other = await parley.createTenant();
    expect((await other.admin.get('/setup').expect(200)).body).toEqual({
      widget: null,
      hasInvited: false,
      hasColleague: false,
      botUsedAt: null,
      hasAnswered: false,
    });
    const sue = await parley.signInAgent(other, { role: 'SUPERVISOR' });
    const path = `${parley.url}/api/admin/organizations/${other.id}`;
    await new Client(path, sue.token).get('/setup').expect(403);
  });

  it('a page for a test chat has the widget of the key, and nothing that the address could add', async () => {
    const page = new Client(parley.url);
    const { text, headers } = await page.get('/test-chat?key=prl_wk_abc&lang=de').expect(200);
    expect(text).toContain('data-widget-key="prl_wk_abc"');
    expect(text).toContain('<html lang="de">');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    for (const query of ['', '?key=', '?key=prl_wk_%22%3E%3Cscript%3E', '?key=a&key=b', '?key[]=prl_wk_abc'])
      await page.get(`/test-chat${query}`).expect(404);
  });
});
