import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { MailServer } from './support/mail-server.js';
import { hasten, listMails, untilNewest } from './support/mails.js';

const PASSWORD = 'correct horse battery';
const linkIn = (text: string) => /console\/link#(prl_lnk_\w+)/.exec(text)?.[1] ?? '';

describe('mails to agents', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start(server.environment);
    tenant = await parley.createTenant({ name: 'Acme', hasBot: false });
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const createAgent = async (email: string) =>
    (await tenant.admin.post('/agents', { name: 'Ada', email }).expect(201)).body.id as string;
  const reset = (email: unknown) => parley.agent().post('/password-reset', { email });
  const signIn = (token: string, password?: string) =>
    parley.agent().post('/session/link', { token, password, mode: 'token' });

  it('the answer is the same for an unknown address, which stores nothing', async () => {
    const { email } = await parley.signInAgent(tenant, {});
    for (const unknown of ['nobody@example.com', email, '\0']) {
      const { body, text } = await reset(unknown).expect(202);
      expect([body, text]).toEqual([{}, '']);
    }
    const counted = await parley.query("SELECT FROM mails WHERE recipient IN ('nobody@example.com', $1)", [email]);
    expect(counted).toEqual([]);
    expect(await parley.query('SELECT FROM mail_limits')).toEqual([]);
  });

  it('an invitation has the link that the answer has', async () => {
    const id = await createAgent('invited@example.com');
    const { body } = await tenant.admin.post(`/agents/${id}/sign-in-links`, { send: true }).expect(201);
    const [mail] = await server.arrived('invited@example.com');
    expect(mail!.headers.subject).toBe('Your invitation to Acme');
    expect(mail!.text).toContain('https://chat.example.com/console/link#');
    expect(linkIn(mail!.text)).toBe(new URL(body.url).hash.slice(1));
    await untilNewest(tenant, ({ agentId, status }) => agentId === id && status === 'SENT');
    await signIn(linkIn(mail!.text), PASSWORD).expect(201);
  });

  it('a link without `send` is not mailed', async () => {
    const id = await createAgent('quiet@example.com');
    await tenant.admin.post(`/agents/${id}/sign-in-links`, {}).expect(201);
    await tenant.admin.post(`/agents/${id}/sign-in-links`, { send: false }).expect(201);
    expect((await listMails(tenant)).filter(({ to }) => to === 'quiet@example.com')).toEqual([]);
    const { body } = await tenant.admin.post(`/agents/${id}/sign-in-links`, { send: 'yes' }).expect(400);
    expect(body.errors[0].pointer).toBe('/send');
  });

  it('an invitation whose link was revoked lapses', async () => {
    const id = await createAgent('revoked@example.com');
    server.behaviour = { onSender: () => Object.assign(new Error('4.3.0 later'), { responseCode: 451 }) as never };
    const { body } = await tenant.admin.post(`/agents/${id}/sign-in-links`, { send: true }).expect(201);
    await untilNewest(tenant, ({ to, attempts }) => to === 'revoked@example.com' && attempts === 1);
    server.behaviour = {};
    await tenant.admin.delete(`/agents/${id}/sign-in-links/${body.id}`).expect(204);
    await hasten(parley);
    expect(await untilNewest(tenant, ({ status }) => status === 'LAPSED')).toMatchObject({ to: 'revoked@example.com' });
    expect(server.to('revoked@example.com')).toEqual([]);
  });

  it('a forgotten password is reset by a link that works once, and ends no other link', async () => {
    const { id, email, client } = await parley.signInAgent(tenant, { password: PASSWORD });
    const other = await parley.mintLink(tenant, id);
    await reset(email.toUpperCase()).expect(202);
    const [mail] = await server.arrived(email);
    expect(mail!.headers.subject).toBe('Reset your password at Acme');
    await parley.agent().post('/session/link/agent', { token: other }).expect(200);
    await signIn(linkIn(mail!.text), 'another long password').expect(201);
    await signIn(linkIn(mail!.text)).expect(401);
    await client.get('/session').expect(401);
  });

  it('its link ends after an hour', async () => {
    const { id, email } = await parley.signInAgent(tenant, { password: PASSWORD });
    await reset(email).expect(202);
    await server.arrived(email);
    const [link] = await parley.query<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::integer AS seconds FROM sign_in_links WHERE agent_id = $1',
      [id],
    );
    expect(link!.seconds).toBe(3_600);
  });

  it('an address gets three mails an hour at most', async () => {
    const { email } = await parley.signInAgent(tenant, { password: PASSWORD });
    for (const _ of [1, 2, 3, 4]) await reset(email).expect(202);
    await server.arrived(email, 3);
    // A later request of another agent is handled after these.
    const later = await parley.signInAgent(tenant, { password: PASSWORD });
    await reset(later.email).expect(202);
    await server.arrived(later.email);
    expect(server.to(email)).toHaveLength(3);
  });

  it('a source address sends ten requests a minute at most, and gets 202 beyond', async () => {
    const { email } = await parley.signInAgent(tenant, { password: PASSWORD });
    for (let count = 0; count < 12; count++) await reset('nobody@example.com').expect(202);
    await reset(email).expect(202);
    await eventually(
      async () => (await parley.query('SELECT FROM mails')).length,
      (count) => count > 0,
    );
    expect(server.to(email)).toEqual([]);
    expect(await parley.query('SELECT FROM mails WHERE recipient = $1', [email])).toEqual([]);
  });

  it('a request without an address is 400', async () => {
    for (const email of [undefined, 5, '', 'a'.repeat(400)])
      expect((await reset(email).expect(400)).body.errors[0].pointer).toBe('/email');
  });
});
