import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import http, { Agent, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import request from 'supertest';
import { gzipSync } from 'node:zlib';
import { Parley, type Tenant } from '../support/parley.js';

describe('conventions of every response', () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
  });
  afterAll(() => parley.stop());

  const post = (body: string, type = 'application/json') =>
    request(parley.url)
      .post('/api/bot/messages')
      .set('Authorization', `Bearer ${tenant.token}`)
      .set('Content-Type', type)
      .send(body);
  // Raw bytes: supertest would encode them as JSON.
  const postBytes = async (bytes: Buffer, encoding = 'identity') => {
    const headers = {
      Authorization: `Bearer ${tenant.token}`,
      'Content-Type': 'application/json',
      'Content-Encoding': encoding,
    };
    const answer = await fetch(`${parley.url}/api/bot/messages`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    });
    return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
  };
  const offer = { Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': 'AAEAAEAAAAIAAAAB' };
  const valid = () => JSON.stringify({ chatId: tenant.chatId, content: 'hello' });

  it.each(['h2c', 'TLS/1.2'])('a client that offers %s besides HTTP/1.1 gets a response', async (Upgrade) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { ...offer, Upgrade, Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' };
    const ask = async (method: string, path: string, body?: string) => {
      const sent = http.request(`${parley.url}/api/bot${path}`, { method, headers, agent }).end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: answer.statusCode, body: JSON.parse(await text(answer)) as Record<string, unknown> };
    };
    // Two requests over one connection: the second one is HTTP/1.1 too.
    expect(await ask('GET', '/groups')).toMatchObject({ status: 200, body: [{ name: 'General' }] });
    const { status, body } = await ask('POST', '/messages', valid());
    expect([status, body]).toEqual([200, { id: expect.stringMatching(/^msg_/), status: 'sent' }]);
    expect(await ask('GET', `/chats/${tenant.chatId}`)).toMatchObject({
      body: { messages: expect.arrayContaining([expect.objectContaining({ id: body.id })]) },
    });
    agent.destroy();
  });

  it.each([
    ['the bot API', 200, () => tenant.bot.get('/groups')],
    ["the visitors' API", 200, () => parley.visitor(tenant.visitorToken).get('/chats')],
    ['the session of a visitor', 201, () => parley.beginSession(tenant)],
    ['a wrong token', 401, () => parley.bot('wrong').get('/groups')],
    ['an agent who signs in', 401, () => parley.agent().post('/session/link', { token: 'wrong' })],
    ['the admin API', 200, () => tenant.admin.get('')],
  ])("responses aren't cacheable: %s", async (_, status, ask) => {
    await ask().expect(status).expect('Cache-Control', 'no-store');
  });

  it("a connection's keep-alive is announced as longer than load balancers' own", async () => {
    const agent = new Agent({ keepAlive: true });
    const [answer] = (await once(http.get(`${parley.url}/health/live`, { agent }), 'response')) as [IncomingMessage];
    expect(answer.headers['keep-alive']).toBe('timeout=72');
    agent.destroy();
  });

  it("errors are problem+json with the request's id", async () => {
    const { body, headers } = await tenant.bot.get('/chats/cht_none').set('X-Request-Id', 'my-id.1').expect(404);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(headers['x-request-id']).toBe('my-id.1');
    expect(body).toEqual({
      type: '/docs/errors#not_found',
      title: 'Not found',
      status: 404,
      detail: 'Chat not found',
      code: 'not_found',
      requestId: 'my-id.1',
    });
  });

  it('the type of an error leads to the page of errors', async () => {
    const { body } = await tenant.bot.get('/chats/cht_none').expect(404);
    const { headers } = await request(parley.url).get(body.type).expect(302);
    expect(new URL(headers.location!, new URL(body.type, parley.url)).pathname).toBe('/docs/reference/errors');
  });

  it('the type of an error begins with PUBLIC_URL', async () => {
    const service = await Parley.start({ PUBLIC_URL: 'https://chat.example' });
    const { body } = await service.bot('wrong').get('/groups').expect(401);
    expect(body).toMatchObject({ type: 'https://chat.example/docs/errors#unauthorized', title: 'Not authenticated' });
    await service.stop();
  });

  it('every response has a request id, and only a valid one is taken from the client', async () => {
    for (const path of ['/health/live', '/api/bot/groups', '/nowhere', '/api/bot/docs', '/metrics']) {
      expect((await request(parley.url).get(path)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const { headers } = await request(parley.url).get('/health/live').set('X-Request-Id', 'x'.repeat(129));
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an unknown route is answered 404 and a malformed address 400', async () => {
    expect((await request(parley.url).get('/nowhere').expect(404)).body.code).toBe('not_found');
    expect((await request(parley.url).put('/api/bot/messages').expect(404)).body.code).toBe('not_found');
    expect((await tenant.bot.get('/chats/%zz').expect(400)).body.code).toBe('validation_failed');
  });

  describe('order of checks', () => {
    it('a request without a valid token is 401 before its body is read', async () => {
      for (const [body, type] of [
        ['{', 'application/json'],
        ['x', 'text/plain'],
        ['x'.repeat(400_000), 'application/json'],
      ]) {
        const answer = await request(parley.url).post('/api/bot/messages').set('Content-Type', type!).send(body);
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      }
    });

    it('an invalid body is 400 before an unknown resource is 404', async () => {
      await tenant.bot.post('/messages', { chatId: 'cht_none', content: '' }).expect(400);
      await tenant.admin.patch('/chats/cht_none', { status: 'x' }).expect(400);
      await tenant.admin.patch('/chats/!', { status: 'x' }).expect(400);
      await parley.admin.post('/org_none/bots', {}).expect(400);
      await parley.admin.post('/org_none/bots', { name: 'x' }).expect(404);
    });
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['multipart/form-data', 415],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json', 200],
    ['APPLICATION/JSON', 200],
    ['application/json;charset=UTF-8', 200],
    ['application/json; charset="utf-8"', 200],
    ['application/merge-patch+json', 200],
  ])('a body of type %s is answered %d', async (type, status) => {
    const { body } = await post(valid(), type).expect(status);
    if (status === 415) expect(body.code).toBe('unsupported_media_type');
  });

  it.each([
    ['no JSON', '{"a":'],
    ['two values', '{} {}'],
    ['a comment', '{/*x*/}'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
  ])('%s is answered malformed_json', async (_name, body) => {
    expect((await post(body).expect(400)).body.code).toBe('malformed_json');
  });

  it("bytes that aren't UTF-8 are answered malformed_json", async () => {
    const bytes = Buffer.from(valid().replace('hello', 'h\u00fcllo'), 'latin1');
    expect(await postBytes(bytes)).toEqual({ status: 400, code: 'malformed_json' });
    expect(await postBytes(Buffer.from(valid()))).toEqual({ status: 200 });
  });

  it.each(['[]', '"text"', '5', 'null', 'true'])('the body %s is answered validation_failed', async (body) => {
    expect((await post(body).expect(400)).body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '' }] });
  });

  it('a missing body is answered with its missing fields', async () => {
    const { body } = await tenant.bot.post('/messages').expect(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(['/chatId', '/content']);
  });

  it('an oversized body is answered body_too_large, even if its compressed form is small', async () => {
    const large = JSON.stringify({ chatId: tenant.chatId, content: 'x'.repeat(300_000) });
    expect((await post(large).expect(400)).body.code).toBe('body_too_large');
    expect(await postBytes(gzipSync(large), 'gzip')).toEqual({ status: 400, code: 'body_too_large' });
  });

  it('compressed bodies are decompressed, and corrupt ones are rejected', async () => {
    expect(await postBytes(gzipSync(valid()), 'gzip')).toEqual({ status: 200 });
    expect(await postBytes(Buffer.from(valid()), 'gzip')).toEqual({ status: 400, code: 'malformed_json' });
    expect(await postBytes(Buffer.from(valid()), 'zip')).toEqual({ status: 415, code: 'unsupported_media_type' });
  });

  it('an internal error reveals nothing about its cause', async () => {
    const service = await Parley.start();
    const inside = await service.createTenant();
    await service.query('ALTER TABLE messages RENAME TO elsewhere');
    const { body } = await inside.bot.post('/messages', { chatId: inside.chatId, content: 'x' }).expect(500);
    expect(body).toEqual({
      type: '/docs/errors#internal_error',
      title: 'Internal error',
      status: 500,
      code: 'internal_error',
      detail: 'Unexpected server error',
      requestId: expect.any(String),
    });
    await service.stop();
  });

  it("the service reports that it's live and ready, and serves metrics to Prometheus", async () => {
    expect((await request(parley.url).get('/health/live').expect(200)).body).toEqual({ status: 'ok' });
    expect((await request(parley.url).get('/health/ready').expect(200)).body).toEqual({ status: 'ok' });
    const { text, headers } = await request(parley.url).get('/metrics').expect(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toContain('process_cpu_seconds_total');
  });

  it('the service is live but not ready when a migration is missing', async () => {
    const service = await Parley.start();
    await service.query('DELETE FROM migrations');
    const { body, headers } = await request(service.url).get('/health/ready').expect(503);
    expect([body.code, headers['retry-after']]).toEqual(['unavailable', '1']);
    await request(service.url).get('/health/live').expect(200);
    await service.stop();
  });
});
