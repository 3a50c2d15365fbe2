import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { DemoService } from '../../src/api/public/demo/demo.service.js';
import { OWN_PATHS } from '../../src/platform/config/base-path.js';
import { ADMIN_TOKEN, Parley } from '../support/parley.js';
import { PathProxy } from '../support/path-proxy.js';
import { knownRoutes } from '../support/routes.js';
import { createTenant, type Tenant } from '../support/tenant.js';
import { VisitorSocket } from '../support/visitor.js';

const PUBLIC_URL = 'https://shop.example/chat';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe.each(['keeps', 'removes'] as const)('below a path that the proxy %s', (handling) => {
  let parley: Parley;
  let proxy: PathProxy;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ PUBLIC_URL: `${PUBLIC_URL}/`, DEMO: '1' });
    await parley.app.get(DemoService).prepare();
    proxy = await PathProxy.start({ '/chat': parley.url }, handling);
    tenant = await createTenant(`${proxy.url}/chat`, ADMIN_TOKEN);
  });
  afterAll(async () => {
    await proxy.stop();
    await parley.stop();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    request(proxy.url)
      .get(path)
      .set({ 'Accept-Encoding': 'identity', ...headers });

  it.each([
    '/console',
    '/console/mine/cht_none',
    '/demo',
    '/docs/',
    '/docs/bots/sdk',
    '/docs/api/bot/',
    '/continue',
    '/test-chat',
  ])('every address in the page %s has the path, and leads to something', async (page) => {
    const query = page === '/test-chat' ? `?key=${tenant.widgetKey}` : '';
    const { text } = await get(`/chat${page}${query}`, { Accept: BROWSER }).expect(200);
    const addresses = [...text.matchAll(/\b(?:src|href|data-document)="(\/[^"]*)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of new Set(addresses)) {
      expect(address).toMatch(/^\/chat\//);
      expect([address, (await get(address).redirects(1)).status]).toEqual([address, 200]);
    }
    expect(text.match(/.{0,40}__parley_base_path__.{0,40}/)).toBeNull();
  });

  it('the list for language models has the path, and the code of the documentation none in its place', async () => {
    const { text } = await get('/chat/llms.txt').expect(200);
    expect(text).toContain('](/chat/docs/start/index.md)');
    expect(text).toContain('](/chat/api/bot/docs)');
    const page = await get('/chat/docs/').expect(200);
    for (const [address] of page.text.matchAll(/\/chat\/docs\/assets\/[\w./-]+\.js/g))
      expect((await get(address).buffer(true)).text.match(/.{0,40}__parley_base_path__.{0,40}/)).toBeNull();
  });

  it.each([
    ['/chat/docs', '/chat/docs/'],
    ['/chat/docs/start', '/chat/docs/start/'],
    ['/chat/docs/bots/sdk/', '/chat/docs/bots/sdk'],
    ['/chat/api/bot/docs', '/chat/docs/api/bot/'],
    ['/chat/docs/errors', '/chat/docs/reference/errors'],
  ])('%s leads to %s', async (path, target) => {
    const { headers } = await get(path, { Accept: BROWSER }).expect(302);
    expect(new URL(headers.location!, proxy.url + path).href).toBe(proxy.url + target);
    await get(target, { Accept: BROWSER }).expect(200);
  });

  it('the type of an error, a sign-in link, and the server of an OpenAPI document have the path', async () => {
    const { body: problem } = await get('/chat/api/bot/groups').expect(401);
    expect(problem.type).toBe(`${PUBLIC_URL}/docs/errors#unauthorized`);
    const agent = { name: 'Ada', email: 'ada@example.com' };
    const { body: made } = await tenant.admin.post('/agents', agent).expect(201);
    const { body: link } = await tenant.admin.post(`/agents/${made.id}/sign-in-links`, {}).expect(201);
    expect(link.url).toMatch(/^https:\/\/shop\.example\/chat\/console\/link#prl_lnk_/);
    for (const audience of ['bot', 'visitor', 'agent', 'admin']) {
      const { body: document } = await get(`/chat/api/${audience}/docs`).expect(200);
      const [path] = Object.keys(document.paths as object);
      const { url } = document.servers[0] as { url: string };
      const address = new URL(url + path, `${PUBLIC_URL}/api/${audience}/docs`).href;
      expect(decodeURI(address)).toBe(PUBLIC_URL + path);
    }
    const { body: agentApi } = await get('/chat/api/agent/docs').expect(200);
    expect(agentApi.components.securitySchemes.agentCookie).toMatchObject({
      in: 'cookie',
      name: '__Secure-parley+chat',
    });
  });

  it.each([['websocket'], ['polling']])('a visitor connects by %s', async (transport) => {
    const visitor = await VisitorSocket.connect(proxy.url, tenant.visitorToken, {
      path: '/chat/socket.io',
      transports: [transport],
    });
    await visitor.ask('chat:open', { chatId: tenant.chatId });
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: transport }).expect(200);
    await visitor.until(() => visitor.all('message').some(({ content }) => content === transport));
    visitor.close();
  });

  it('programs on the machine reach the service without the path', async () => {
    const direct = request(parley.url);
    await direct.get('/health/ready').expect(200);
    await direct.get('/chat/health/ready').expect(200);
    await direct.get('/widget.js').expect(200);
    await direct.get('/console').expect(200);
  });

  it('a path that only begins in the same way is another one', async () => {
    for (const path of [
      '/chatter/health/live',
      '/chat-health/live',
      '/chat.',
      '/chat%2Fhealth/live',
      '/CHAT/health/live',
    ])
      await request(parley.url).get(path).expect(404);
    for (const path of ['/chat', '/chat/', '/chat?a=b']) await request(parley.url).get(path).expect(404);
  });

  it('no other pages of the host are forced to use https', async () => {
    const { headers } = await get('/chat/console').expect(200);
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('the list of our own paths, which PUBLIC_URL must not have', () => {
  it('contains the beginning of every route', async () => {
    const parley = await Parley.start();
    const paths = knownRoutes(parley).map((route) => route.split(' ')[1]!);
    const isListed = (path: string) => OWN_PATHS.some((own) => `${path}/`.startsWith(`${own}/`));
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !isListed(path))).toEqual([]);
    await parley.stop();
  });
});
