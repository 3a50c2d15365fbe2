import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { knownRoutes } from '../support/routes.js';
import { ADMIN_TOKEN, Parley, type Tenant } from '../support/parley.js';
import { Receiver } from '../support/receiver.js';
import { BODIES, HOSTILE, PARTS, queriesOf } from './support/hostile.js';
import { fieldsOf, type Route, routesOf } from './support/routes.js';
import { Stranger } from './support/stranger.js';

const PLACE = 'place of what is hostile';

/** The beginnings of paths: each path belongs to the first that fits. */
const DOORS = ['/api/bot', '/api/visitor', '/api/agent', '/api/admin', '/'];

describe('requests with hostile fields', () => {
  let parley: Parley;
  let receiver: Receiver;
  let tenant: Tenant;
  let stranger: Stranger;
  let agentToken: string;
  let routes: Route[];
  /** The parts that make each request valid except for one field. */
  let ids: Record<string, string>;
  let fields: Record<string, unknown>;

  beforeAll(async () => {
    receiver = await Receiver.start();
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    tenant = await parley.createTenant();
    stranger = new Stranger(parley.url);
    routes = routesOf(parley.app);
    const make = async (path: string, body: object) => (await tenant.admin.post(path, body).expect(201)).body;
    const group = await make('/groups', { name: 'People' });
    const agent = await make('/agents', { name: 'Ada', email: 'ada@example.com' });
    const webhook = await make('/webhooks', { url: receiver.url });
    const token = await make(`/bots/${tenant.botId}/tokens`, {});
    // An event is always pending, so no poll waits.
    await tenant.bot.put('/subscription', { senderTypes: ['BOT'] }).expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'hello' }).expect(200);
    const { body } = await tenant.admin.get(`/webhooks/${webhook.id}/deliveries`).expect(200);
    const link = await make(`/agents/${agent.id}/sign-in-links`, {});
    agentToken = (await parley.signInAgent(tenant, { role: 'ADMIN' })).token;
    ids = {
      organizationId: tenant.id,
      groupId: group.id,
      agentId: agent.id,
      webhookId: webhook.id,
      deliveryId: body.deliveries[0].id,
      botId: tenant.botId,
      tokenId: token.id,
      chatId: tenant.chatId,
      visitorId: tenant.visitorId,
      linkId: link.id,
      sessionId: 'ses_none',
    };
    fields = {
      name: 'Ada',
      email: 'grace@example.com',
      content: 'hello',
      chatId: tenant.chatId,
      isTyping: true,
      seq: 1,
      afterSeq: 0,
      widgetKey: tenant.widgetKey,
      status: 'ACTIVE',
      since: '2026-01-01T00:00:00Z',
      url: receiver.url,
      password: 'correct horse battery',
      current: 'correct horse battery',
      token: 'prl_lnk_',
      mode: 'token',
    };
  });
  afterAll(async () => {
    stranger.close();
    await parley.stop();
    await receiver.close();
  });

  const headersOf = ({ path }: Route): OutgoingHttpHeaders => {
    const tokens = { '/api/bot': tenant.token, '/api/visitor': tenant.visitorToken, '/api/agent': agentToken };
    const [, token] = Object.entries(tokens).find(([door]) => path.startsWith(door)) ?? [null, ADMIN_TOKEN];
    return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  };
  const pathOf = ({ path }: Route, parts: Record<string, string> = {}) =>
    path.replace(/:(\w+)/g, (_, name: string) => parts[name] ?? ids[name] ?? 'x');
  // The valid body, and the body with the field replaced.
  const bodyWith = (field: string[], hostile: string) => {
    const [first, second] = field;
    const value = second === undefined ? PLACE : { [second]: PLACE };
    return JSON.stringify({ ...fields, [first!]: value }).replace(`"${PLACE}"`, () => hostile);
  };
  const expectAllGood = async () => {
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'still here' }).expect(200);
    await parley.admin.get(`/${tenant.id}`).expect(200);
    expect(stranger.faults.splice(0)).toEqual([]);
    expect(stranger.asked).toBeGreaterThan(0);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  };

  it('the suite knows every route of the service', () => {
    // `knownRoutes` leaves out the pages of the documentation.
    const known = routes.filter(({ path }) => !path.startsWith('/docs'));
    expect(known.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      knownRoutes(parley)
        .filter((route) => !/ \/api\/(?:admin|agent|bot|visitor)\/docs|OPTIONS /.test(route))
        .sort(),
    );
    expect(routes.filter(({ body }) => body).length).toBeGreaterThan(20);
  });

  it.each(DOORS)('no field of any body at %s causes an internal error', async (door) => {
    const changing = routes.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
    for (const route of changing.filter(({ path }) => DOORS.find((one) => path.startsWith(one)) === door)) {
      const { method, path, body } = route;
      for (const field of body ? fieldsOf(body) : []) {
        for (const [name, hostile] of Object.entries(HOSTILE)) {
          const title = `${method} ${path} ${field.join('.')}: ${name}`;
          await stranger.tries(title, method, pathOf(route), headersOf(route), bodyWith(field, hostile));
        }
      }
    }
    await expectAllGood();
  });

  it("no body that isn't an object or isn't JSON causes an internal error", async () => {
    for (const route of routes.filter(({ method }) => method === 'POST' || method === 'PATCH')) {
      for (const [name, body] of Object.entries(BODIES)) {
        await stranger.tries(
          `${route.method} ${route.path} ${name}`,
          route.method,
          pathOf(route),
          headersOf(route),
          body,
        );
      }
      for (const type of [
        '',
        'x',
        'text/plain',
        'application/json; charset=x',
        'application/json;;;',
        'multipart/form-data',
      ]) {
        const headers = { ...headersOf(route), 'Content-Type': type };
        await stranger.tries(`${route.method} ${route.path} type ${type}`, route.method, pathOf(route), headers, '{}');
      }
    }
    await expectAllGood();
  });

  it('no path segment causes an internal error', async () => {
    for (const route of routes) {
      for (const [, name] of route.path.matchAll(/:(\w+)/g)) {
        for (const [title, part] of Object.entries(PARTS)) {
          const path = pathOf(route, { [name!]: part });
          const body = route.method === 'POST' || route.method === 'PATCH' ? JSON.stringify(fields) : undefined;
          await stranger.tries(
            `${route.method} ${route.path} :${name} ${title}`,
            route.method,
            path,
            headersOf(route),
            body,
          );
        }
      }
    }
    await expectAllGood();
  });

  it('no query parameter causes an internal error', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const names = [...(route.query ? fieldsOf(route.query).map(([name]) => name!) : []), 'unknown'];
      for (const name of names) {
        // A valid poll would wait for events.
        const quickly = names.includes('wait') && name !== 'wait' ? 'wait=0&' : '';
        for (const [title, query] of Object.entries(queriesOf(name))) {
          const path = `${pathOf(route)}?${quickly}${query}`;
          await stranger.tries(`${route.path} ${name} ${title}`, route.method, path, headersOf(route));
        }
      }
    }
    await expectAllGood();
  });

  it('no header causes an internal error', async () => {
    const latin = '\u0080\u00ff\u00a0';
    const long = 'x'.repeat(8_000);
    const values = [
      '',
      ' ',
      ',',
      '"',
      '""',
      '"\\"',
      latin,
      long,
      '0',
      '-1',
      '1e400',
      'null',
      '[object Object]',
      '{}',
      '%00',
      '..',
      '😀'.repeat(3),
      'parley=',
      `parley=prl_ags_${'A'.repeat(38)}`,
      `;;=; parley=${latin}; __Host-parley=x`,
    ];
    const names = [
      'X-Request-Id',
      'Idempotency-Key',
      'traceparent',
      'Origin',
      'Sec-Fetch-Site',
      'X-Forwarded-Proto',
      'User-Agent',
      'Accept',
      'Accept-Encoding',
      'X-Forwarded-For',
      'If-None-Match',
      'Content-Encoding',
      'Cookie',
      'Referer',
      'Accept-Language',
    ];
    const tokens = [
      'Bearer',
      'Bearer ',
      'Basic x',
      'Bearer a.b.c',
      'Bearer null',
      `Bearer prl_pat_${'A'.repeat(38)}`,
      `Bearer ${latin}`,
      `Bearer ${long}`,
      `Bearer ${unsigned({})}`,
      `Bearer ${unsigned({ org: [], sub: {} })}`,
    ];
    const doors = [
      'POST /api/bot/messages',
      'GET /api/bot/groups',
      'POST /api/visitor/sessions',
      'POST /api/visitor/chats',
      'GET /api/admin/organizations',
      'GET /api/agent/session',
      'POST /api/agent/session/link',
      'GET /widget.js',
    ];
    for (const route of routes.filter(({ method, path }) => doors.includes(`${method} ${path}`))) {
      const { method } = route;
      const body = method === 'POST' ? JSON.stringify(fields) : undefined;
      const send = (name: string, value: string) =>
        stranger.tries(
          `${method} ${route.path} ${name}: ${value.slice(0, 20)}`,
          method,
          pathOf(route),
          { ...headersOf(route), [name]: Buffer.from(value).toString('latin1') },
          body,
        );
      for (const name of names) for (const value of [...values, unsigned({})]) await send(name, value);
      for (const token of tokens) await send('Authorization', token);
    }
    await expectAllGood();
  });

  it("the parser rejects bytes that aren't HTTP, and other clients are served", async () => {
    const heads = [
      'x',
      'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /😀 HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: \u0000\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
      'POST /api/bot/messages HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}',
      'POST /api/bot/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      'POST /api/bot/messages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    ];
    for (const head of heads) {
      const answer = await stranger.shout(head);
      if (!/^(?:HTTP\/1.1 4\d\d |$)/.test(answer)) stranger.faults.push(`${head.slice(0, 60)}: ${answer.slice(0, 60)}`);
    }
    await expectAllGood();
  });

  it('no claim of a signed identity causes an internal error', async () => {
    const { widgetKey, identitySecret } = tenant;
    const good = { sub: 'vera', exp: Math.floor(Date.now() / 1000) + 3_600 };
    const sign = (payload: string) => {
      const signed = [base64('{"alg":"HS256"}'), base64(payload)].join('.');
      return `${signed}.${createHmac('sha256', identitySecret).update(signed).digest('base64url')}`;
    };
    const claims = ['sub', 'exp', 'iat', 'nbf', 'aud', 'name', 'email', '__proto__'];
    for (const claim of claims) {
      for (const [name, hostile] of Object.entries(HOSTILE)) {
        const payload = JSON.stringify({ ...good, [claim]: PLACE }).replace(`"${PLACE}"`, () => hostile);
        const body = JSON.stringify({ widgetKey, identity: sign(payload) });
        const headers = { 'Content-Type': 'application/json' };
        await stranger.tries(`identity ${claim} ${name}`, 'POST', '/api/visitor/sessions', headers, body);
      }
    }
    await expectAllGood();
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** A JWT with the algorithm `none`. */
function unsigned(claims: object): string {
  return `${base64('{"alg":"none"}')}.${base64(JSON.stringify(claims))}.`;
}
