import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MailboxService } from '../../src/mail/receiving/mailbox.service.js';
import { until } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { Dovecot } from './support/dovecot.js';
import { mail, MailRecorder } from './support/mail-recorder.js';
import { environmentOf, isConnected, startReader } from './support/readers.js';

describe('the mailbox', () => {
  let dovecot: Dovecot;
  let recorder: MailRecorder;
  let nodes: Parley[];

  beforeAll(() => {
    recorder = new MailRecorder();
  });
  beforeEach(async () => {
    recorder.subjects.length = 0;
    recorder.answer = () => ({ status: 'stored' });
    dovecot = await Dovecot.start();
    nodes = [];
  });
  afterEach(async () => {
    for (const node of nodes.toReversed()) await node.stop();
    await dovecot.close();
  });
  afterAll(() => {
    jest.restoreAllMocks();
  });

  const start = async (server = dovecot) => {
    const node = await startReader(server, nodes[0]?.databaseUrl);
    nodes.push(node);
    return node;
  };
  const seen = (uid: number) => until(`${uid} is read`, async () => (await dovecot.seen()).includes(uid));

  it('the first start ignores older mail, and then reads what arrives, by IDLE', async () => {
    const old = await dovecot.deliver(mail('old'));
    const node = await start();
    node.app.get(MailboxService).times.check = 3_600_000;
    await until('it is connected', () => isConnected(node));
    const first = await dovecot.deliver(mail('first'));
    await recorder.arrived('first');
    await seen(first);
    await dovecot.deliver(mail('second'));
    await recorder.arrived('second');
    expect(recorder.subjects).toEqual(['first', 'second']);
    expect(await dovecot.seen()).not.toContain(old);
  });

  it('what was handled or refused is marked as read, and what is not ours stays unread', async () => {
    const node = await start();
    await until('it is connected', () => isConnected(node));
    recorder.answer = (subject) =>
      subject === 'ignored' ? null : { status: subject as 'stored' | 'to_check' | 'refused' | 'processed' };
    const uids: Record<string, number> = {};
    for (const subject of ['stored', 'ignored', 'to_check', 'refused', 'processed'])
      uids[subject] = await dovecot.deliver(mail(subject));
    await seen(uids.processed!);
    const { ignored, ...handled } = uids;
    expect(await dovecot.seen()).toEqual(Object.values(handled));
    expect(await dovecot.all()).toContain(ignored);
    const scrape = await Scrape.of(node.url);
    for (const status of ['stored', 'ignored', 'to_check', 'refused', 'processed'])
      expect(scrape.value('parley_mail_received_total', { status })).toBe(1);
  });

  it('a restart continues where the last one ended', async () => {
    const node = await start();
    await until('it is connected', () => isConnected(node));
    const first = await dovecot.deliver(mail('first'));
    await seen(first);
    await node.app.get(MailboxService).onModuleDestroy();
    const meanwhile = await dovecot.deliver(mail('meanwhile'));
    await start();
    await seen(meanwhile);
    expect(recorder.subjects).toEqual(['first', 'meanwhile']);
  });

  it('a mail that another program opened arrives too', async () => {
    const node = await start();
    await until('it is connected', () => isConnected(node));
    await node.app.get(MailboxService).onModuleDestroy();
    await dovecot.deliver(mail('opened'), ['\\Seen']);
    await start();
    await recorder.arrived('opened');
  });

  it('a server without IDLE is asked at intervals', async () => {
    const simple = await Dovecot.start({ settings: 'imap_capability = IMAP4rev1 UIDPLUS' });
    try {
      const node = await start(simple);
      await until('it is connected', () => isConnected(node));
      await simple.deliver(mail('polled'));
      await recorder.arrived('polled');
      await node.app.get(MailboxService).onModuleDestroy();
    } finally {
      await simple.close();
    }
  });

  it('two nodes read one mailbox, each mail once, and one takes over from the other', async () => {
    const [one, other] = [await start(), await start()];
    await until('one is connected', () => isConnected(one));
    expect(await isConnected(other)).toBe(false);
    const subjects = Array.from({ length: 20 }, (_, index) => `mail ${index}`);
    for (const subject of subjects.slice(0, 10)) await dovecot.deliver(mail(subject));
    await one.app.get(MailboxService).onModuleDestroy();
    for (const subject of subjects.slice(10)) await dovecot.deliver(mail(subject));
    await recorder.arrived('mail 19');
    expect(await isConnected(other)).toBe(true);
    expect(recorder.subjects).toEqual(subjects);
  });

  it('another node takes over once the lease of a killed one has ended', async () => {
    const node = await start();
    await until('it is connected', () => isConnected(node));
    await node.query("UPDATE mailboxes SET node_id = 'killed', leased_until = now() + interval '3 s'");
    await dovecot.deliver(mail('taken over'));
    await recorder.arrived('taken over');
    await until(
      'it has the lease',
      async () => (await node.query("SELECT FROM mailboxes WHERE node_id = 'killed'")).length === 0,
    );
  });

  it('a mail that is longer than 25 MiB is refused, if it is ours', async () => {
    const node = await start();
    await until('it is connected', () => isConnected(node));
    const long = 'x'.repeat(99).concat('\r\n').repeat(260_000);
    const strange = await dovecot.deliver(mail('strange', long));
    const token = 'abcdefghijklmnopqrstuvwxyz';
    const tenant = await node.createTenant();
    await node.query(
      `INSERT INTO mails (organization_id, id, kind, recipient, token, chat_id, visitor_id, content, due_at, created_at)
      SELECT c.organization_id, 'eml_x', 'test', 'vera@example.com', $2, c.id, c.visitor_id, 'x', now(), now() FROM chats c WHERE c.id = $1`,
      [tenant.chatId, token],
    );
    const ours = await dovecot.deliver(mail('ours', long).replace('support@', `Support+${token}@`));
    const unknown = await dovecot.deliver(mail('unknown', long).replace('support@', `Support+${'a'.repeat(26)}@`));
    await seen(ours);
    await seen(unknown);
    const { mails } = (await tenant.admin.get('/mails/arrived').expect(200)).body;
    expect(mails).toEqual([
      expect.objectContaining({ status: 'REFUSED', reason: 'too_large', chatId: tenant.chatId, mailId: 'eml_x' }),
    ]);
    expect(await dovecot.seen()).not.toContain(strange);
    expect(recorder.subjects).toEqual([]);
    await dovecot.deliver(mail('short'));
    await recorder.arrived('short');
  });

  it('a drill reads no mailbox', async () => {
    const node = await Parley.start({ ...environmentOf(dovecot), DRILL: '1' });
    try {
      expect(await node.query('SELECT FROM mailboxes')).toEqual([]);
      expect((await Scrape.of(node.url)).names).not.toContain('parley_mail_mailbox_connected');
    } finally {
      await node.stop();
    }
  });

  it('mails with new numbers are read from the first unread one on', async () => {
    const node = await start();
    await until('it is connected', () => isConnected(node));
    const first = await dovecot.deliver(mail('first'));
    await seen(first);
    await dovecot.kill();
    dovecot.forgetNumbers();
    await dovecot.restart();
    await dovecot.deliver(mail('second'));
    await recorder.arrived('second');
    await seen(Math.max(...(await dovecot.all())));
    expect(recorder.countOf('first')).toBe(1);
  });
});
