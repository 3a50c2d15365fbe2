import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { deriveKey } from '../../src/platform/lib/secrets.js';
import { AuthRetention } from '../../src/auth/auth-retention.js';
import { Timings } from '../../src/live/feeds/timings.js';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import type { VisitorSocket } from '../support/visitor.js';

const SHOP = 'https://shop.example';
const SECRET_KEY = 'the-secret-key-of-session-ends';

describe("the end of a visitor's session", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start({ SECRET_KEY });
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  const begin = async (body: object = {}, token?: string) =>
    (await parley.beginSession(tenant, body, token).expect(201)).body.token as string;
  const signOut = (token: string, node = parley) => node.visitor(token).delete('/sessions');
  /** A token in the previous release's form, or one that expires sooner. */
  const forge = (visitorId: string, expiresAt: number) =>
    new SignJWT({ org: tenant.id })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(visitorId)
      .setAudience('parley:visitor')
      .setIssuedAt()
      .setExpirationTime(expiresAt)
      .sign(deriveKey(SECRET_KEY, 'visitor tokens'));
  const now = () => Math.floor(Date.now() / 1000);
  const listen = async (token: string, options = {}) => {
    const visitor = await parley.connectVisitor(token, options);
    expect(await visitor.ask('chat:open', { chatId: tenant.chatId })).toMatchObject({ ok: true });
    return visitor;
  };
  const end = ({ socket }: VisitorSocket) => new Promise<string>((resolve) => socket.once('disconnect', resolve));

  describe('by signing out', () => {
    it("a signed-out token is rejected by REST, sockets, and renewals immediately, and other tokens aren't affected", async () => {
      const other = await begin({}, tenant.visitorToken);
      const { body, headers } = await signOut(tenant.visitorToken).set('Origin', SHOP).expect(204);
      expect([body, headers['access-control-allow-origin']]).toEqual([{}, '*']);
      await parley.visitor(tenant.visitorToken).get('/chats').expect(401);
      await parley.beginSession(tenant, {}, tenant.visitorToken).expect(401);
      await expect(parley.connectVisitor(tenant.visitorToken)).rejects.toMatchObject({
        data: { code: 'unauthorized' },
      });
      expect((await signOut(tenant.visitorToken).expect(401)).body.code).toBe('unauthorized');
      await parley.visitor(other).get('/chats').expect(200);
    });

    it('signing out without a session is rejected', async () => {
      for (const token of ['nonsense', tenant.token, await forge(tenant.visitorId, now() - 1)]) {
        await signOut(token).expect(401);
      }
      await parley.visitor().delete('/sessions').expect(401);
    });

    it('signing out works when the storage quota is used up', async () => {
      const limits = { SECRET_KEY, ANONYMOUS_BYTES_PER_DAY: '600', NEW_VISITOR_LIMIT: '3' };
      const strict = await Parley.start(limits, parley.databaseUrl);
      try {
        const renew = () => strict.beginSession(tenant, {}, tenant.visitorToken);
        const tokens = [await renew(), await renew(), await renew(), await renew()].map(({ body }) => body.token);
        for (const token of tokens) await signOut(token, strict).expect(204);
        await strict.visitor(tokens[3]).get('/chats').expect(401);
        // Each takes 200 bytes: now the address has stored too much, and gets few more tokens that it could end.
        const path = `/chats/${tenant.chatId}/messages`;
        await strict.visitor(tenant.visitorToken).post(path, { content: 'a' }).expect(429);
        expect([await renew(), await renew(), await renew(), await renew()].map(({ status }) => status)).toEqual([
          201, 201, 201, 429,
        ]);
        await signOut(tenant.visitorToken, strict).expect(204);
      } finally {
        await strict.stop();
      }
    });

    it("signing out closes the token's sockets, and no others of the visitor", async () => {
      const other = await listen(await begin({}, tenant.visitorToken));
      const visitor = await listen(tenant.visitorToken);
      const ended = end(visitor);
      await signOut(tenant.visitorToken).expect(204);
      expect(await ended).toBe('io server disconnect');
      await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'after' }).expect(200);
      await other.next('message');
      expect(visitor.all('message')).toEqual([]);
    });

    it('browsers can sign out from a page of any origin', async () => {
      const url = `${parley.url}/api/visitor/sessions`;
      const { headers } = await fetch(url, { method: 'OPTIONS', headers: { origin: SHOP } });
      expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    });

    it("signing out ends a previous release's token, with any spelling of its signature", async () => {
      const token = await forge(tenant.visitorId, now() + 3_600);
      await parley.visitor(token).get('/chats').expect(200);
      // The last of 43 characters has two unused bits.
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const last = alphabet.indexOf(token.at(-1)!);
      const respelled = Array.from({ length: 4 }, (_, bits) => token.slice(0, -1) + alphabet[(last & ~3) | bits]!);
      await signOut(token).expect(204);
      for (const one of respelled) await parley.visitor(one).get('/chats').expect(401);
      for (const one of [`${token}=`, `${token}\n`, ` ${token}`])
        await expect(parley.connectVisitor(one)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
    });

    it('an ended token is forgotten when it has expired', async () => {
      const count = async () => (await parley.query('SELECT FROM ended_visitor_tokens')).length;
      const service = parley.app.get(AuthRetention);
      await parley.query('TRUNCATE ended_visitor_tokens');
      await signOut(await forge(tenant.visitorId, now() + 3_600)).expect(204);
      await signOut(tenant.visitorToken).expect(204);
      await service.removeExpired();
      expect(await count()).toBe(2);
      await service.removeExpired(new Date(Date.now() + 2 * 86_400_000));
      expect(await count()).toBe(1);
      await service.removeExpired(new Date(Date.now() + 32 * 86_400_000));
      expect(await count()).toBe(0);
    });
  });

  it('a socket closes when its token expires, and the token is rejected from then on', async () => {
    const lasting = await listen(tenant.visitorToken);
    const expiresAt = now() + 6;
    const token = await forge(tenant.visitorId, expiresAt);
    const later = await listen(await forge(tenant.visitorId, expiresAt + 1));
    const visitor = await listen(token);
    expect(await end(visitor)).toBe('io server disconnect');
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(expiresAt);
    await expect(parley.connectVisitor(token)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
    expect(await end(later)).toBe('io server disconnect');
    expect(lasting.socket.connected).toBe(true);
  });

  it('a socket closes when its origin is no longer allowed, and others stay', async () => {
    const at = (origin: string) => listen(tenant.visitorToken, { extraHeaders: { origin } });
    const [shop, evil, app] = [await at(SHOP), await at('https://evil.example'), await listen(tenant.visitorToken)];
    const stranger = await parley.createTenant();
    const headers = { extraHeaders: { origin: 'https://evil.example' } };
    const foreign = await parley.connectVisitor(stranger.visitorToken, headers);
    const ended = end(evil);
    await tenant.admin.patch('', { allowedOrigins: [SHOP] }).expect(200);
    expect(await ended).toBe('io server disconnect');
    expect([shop, app, foreign].map(({ socket }) => socket.connected)).toEqual([true, true, true]);
    await tenant.admin.patch('', { allowedOrigins: [] }).expect(200);
    expect((await at('https://evil.example')).socket.connected).toBe(true);
  });

  describe('on a node without hints', () => {
    let other: Parley;

    beforeAll(async () => {
      other = await Parley.start({ SECRET_KEY }, parley.databaseUrl);
      other.app.get(Timings).sessions = 100;
    });
    afterAll(() => other.stop());

    const there = async (token: string, options = {}) => {
      const visitor = await other.connectVisitor(token, options);
      expect(await visitor.ask('chat:open', {})).toMatchObject({ ok: true });
      return visitor;
    };

    it('another node rejects the token immediately, and closes its socket soon', async () => {
      const token = await begin({}, tenant.visitorToken);
      const [visitor, lasting] = [await there(token), await there(tenant.visitorToken)];
      const ended = end(visitor);
      await signOut(token).expect(204);
      await other.visitor(token).get('/chats').expect(401);
      await expect(other.connectVisitor(token)).rejects.toMatchObject({ data: { code: 'unauthorized' } });
      expect(await ended).toBe('io server disconnect');
      expect(lasting.socket.connected).toBe(true);
    });

    it('another node soon closes sockets of erased visitors, deleted organizations, and removed origins', async () => {
      const { body: erased } = await parley.beginSession(tenant).expect(201);
      const gone = await parley.createTenant();
      const visitors = [
        await there(tenant.visitorToken, { extraHeaders: { origin: 'https://evil.example' } }),
        await there(erased.token),
        await there(gone.visitorToken),
      ];
      const lasting = await there(tenant.visitorToken, { extraHeaders: { origin: SHOP } });
      const ended = Promise.all(visitors.map(end));
      await tenant.admin.patch('', { allowedOrigins: [SHOP] }).expect(200);
      await tenant.admin.delete(`/visitors/${erased.visitor.id}`).expect(204);
      await parley.admin.delete(`/${gone.id}`).expect(204);
      expect(await ended).toEqual(visitors.map(() => 'io server disconnect'));
      expect(lasting.socket.connected).toBe(true);
    });

    it('the sweep for ended sessions continues after a failure, and logs it', async () => {
      const token = await begin();
      const visitor = await there(token);
      await parley.query('ALTER TABLE ended_visitor_tokens RENAME TO elsewhere');
      const failures = async () =>
        Number(
          /^parley_session_sweep_errors_total (\d+)/m.exec(await (await fetch(`${other.url}/metrics`)).text())![1],
        );
      await eventually(failures, (count) => count > 0);
      await parley.query('ALTER TABLE elsewhere RENAME TO ended_visitor_tokens');
      expect(visitor.socket.connected).toBe(true);
      const ended = end(visitor);
      await signOut(token).expect(204);
      expect(await ended).toBe('io server disconnect');
    });
  });
});
