import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Parley, type Tenant } from '../support/parley.js';
import { MailServer } from './support/mail-server.js';
import { listMails, untilMail } from './support/mails.js';
import { answer, beginChat, passTime, type Writer } from './support/missing.js';

describe('links in mails to visitors', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start(server.environment);
    tenant = await parley.createTenant({ name: 'Acme' });
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const miss = async (email: string): Promise<Writer & { link: string; unsubscribe: string }> => {
    const writer = await beginChat(parley, tenant, email);
    await answer(tenant, writer.chatId, 'an answer');
    await passTime(parley, writer.chatId);
    const [mail] = await server.arrived(email);
    const link = /prl_vln_\w{38}/.exec(mail!.text)![0];
    return { ...writer, link, unsubscribe: new URL(mail!.headers['list-unsubscribe']!.slice(1, -1)).pathname };
  };
  const open = (path: string, token: unknown) => parley.visitor().post(`/link${path}`, { token });
  const emailOf = async (id: string) =>
    (
      await parley.query<{ email: string | null; verified: string | null }>(
        'SELECT email, verified_email AS verified FROM visitors WHERE id = $1',
        [id],
      )
    )[0];

  it('opening a link changes nothing, and continuing signs the device in once and verifies the address', async () => {
    const { link, visitorId, chatId } = await miss('continue@example.com');
    for (const _ of [1, 2]) {
      const { body } = await open('', link).expect(200);
      expect(body).toEqual({
        organization: { name: 'Acme', widgetKey: tenant.widgetKey },
        visitor: { name: 'Vera' },
        startedAt: expect.any(String),
        canContinue: true,
      });
    }
    expect(await emailOf(visitorId)).toEqual({ email: 'continue@example.com', verified: null });
    const { body: session } = await open('/continue', link).expect(200);
    expect(session.visitor.id).toBe(visitorId);
    await parley.visitor(session.token).get(`/chats/${chatId}/messages`).expect(200);
    expect(await emailOf(visitorId)).toEqual({ email: 'continue@example.com', verified: 'continue@example.com' });
    await open('/continue', link).expect(404);
    await open('', link).expect(404);
  });

  it('only the hash of a link is stored', async () => {
    const { link, chatId } = await miss('hash@example.com');
    const [row] = await parley.query<{ row: string }>('SELECT l::text AS row FROM visitor_links l WHERE chat_id = $1', [
      chatId,
    ]);
    expect(row!.row).not.toContain(link);
    const [mail] = await parley.query<{ status: string }>(
      "SELECT status FROM mails WHERE recipient = 'hash@example.com'",
    );
    expect(mail).toBeDefined();
  });

  it('a new address is not verified', async () => {
    const { link, visitorId, token } = await miss('old@example.com');
    await open('/continue', link).expect(200);
    await parley.beginSession(tenant, { visitor: { email: 'other@example.com' } }, token).expect(201);
    const row = await emailOf(visitorId);
    expect(row!.verified).not.toBe(row!.email);
  });

  it('a link that was mailed to an address ends when the visitor corrects the address', async () => {
    const { link, visitorId, token } = await miss('typo@example.com');
    await parley.beginSession(tenant, { visitor: { email: 'right@example.com' } }, token).expect(201);
    for (const path of ['', '/continue', '/not-me']) await open(path, link).expect(404);
    expect(await emailOf(visitorId)).toEqual({ email: 'right@example.com', verified: null });
  });

  it('"this isn\'t me" removes the address, ends the link, and is recorded', async () => {
    const { link, visitorId } = await miss('wrong@example.com');
    await open('/not-me', link).expect(204);
    expect(await emailOf(visitorId)).toEqual({ email: null, verified: null });
    await open('/continue', link).expect(404);
    await open('/not-me', link).expect(404);
    const { body } = await tenant.admin.get('/audit?action=visitor.address_removed').expect(200);
    expect(body.entries).toHaveLength(1);
    expect(JSON.stringify(body.entries)).toContain(visitorId);
  });

  it('unknown, malformed, and expired links are 404, and other bodies 400', async () => {
    const { link, chatId } = await miss('expired@example.com');
    await parley.query("UPDATE visitor_links SET expires_at = now() - interval '1 s' WHERE chat_id = $1", [chatId]);
    for (const token of [link, `prl_vln_${'a'.repeat(38)}`, 'x'])
      for (const path of ['', '/continue', '/not-me']) await open(path, token).expect(404);
    for (const token of [undefined, 5, ''])
      expect((await open('', token).expect(400)).body.errors[0].pointer).toBe('/token');
  });

  it('a blocked visitor does not continue', async () => {
    const { link, visitorId } = await miss('blocked@example.com');
    await parley.query(
      `INSERT INTO visitor_blocks (organization_id, visitor_id, agent_id, agent_name, blocked_at) VALUES ($1, $2, 'agt_x', 'Ada', now())`,
      [tenant.id, visitorId],
    );
    expect((await open('/continue', link).expect(403)).body.code).toBe('blocked');
  });

  it('a GET of the address to unsubscribe changes nothing, and a POST without a cookie unsubscribes', async () => {
    const { unsubscribe, chatId, token, visitorId } = await miss('unsubscribe@example.com');
    const page = await request(parley.url).get(unsubscribe).expect(200);
    expect(page.text).toContain('<form method="post">');
    const isMarked = () => parley.query("SELECT FROM mail_addresses WHERE status = 'UNSUBSCRIBED'");
    expect(await isMarked()).toEqual([]);
    for (const _ of [1, 2])
      await request(parley.url).post(unsubscribe).type('form').send('List-Unsubscribe=One-Click').expect(200);
    expect(await isMarked()).toHaveLength(1);
    const { body } = await tenant.admin.get('/audit?action=visitor.unsubscribed').expect(200);
    expect(body.entries).toHaveLength(1);
    expect(JSON.stringify(body.entries)).toContain(visitorId);
    await parley.visitor(token).post(`/chats/${chatId}/messages`, { content: 'hello' }).expect(201);
    await answer(tenant, chatId, 'another answer');
    await parley.query('DELETE FROM mail_limits');
    await passTime(parley, chatId);
    await untilMail(tenant, 'unsubscribe@example.com', ({ status }) => status === 'LAPSED');
    expect(server.to('unsubscribe@example.com')).toHaveLength(1);
    await request(parley.url).get('/api/mail/unsubscribe/abc').expect(404);
    await request(parley.url)
      .post(`/api/mail/unsubscribe/${'a'.repeat(26)}`)
      .expect(404);
  });

  it('erasing a visitor removes mails, links, and tokens', async () => {
    const { visitorId, chatId, link, unsubscribe } = await miss('erase@example.com');
    expect([202, 204]).toContain((await tenant.admin.delete(`/visitors/${visitorId}`)).status);
    await parley.untilRow(`SELECT FROM audit_entries WHERE action = 'visitor.erased' AND target = '${visitorId}'`);
    for (const table of ['mails', 'visitor_links'])
      expect(await parley.query(`SELECT FROM ${table} WHERE chat_id = $1`, [chatId])).toEqual([]);
    await open('', link).expect(404);
    await request(parley.url).get(unsubscribe).expect(404);
    expect((await listMails(tenant)).filter(({ to }) => to === 'erase@example.com')).toEqual([]);
  });
});
