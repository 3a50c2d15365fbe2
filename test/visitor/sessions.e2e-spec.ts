import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Parley, type Tenant } from '../support/parley.js';

describe("visitors' sessions", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const connect = (token: unknown = tenant.visitorToken, options = {}) => parley.connectVisitor(token, options);
  const begin = (body: object = {}, token?: string) => parley.beginSession(tenant, body, token);

  describe('POST /api/visitor/sessions', () => {
    it('a session is created for a new visitor', async () => {
      const { body } = await begin({ visitor: { name: 'Vera', metadata: { plan: 'pro' } } }).expect(201);
      expect(body).toEqual({
        token: expect.any(String),
        expiresAt: expect.any(String),
        visitor: { id: expect.stringMatching(/^vis_/), name: 'Vera', email: null },
        typingPreview: false,
        visitorUploads: null,
      });
      const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
      expect(Math.round(days)).toBe(30);
      const [row] = await parley.query('SELECT metadata FROM visitors WHERE id = $1', [body.visitor.id]);
      expect(row).toEqual({ metadata: { plan: 'pro' } });
    });

    it('a session is renewed for the visitor of its token', async () => {
      const first = (await begin({ visitor: { name: 'Vera', email: 'v@example.com' } }).expect(201)).body;
      const second = (await begin({ visitor: { name: 'Vera B.' } }, first.token).expect(201)).body;
      expect(second.visitor).toEqual({ id: first.visitor.id, name: 'Vera B.', email: 'v@example.com' });
      await begin({}, 'nonsense').expect(401);
      const other = await parley.createTenant();
      await parley.visitor(first.token).post('/sessions', { widgetKey: other.widgetKey }).expect(401);
    });

    it('a renewal with an invalid token never creates another visitor, and is rejected before the body is read', async () => {
      const sessions = () => parley.visitor().post('/sessions', '{').set('Content-Type', 'text/plain');
      for (const header of ['Basic abc', 'Bearer', 'Bearer nonsense', '']) {
        await sessions().set('Authorization', header).expect(401);
      }
      await sessions().expect(415);
    });

    it('an unknown widget key, and invalid fields, are rejected by name', async () => {
      await begin({ widgetKey: 'prl_wk_none' }).expect(404);
      for (const [body, pointer] of [
        [{ widgetKey: 5 }, '/widgetKey'],
        [{ visitor: [] }, '/visitor'],
        [{ visitor: { email: 5 } }, '/visitor/email'],
        [{ visitor: { metadata: [] } }, '/visitor/metadata'],
        [{ identity: 7 }, '/identity'],
      ] as const) {
        expect((await begin(body).expect(400)).body.errors).toMatchObject([{ pointer }]);
      }
    });
  });

  describe('the allow-list of origins', () => {
    beforeEach(() => tenant.admin.patch('', { allowedOrigins: ['https://shop.example'] }).expect(200));

    it('REST and the handshake enforce the allowed origins', async () => {
      for (const [origin, status] of [
        ['https://shop.example', 201],
        ['https://evil.example', 403],
        ['null', 403],
        ['https://shop.example.evil.example', 403],
      ] as const) {
        const { body } = await begin().set('Origin', origin).expect(status);
        if (status === 403) expect(body.code).toBe('forbidden');
        const list = await parley.visitor(tenant.visitorToken).get('/chats').set('Origin', origin);
        expect(list.status).toBe(status === 201 ? 200 : 403);
        const connecting = connect(tenant.visitorToken, { extraHeaders: { origin } });
        if (status === 403) await expect(connecting).rejects.toMatchObject({ data: { code: 'forbidden' } });
        else expect((await connecting).socket.connected).toBe(true);
      }
      await begin().expect(201);
    });

    it('a page of any origin can read the response', async () => {
      const { headers } = await begin().set('Origin', 'https://evil.example').expect(403);
      expect(headers['access-control-allow-origin']).toBe('*');
    });
  });
});
