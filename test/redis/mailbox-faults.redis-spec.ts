import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ImapFlow } from 'imapflow';
import { checkImap } from '../../src/cli/doctor/mail/imap.js';
import { MAX_MAIL_BYTES } from '../../src/mail/reading/received-mail.js';
import { Imap } from '../../src/mail/receiving/imap.js';
import { MailboxService } from '../../src/mail/receiving/mailbox.service.js';
import { Surroundings } from '../../src/mail/receiving/surroundings.js';
import { Problem } from '../../src/platform/errors/problem.js';
import { until } from '../support/eventually.js';
import type { Parley } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { closedPort } from '../support/ports.mjs';
import { Dovecot } from './support/dovecot.js';
import { mail, MailRecorder } from './support/mail-recorder.js';
import { environmentOf, isConnected, startReader } from './support/readers.js';

describe('faults of the mailbox', () => {
  let dovecot: Dovecot;
  let recorder: MailRecorder;
  let node: Parley;

  beforeAll(() => {
    recorder = new MailRecorder();
  });
  beforeEach(async () => {
    recorder.subjects.length = 0;
    recorder.answer = () => ({ status: 'stored' });
    dovecot = await Dovecot.start();
    node = await startReader(dovecot);
    await until('it is connected', () => isConnected(node));
  });
  afterEach(async () => {
    await node.stop();
    await dovecot.close();
  });
  afterAll(() => {
    jest.restoreAllMocks();
  });

  const seen = (uid: number) => until(`${uid} is read`, async () => (await dovecot.seen()).includes(uid));

  it('mail arrives after the server restarted, and what was stored is not lost in between', async () => {
    const first = await dovecot.deliver(mail('first'));
    await seen(first);
    await dovecot.kill();
    await until('it is disconnected', async () => !(await isConnected(node)));
    await dovecot.restart();
    const second = await dovecot.deliver(mail('second'));
    await seen(second);
    expect(recorder.subjects).toEqual(['first', 'second']);
  });

  it('a server that falls silent is noticed', async () => {
    await node.app.get(MailboxService).onModuleDestroy();
    const other = await startReader(dovecot, node.databaseUrl);
    try {
      other.app.get(MailboxService).times.silence = 500;
      await until('it is connected', () => isConnected(other));
      dovecot.freeze();
      await until('it is disconnected', async () => !(await isConnected(other)));
      dovecot.thaw();
      await dovecot.deliver(mail('thawed'));
      await recorder.arrived('thawed');
    } finally {
      await other.stop();
    }
  });

  it('a mail that was stored, but not noted, is given again, and then marked as read', async () => {
    recorder.answer = (subject) => ({ status: recorder.countOf(subject) > 1 ? 'duplicate' : 'stored' });
    await node.query("UPDATE mailboxes SET node_id = 'other', leased_until = now() + interval '1 s'");
    const uid = await dovecot.deliver(mail('twice'));
    await seen(uid);
    await until('it was given twice', () => recorder.countOf('twice') === 2);
    await until(
      'the lease is back',
      async () => (await Scrape.of(node.url)).value('parley_mail_received_total', { status: 'duplicate' }) === 1,
    );
  });

  it('a mail that cannot be stored is tried again before the next ones', async () => {
    recorder.answer = (subject) => {
      if (subject === 'first' && recorder.countOf('first') < 4) throw new Error('a defect');
      return { status: 'stored' };
    };
    await dovecot.deliver(mail('first'));
    const second = await dovecot.deliver(mail('second'));
    await seen(second);
    expect(recorder.subjects).toEqual(['first', 'first', 'first', 'first', 'second']);
  });

  it('a mail that can never be stored is skipped, and stays unread', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error');
    recorder.answer = (subject) => {
      if (subject === 'poison') throw new Error('a defect');
      return { status: 'stored' };
    };
    const poison = await dovecot.deliver(mail('poison'));
    const next = await dovecot.deliver(mail('next'));
    await seen(next);
    expect(recorder.countOf('poison')).toBe(6);
    expect(await dovecot.seen()).toEqual([next]);
    expect(errors.mock.calls).toEqual([
      [expect.objectContaining({ uid: poison }), 'a mail cannot be stored; it is skipped, and stays unread'],
    ]);
    expect((await Scrape.of(node.url)).value('parley_mail_received_total', { status: 'failed' })).toBe(1);
  });

  it.each([
    ['answers BAD', 'findSource'],
    ['answers BAD about its beginning', 'getHead'],
    ['ends the connection', null],
  ] as const)('a mail is skipped, and stays unread, if the server %s each time', async (_, refused) => {
    const poison = 1;
    const refusal = () => Promise.reject(Object.assign(new Error('Command failed'), { responseStatus: 'BAD' }));
    const fetched = jest.spyOn(Imap.prototype, 'findSource').mockImplementation(function (this: Imap, uid) {
      if (uid !== poison) return Promise.resolve(Buffer.from(mail('next')));
      if (refused === 'findSource') return refusal();
      if (refused === 'getHead') return Promise.resolve(Buffer.alloc(MAX_MAIL_BYTES + 1));
      this.drop();
      return this.getHead(uid);
    });
    const head = refused === 'getHead' ? jest.spyOn(Imap.prototype, 'getHead').mockImplementation(refusal) : null;
    try {
      expect(await dovecot.deliver(mail('poison'))).toBe(poison);
      const next = await dovecot.deliver(mail('next'));
      await seen(next);
      expect(fetched.mock.calls.filter(([uid]) => uid === poison)).toHaveLength(6);
      expect(recorder.subjects).toEqual(['next']);
      expect(await dovecot.seen()).toEqual([next]);
    } finally {
      fetched.mockRestore();
      head?.mockRestore();
    }
  });

  it('mail arrives although the server refuses the sizes of all mails', async () => {
    const refused = jest
      .spyOn(ImapFlow.prototype, 'fetchAll')
      .mockRejectedValue(Object.assign(new Error('Command failed'), { responseStatus: 'NO' }));
    const first = await dovecot.deliver(mail('first'));
    await seen(first);
    const second = await dovecot.deliver(mail('second'));
    await seen(second);
    expect(recorder.subjects).toEqual(['first', 'second']);
    expect(refused).toHaveBeenCalled();
    refused.mockRestore();
  });

  it('a mail that alone is unavailable is skipped, and the next ones arrive', async () => {
    recorder.answer = (subject) => {
      if (subject === 'poison') throw Object.assign(new Error('canceling statement'), { code: '57014' });
      return { status: 'stored' };
    };
    await dovecot.deliver(mail('poison'));
    const next = await dovecot.deliver(mail('next'));
    await seen(next);
    expect(recorder.countOf('poison')).toBe(11);
    expect(await dovecot.seen()).toEqual([next]);
  });

  it('while the database is unavailable, no mail is skipped', async () => {
    const probe = jest.spyOn(Surroundings.prototype, 'work').mockResolvedValue(false);
    recorder.answer = (subject) => {
      if (recorder.countOf(subject) < 12) throw new Problem('unavailable', 'The database is unavailable');
      return { status: 'stored' };
    };
    const uid = await dovecot.deliver(mail('patient'));
    await seen(uid);
    expect(recorder.countOf('patient')).toBe(12);
    probe.mockRestore();
  });
});

it('a wrong password is logged once, without the password', async () => {
  const warnings = jest.spyOn(Logger.prototype, 'warn');
  const dovecot = await Dovecot.start();
  const node = await startReader({ url: dovecot.urlWith('hidden') });
  try {
    const failed = () =>
      warnings.mock.calls.filter(([, text]) => text === 'the mailbox cannot be read; it is tried again');
    await until('it has failed several times', () => dovecot.log.split('auth failed').length > 3);
    expect(failed()).toHaveLength(1);
    expect(JSON.stringify(failed())).toContain('Authentication failed');
    expect(JSON.stringify(failed())).not.toContain('hidden');
    expect(await isConnected(node)).toBe(false);
  } finally {
    await node.stop();
    await dovecot.close();
    jest.restoreAllMocks();
  }
});

describe('the line IMAP of doctor', () => {
  let dovecot: Dovecot;

  beforeAll(async () => {
    dovecot = await Dovecot.start();
  });
  afterAll(() => dovecot.close());

  it('says that the sign-in and IDLE work', async () => {
    expect(await checkImap({})).toBeNull();
    const { MAIL_AUTHSERV_ID: _, ...unproven } = environmentOf(dovecot);
    expect(await checkImap(unproven)).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('MAIL_AUTHSERV_ID'),
    });
    expect(await checkImap(environmentOf(dovecot))).toEqual({
      name: 'IMAP',
      status: 'ok',
      detail: `127.0.0.1:${dovecot.port} answers, and the sign-in works; it announces new mail (IDLE)`,
    });
  });

  it('names a missing variable', async () => {
    expect(await checkImap({ ...environmentOf(dovecot), PUBLIC_URL: undefined })).toMatchObject({
      status: 'warning',
      detail: 'PUBLIC_URL is not set: the mailbox is not read',
    });
  });

  it('says what to do about a wrong password, and never shows it', async () => {
    const check = await checkImap(environmentOf({ url: dovecot.urlWith('hidden') }));
    expect(check).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('Authentication failed'),
      advice: expect.stringMatching(/refuses the user or the password/),
    });
    expect(JSON.stringify(check)).not.toContain('hidden');
  });

  it('says that a server refuses connections', async () => {
    const url = `imap://user:hidden@127.0.0.1:${await closedPort()}`;
    expect(await checkImap(environmentOf({ url }))).toMatchObject({ status: 'warning', detail: 'connection refused' });
  });
});
