import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';
import { PNG, upload } from './support/files.js';

describe('delivery of files', () => {
  let parley: Parley;
  let tenant: Tenant;
  let picture: string;
  let text: string;

  beforeAll(async () => {
    parley = await Parley.start();
    tenant = await parley.createTenant();
    const { chatId, bot } = tenant;
    const files = [
      (await upload(bot, chatId, 'a ä".png', PNG)).id,
      (await upload(bot, chatId, 'bill.html', Buffer.from('0123456789'))).id,
    ];
    await bot.post('/messages', { chatId, files }).expect(200);
    const visitor = parley.visitor(tenant.visitorToken);
    const message = (await visitor.get(`/chats/${chatId}/messages`).expect(200)).body.messages.at(-1);
    [picture, text] = message.files.map(({ url }: { url: string }) => url);
  });
  afterAll(() => parley.stop());

  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') => fetch(url, { headers, method });

  it('sends headers that make every file harmless', async () => {
    const { headers } = await get(picture);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="a __.png"; filename*=UTF-8''a%20%C3%A4%22.png`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'private, max-age=3600, immutable',
      'accept-ranges': 'bytes',
      'content-length': String(PNG.length),
    });
    const other = (await get(text)).headers;
    expect(other.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(other.get('content-disposition')).toContain('attachment; filename="bill.html.txt"');
    expect(other.get('set-cookie')).toBeNull();
  });

  it('answers ranges, and what a browser has', async () => {
    const etag = (await get(text)).headers.get('etag')!;
    const cases: [Record<string, string>, number, string, string | null][] = [
      [{ Range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
      [{ Range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
      [{ Range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
      [{ Range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
      [{ Range: 'bytes=10-' }, 416, '', 'bytes */10'],
      [{ Range: 'bytes=0-1,3-4' }, 200, '0123456789', null],
      [{ Range: 'bytes=4-2' }, 200, '0123456789', null],
      [{ Range: 'bytes=-' }, 200, '0123456789', null],
      [{ Range: 'bytes=0-0', 'If-Range': etag }, 206, '0', 'bytes 0-0/10'],
      [{ Range: 'bytes=0-0', 'If-Range': '"other"' }, 200, '0123456789', null],
      [{ 'If-None-Match': etag }, 304, '', null],
      [{ 'If-None-Match': '"other"' }, 200, '0123456789', null],
    ];
    for (const [headers, status, body, range] of cases) {
      const response = await get(text, headers);
      expect([headers, response.status, await response.text(), response.headers.get('content-range')]).toEqual([
        headers,
        status,
        body,
        range,
      ]);
    }
    const head = await get(text, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  it('answers one 404 for a wrong, missing, or expired signature, and ignores the name', async () => {
    const [path] = text.split('?') as [string];
    const bodies = new Set<string>();
    const wrong = [
      path,
      text.replace(/signature=(.)/, (_, first: string) => `signature=${first === '_' ? '-' : '_'}`),
      text.replace(/expires=\d+/, 'expires=1'),
      text.replace('upl_', 'upl_x'),
    ];
    for (const url of wrong) {
      const response = await get(url);
      const { detail, code } = (await response.json()) as { detail: string; code: string };
      bodies.add(JSON.stringify([response.status, code, detail, response.headers.get('access-control-allow-origin')]));
    }
    expect([...bodies]).toEqual([JSON.stringify([404, 'not_found', 'File not found', '*'])]);
    expect((await get(text.replace('bill.html', 'other.exe'))).headers.get('content-disposition')).toContain(
      'bill.html.txt',
    );
    expect((await get(text, {}, 'POST')).status).toBe(404);
    expect((await get(`${parley.url}/uploads/upl_a`)).status).toBe(404);
  });
});
