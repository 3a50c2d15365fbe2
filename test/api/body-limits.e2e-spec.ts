import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type SignedInAgent, Parley, type Tenant } from '../support/parley.js';

/** A JSON text with every character of its strings escaped, including keys. */
const escaped = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) => part).replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
    const text = JSON.parse(`"${inner}"`) as string;
    return `"${Array.from({ length: text.length }, (_unit, at) => escapeUnit(text, at)).join('')}"`;
  });
const escapeUnit = (text: string, at: number) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;

/** The longest allowed metadata in bytes of ASCII. Each byte takes six when it's escaped. */
const METADATA = { a: 'x'.repeat(10_232) };
const CONTENT = '\u{1f600}'.repeat(5_000);

describe('body limits', () => {
  let parley: Parley;
  let tenant: Tenant;
  let agent: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    agent = await parley.signInAgent(tenant, { role: 'ADMIN' });
  });
  afterAll(() => parley.stop());

  const send = async (path: string, body: string | Buffer, token?: string, encoding?: string, method = 'POST') => {
    const answer = await fetch(parley.url + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return { ...((await answer.json()) as { code?: string; detail?: string }), status: answer.status };
  };
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

  it('the longest message and metadata are accepted with every character escaped', async () => {
    const { chatId } = tenant;
    const message = { content: CONTENT, metadata: METADATA, type: 'QUICK_REPLY' };
    const options = [{ label: 'a', value: 'b' }];
    const plain = escaped({ chatId, content: CONTENT, metadata: METADATA });
    expect(plain.length).toBeGreaterThan(120_000);
    expect(await send('/api/bot/messages', plain, tenant.token)).toMatchObject({ status: 200 });
    const choice = escaped({ ...message, chatId, metadata: { options } });
    expect(await send('/api/bot/messages', choice, tenant.token)).toMatchObject({ status: 200 });
  });

  it('the longest visitor profile is accepted', async () => {
    const visitor = { name: '\u{1f600}'.repeat(200), email: '\u{1f600}'.repeat(320), metadata: METADATA };
    const session = escaped({ widgetKey: tenant.widgetKey, visitor });
    expect(await send('/api/visitor/sessions', session)).toMatchObject({ status: 201 });
  });

  it('the longest answer to a choice is accepted, over REST and sockets', async () => {
    const value = 'v'.repeat(10_190);
    const options = [{ label: 'Yes', value }];
    const offer = { chatId: tenant.chatId, content: '?', type: 'QUICK_REPLY', metadata: { options } };
    const { body: sent } = await tenant.bot.post('/messages', offer).expect(200);
    const reply = { content: 'Yes', replyTo: { messageId: sent.id, value }, metadata: METADATA };
    const path = `/api/visitor/chats/${tenant.chatId}/messages`;
    expect(await send(path, escaped(reply), tenant.visitorToken)).toMatchObject({ status: 201 });
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    const long = { chatId: tenant.chatId, content: CONTENT, metadata: METADATA };
    expect(await visitor.ask('message:send', long)).toMatchObject({ ok: true });
  });

  it('the longest settings are accepted', async () => {
    const origins = Array.from({ length: 100 }, (_, at) => `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example${at}`);
    const path = `/api/admin/organizations/${tenant.id}`;
    const { ADMIN } = { ADMIN: agent.token };
    expect(await send(path, escaped({ allowedOrigins: origins }), ADMIN, undefined, 'PATCH')).toMatchObject({
      status: 200,
    });
    const widget = { greeting: CONTENT.slice(0, 2_000), greetingPaths: Array(20).fill(`/${'é'.repeat(199)}`) };
    expect(await send(`${path}/widget`, escaped(widget), ADMIN, undefined, 'PATCH')).toMatchObject({ status: 200 });
    await parley.admin.patch(`/${tenant.id}`, { allowedOrigins: [] }).expect(200);
  });

  it('metadata nested 2,000 levels deep is accepted, and deeper metadata is rejected', async () => {
    const body = (depth: number) => `{"chatId":"${tenant.chatId}","content":"x","metadata":${nested(depth)}}`;
    expect(await send('/api/bot/messages', body(2_000), tenant.token)).toMatchObject({ status: 200 });
    expect(await send('/api/bot/messages', body(2_001), tenant.token)).toMatchObject({ code: 'validation_failed' });
  });

  it('each route has its own body limit', async () => {
    const long = (bytes: number) => JSON.stringify({ email: 'a', password: 'x'.repeat(bytes) });
    expect(await send('/api/agent/session', long(8_100))).toMatchObject({ code: 'validation_failed' });
    const refused = { status: 400, code: 'body_too_large', detail: 'The body has more than 8192 bytes' };
    expect(await send('/api/agent/session', long(8_200))).toEqual(expect.objectContaining(refused));
    const read = `/api/bot/chats/${tenant.chatId}/read`;
    expect(await send(read, `{"seq":0,"x":"${'x'.repeat(5_000)}"}`, tenant.token)).toMatchObject({
      code: 'body_too_large',
    });
  });

  it('a body far over the limit is answered', async () => {
    expect(await send('/api/bot/messages', 'x'.repeat(3_000_000), tenant.token)).toMatchObject({
      status: 400,
      code: 'body_too_large',
    });
  });

  it("a body in too many pieces is answered, and its rest isn't read", async () => {
    const { hostname, port } = new URL(parley.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/bot/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write('1\r\n \r\n'.repeat(1_100));
    const answer = (await socket.toArray()).join('');
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('The body arrived in more than 512 pieces');
  });

  it('the number of values is limited, and counted before parsing', async () => {
    const body = (count: number) =>
      `{"chatId":"${tenant.chatId}","content":"x","metadata":{"a":[${'0,'.repeat(count)}0]}}`;
    expect(await send('/api/bot/messages', body(5_000), tenant.token)).toMatchObject({ status: 200 });
    expect(await send('/api/bot/messages', body(6_000), tenant.token)).toMatchObject({ code: 'validation_failed' });
    expect(await send('/api/bot/messages', body(9_000), tenant.token)).toMatchObject({ code: 'body_too_large' });
    const text = JSON.stringify({
      chatId: tenant.chatId,
      content: '[,{'.repeat(1_600),
      metadata: { a: ',['.repeat(5_000) },
    });
    expect(await send('/api/bot/messages', text, tenant.token)).toMatchObject({ status: 200 });
  });

  it('a socket request over the limit is rejected in its ack, and the connection continues', async () => {
    const visitor = await parley.connectVisitor(tenant.visitorToken);
    const { chatId } = tenant;
    const refused = { ok: false, error: { code: 'body_too_large' } };
    const many = { chatId, content: 'x', metadata: { a: Array(9_000).fill(0) } };
    expect(await visitor.ask('message:send', many)).toMatchObject(refused);
    expect(await visitor.ask('read', { chatId, seq: 0, x: 'x'.repeat(5_000) })).toMatchObject(refused);
    expect(await visitor.ask('sync', { chatId, afterSeq: 0 })).toMatchObject({ ok: true });
  });

  it('compressed bodies are accepted only with a token, and br never', async () => {
    const body = JSON.stringify({ chatId: tenant.chatId, content: 'hello' });
    const unsupported = { status: 415, code: 'unsupported_media_type' };
    expect(await send('/api/bot/messages', gzipSync(body), tenant.token, 'gzip')).toMatchObject({ status: 200 });
    expect(await send('/api/bot/messages', deflateSync(body), tenant.token, 'deflate')).toMatchObject({ status: 200 });
    expect(await send('/api/bot/messages', brotliCompressSync(body), tenant.token, 'br')).toMatchObject(unsupported);
    for (const path of [
      '/api/visitor/sessions',
      '/api/agent/session',
      '/api/agent/session/link',
      '/api/agent/session/link/agent',
    ]) {
      expect(await send(path, gzipSync(body), undefined, 'gzip')).toMatchObject(unsupported);
    }
  });

  it('the body limits apply after the rate limit of an address that fails to sign in', async () => {
    for (let count = 0; count < 30; count++) {
      expect(await send('/api/agent/session/link', '{"token":"x"}')).toMatchObject({ status: 401 });
    }
    const refused = { status: 429, code: 'rate_limited' };
    expect(await send('/api/agent/session', 'x'.repeat(100_000))).toMatchObject(refused);
  });
});
