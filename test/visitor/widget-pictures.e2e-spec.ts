import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { PNG, WEBP } from '../support/pictures.js';
import { Parley, type Tenant } from '../support/parley.js';

/** A PNG's header with these sides; what follows is nothing. */
const pngOf = (width: number, height: number, bytes = 100) => {
  const png = Buffer.alloc(bytes);
  Buffer.from(PNG, 'base64').copy(png, 0, 0, 33);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png.toString('base64');
};
const textOf = (text: string) => Buffer.from(text.padEnd(40)).toString('base64');

describe("the pictures of an organization's widget", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const set = (place: string, content: unknown) => tenant.admin.put(`/widget/pictures/${place}`, { content });
  const read = (name: string, key = tenant.widgetKey) =>
    request(parley.url).get(`/api/visitor/widget/pictures/${name}`).query({ key });
  const settings = async () =>
    (await request(parley.url).get('/api/visitor/widget').query({ key: tenant.widgetKey }).expect(200)).body;

  it('a picture is set, read by pages with the public key, replaced, and removed', async () => {
    expect((await tenant.admin.get('/widget/pictures').expect(200)).body).toEqual({ launcher: null, bot: null });
    const { launcher } = (await set('launcher', PNG).expect(200)).body;
    const { body: both } = await set('bot', WEBP).expect(200);
    expect(both).toEqual({ launcher, bot: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await settings()).toMatchObject({ launcherPicture: launcher, botPicture: both.bot });
    const { headers, body } = await read(launcher).expect(200);
    expect((body as Buffer).toString('base64')).toBe(PNG);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    });
    expect((await read(both.bot).expect(200)).headers['content-type']).toBe('image/webp');
    await set('launcher', WEBP).expect(200);
    await read(launcher).expect(404);
    for (let time = 0; time < 2; time++) await tenant.admin.delete('/widget/pictures/launcher').expect(204);
    expect(await settings()).toMatchObject({ launcherPicture: null, botPicture: both.bot });
  });

  it("a file that isn't a small PNG or WebP is rejected", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [content, detail] of [
      [textOf(svg), 'must be a PNG or a WebP picture'],
      [textOf('GIF89a'), 'must be a PNG or a WebP picture'],
      [textOf('RIFF....WEBPXXXX'), 'must be a PNG or a WebP picture'],
      ['', 'must be a PNG or a WebP picture'],
      [`data:image/png;base64,${PNG}`, 'must be base64'],
      [`${PNG}\n`, 'must be base64'],
      [7, 'must be a string'],
      [pngOf(513, 8), 'must have at most 512 by 512 pixels'],
      [pngOf(8, 4_000_000_000), 'must have at most 512 by 512 pixels'],
      [pngOf(0, 8), 'must have at most 512 by 512 pixels'],
      [pngOf(8, 8, 65_537), 'must have at most 65536 bytes'],
    ] as const) {
      const { body } = await set('bot', content).expect(400);
      expect([content, body.errors]).toEqual([content, [{ pointer: '/content', detail }]]);
    }
    await set('bot', pngOf(512, 512, 65_536)).expect(200);
    await set('header', PNG).expect(404);
    await tenant.admin.delete('/widget/pictures/header').expect(404);
  });

  it("pages of other sites and other organizations don't get it", async () => {
    const { bot } = (await set('bot', PNG).expect(200)).body;
    const other = await parley.createTenant();
    await read(bot, other.widgetKey).expect(404);
    await read(bot, 'prl_wk_unknown').expect(404);
    await tenant.admin.patch('', { allowedOrigins: ['https://acme.example'] }).expect(200);
    await read(bot).set('Origin', 'https://acme.example').expect(200);
    await read(bot).set('Origin', 'https://evil.example').expect(403);
    const path = `/api/admin/organizations/${tenant.id}/widget/pictures`;
    const { token } = await parley.signInAgent(other, { role: 'ADMIN' });
    await request(parley.url).get(path).set('Authorization', `Bearer ${token}`).expect(404);
  });
});
