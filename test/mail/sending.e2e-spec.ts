import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley, type Tenant } from '../support/parley.js';
import { MailServer, Refusal } from './support/mail-server.js';
import { hasten, listMails, untilNewest } from './support/mails.js';

describe('sending mail', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start({ ...server.environment, MAIL_RETRY_SECONDS: '1000' });
    tenant = await parley.createTenant({ name: 'Acme' });
  });

  afterEach(() => {
    server.behaviour = {};
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  const send = async (to: string) => (await tenant.admin.post('/mail/test', { to }).expect(202)).body;

  it('sends a test mail with the headers that the contract names', async () => {
    const queued = await send('ada@example.com');
    expect(queued).toMatchObject({ kind: 'test', to: 'ada@example.com', status: 'WAITING', attempts: 0, sentAt: null });
    const [mail] = await server.arrived('ada@example.com');
    const token = /^<mail\.([a-z2-7]{26})@parley\.example>$/.exec(mail!.headers['message-id']!)?.[1];
    expect(token).toBeDefined();
    expect(mail!.from).toBe(`support+b-${token}@parley.example`);
    expect(mail!.headers).toMatchObject({
      from: 'Acme <support@parley.example>',
      'reply-to': `support+${token}@parley.example`,
      subject: 'Test mail of Acme',
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'DR, RN, NRN, OOF, AutoReply',
    });
    expect(mail!.headers).not.toHaveProperty('list-unsubscribe');
    expect(mail!.text).toContain('Parley can send e-mails for Acme');
    expect(mail!.html).toContain('<html lang="en" dir="ltr">');
    const listed = await untilNewest(tenant, ({ status }) => status === 'SENT');
    expect(listed).toMatchObject({ id: queued.id, attempts: 1, lastError: null, nextAttemptAt: null });
  });

  it('tries again after a temporary refusal, with the same Message-ID', async () => {
    server.behaviour = { onText: () => new Refusal(451, '4.3.0 try later') };
    await send('later@example.com');
    const waiting = await untilNewest(tenant, ({ attempts }) => attempts === 1);
    expect(waiting).toMatchObject({ status: 'WAITING', lastError: expect.stringContaining('4.3.0') });
    expect(waiting.nextAttemptAt).not.toBeNull();
    server.behaviour = {};
    await hasten(parley);
    await untilNewest(tenant, ({ status }) => status === 'SENT');
    const [first, second] = server.to('later@example.com');
    expect(second!.headers['message-id']).toBe(first!.headers['message-id']);
  });

  it('tries again when the server hangs up after the text', async () => {
    server.behaviour = { onText: () => 'hang up' };
    await send('hang@example.com');
    await untilNewest(tenant, ({ attempts, status }) => attempts === 1 && status === 'WAITING');
    server.behaviour = {};
    await hasten(parley);
    await untilNewest(tenant, ({ status }) => status === 'SENT');
    expect(new Set(server.to('hang@example.com').map(({ headers }) => headers['message-id'])).size).toBe(1);
  });

  it('gives up after a day', async () => {
    server.behaviour = { onRecipient: () => new Refusal(450, '4.2.1 busy') };
    await send('day@example.com');
    await untilNewest(tenant, ({ attempts }) => attempts === 1);
    await parley.query(
      "UPDATE mails SET first_tried_at = now() - interval '24 hours' WHERE recipient = 'day@example.com'",
    );
    await hasten(parley);
    expect(await untilNewest(tenant, ({ attempts }) => attempts === 2)).toMatchObject({
      status: 'FAILED',
      nextAttemptAt: null,
    });
  });

  it.each([
    ['a recipient that does not exist', { onRecipient: () => new Refusal(550, '5.1.1 no such user') }, 'BOUNCED'],
    ['a recipient without a reason', { onRecipient: () => new Refusal(550, 'no') }, 'BOUNCED'],
    ['a full mailbox', { onRecipient: () => new Refusal(552, '5.2.2 full') }, 'WAITING'],
    ['a recipient by policy', { onRecipient: () => new Refusal(550, '5.7.1 not you') }, 'WAITING'],
    ['the sender', { onSender: () => new Refusal(553, '5.1.8 bad sender') }, 'WAITING'],
    ['the text because of the address', { onText: () => new Refusal(550, '5.1.1 no such user') }, 'BOUNCED'],
    ['the text as spam', { onText: () => new Refusal(554, '5.7.1 spam') }, 'WAITING'],
  ])('when the server refuses %s, the mail is right', async (what, behaviour, status) => {
    const to = `${what.replaceAll(/\W/g, '-')}@example.com`;
    server.behaviour = behaviour;
    await send(to);
    expect(await untilNewest(tenant, ({ attempts }) => attempts === 1)).toMatchObject({ to, status });
    await parley.query("UPDATE mails SET status = 'FAILED' WHERE status = 'WAITING'");
  });

  it('retries for seven days what refuses us and not the address', async () => {
    server.behaviour = { onText: () => new Refusal(554, '5.7.1 spam') };
    await send('policy@example.com');
    await untilNewest(tenant, ({ attempts }) => attempts === 1);
    const age = (days: number) =>
      parley.query(
        `UPDATE mails SET first_tried_at = now() - interval '${days} days' WHERE recipient = 'policy@example.com'`,
      );
    await age(6);
    await hasten(parley);
    expect(await untilNewest(tenant, ({ attempts }) => attempts === 2)).toMatchObject({ status: 'WAITING' });
    await age(7);
    await hasten(parley);
    expect(await untilNewest(tenant, ({ attempts }) => attempts === 3)).toMatchObject({ status: 'FAILED' });
  });

  it('a server that is down loses nothing', async () => {
    const { port } = server;
    await server.close();
    await send('down@example.com');
    await untilNewest(tenant, ({ attempts }) => attempts === 1);
    server = await MailServer.start(port);
    await hasten(parley);
    await server.arrived('down@example.com');
    await untilNewest(tenant, ({ status }) => status === 'SENT');
  });

  it('a node that is lost between sending and noting sends the same Message-ID again', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
    server.behaviour = { onText: () => answered };
    await send('lost@example.com');
    const isLeased = "SELECT FROM mails WHERE recipient = 'lost@example.com' AND lease = 1";
    await parley.untilRow(isLeased);
    // Another node takes over, as after the end of the lease.
    await hasten(parley);
    await parley.untilRow("SELECT FROM mails WHERE recipient = 'lost@example.com' AND lease = 2");
    answer();
    await untilNewest(tenant, ({ status }) => status === 'SENT');
    const mails = await server.arrived('lost@example.com', 2);
    expect(mails[1]!.headers['message-id']).toBe(mails[0]!.headers['message-id']);
    expect(await untilNewest(tenant, ({ status }) => status === 'SENT')).toMatchObject({ attempts: 1 });
  });

  it('two nodes send each mail once', async () => {
    const other = await Parley.start(server.environment, parley.databaseUrl);
    try {
      const addresses = Array.from({ length: 20 }, (_, at) => `node-${at}@example.com`);
      await Promise.all(addresses.map(send));
      await eventually(
        async () => (await listMails(tenant)).slice(0, 20),
        (mails) => mails.every(({ status }) => status === 'SENT'),
      );
      expect(addresses.map((to) => server.to(to).length)).toEqual(addresses.map(() => 1));
    } finally {
      await other.stop();
    }
  });

  it('names add no header, and no line', async () => {
    const evil = await parley.createTenant({ name: 'Evil\r\nBcc: victim@example.com\r\n\r\nText', hasBot: false });
    await evil.admin.patch('', { mail: { fromName: 'A\u2028B\nC: d "x" <y@z.example>' } }).expect(200);
    await evil.admin.post('/mail/test', { to: 'names@example.com' }).expect(202);
    const [mail] = await server.arrived('names@example.com');
    expect(Object.keys(mail!.headers)).not.toContain('bcc');
    expect(Object.keys(mail!.headers)).not.toContain('c');
    expect(mail!.to).toEqual(['names@example.com']);
    expect(mail!.headers.from).toMatch(/<support@parley\.example>$/);
    expect(mail!.headers.subject).toBe('Test mail of Evil  Bcc: victim@example.com    Text');
  });

  it('a mail has the language of the widget', async () => {
    await tenant.admin.patch('/widget', { locale: 'ar', color: '#123456' }).expect(200);
    await send('arabic@example.com');
    const [mail] = await server.arrived('arabic@example.com');
    expect(mail!.html).toContain('<html lang="ar" dir="rtl">');
    expect(mail!.html).toContain('prefers-color-scheme: dark');
    await tenant.admin.patch('/widget', { locale: 'zh-TW' }).expect(200);
    await send('traditional@example.com');
    const [traditional] = await server.arrived('traditional@example.com');
    expect(traditional!.html).toContain('<html lang="zh-Hant" dir="ltr">');
    expect(traditional!.headers.subject).toBe('Acme 的測試郵件');
    await tenant.admin.patch('/widget', { locale: null }).expect(200);
  });

  it("an organization's mails to a slow server delay another one's by one mail", async () => {
    const other = await parley.createTenant({ name: 'Other' });
    const waiting: (() => void)[] = [];
    const begun: string[] = [];
    server.behaviour = {
      onText: async ({ to }) => {
        begun.push(to[0]!);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return undefined;
      },
    };
    for (let count = 0; count < 16; count++) await send(`many${count}@example.com`);
    await eventually(
      () => Promise.resolve(begun.length),
      (length) => length === 8,
    );
    await other.admin.post('/mail/test', { to: 'one@example.com' }).expect(202);
    waiting.shift()!();
    await eventually(
      () => Promise.resolve(begun.length),
      (length) => length === 9,
    );
    expect(begun[8]).toBe('one@example.com');
    server.behaviour = {};
    waiting.splice(0).forEach((go) => go());
    for (let count = 0; count < 16; count++) await server.arrived(`many${count}@example.com`);
  });

  it('an invalid address is refused with a pointer', async () => {
    for (const to of [undefined, 5, 'nobody', 'a@b.example\r\nBcc: c@d.example', ''])
      expect((await tenant.admin.post('/mail/test', { to }).expect(400)).body.errors[0].pointer).toBe('/to');
  });
});

describe('without SMTP_URL', () => {
  let parley: Parley;
  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  it('nothing is offered', async () => {
    const tenant = await parley.createTenant({ hasBot: false });
    const { body } = await tenant.admin.post('/mail/test', { to: 'ada@example.com' }).expect(409);
    expect(body.code).toBe('mail_off');
    expect(await listMails(tenant)).toEqual([]);
  });
});
