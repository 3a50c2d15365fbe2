import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkMailLoop } from '../../src/cli/doctor/mail/loop.js';
import { type ArrivedMail, MailServer } from '../mail/support/mail-server.js';
import { Dovecot } from './support/dovecot.js';
import { environmentOf } from './support/readers.js';

const PASS = 'dmarc=pass header.from=parley.example';

describe('the mail that doctor sends to the own mailbox', () => {
  let smtp: MailServer;
  let dovecot: Dovecot;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    [smtp, dovecot] = await Promise.all([MailServer.start(), Dovecot.start()]);
    environment = { ...environmentOf(dovecot), ...smtp.environment };
  });
  afterAll(() => Promise.all([smtp.close(), dovecot.close()]));
  beforeEach(() => {
    smtp.behaviour = {};
  });

  /** Lets the server deliver what it takes, as `change` leaves it. */
  const delivering = (change: (mail: ArrivedMail) => string) => {
    smtp.behaviour = {
      onText: async (mail) => {
        await dovecot.deliver(change(mail));
        return undefined;
      },
    };
  };
  const adding = (value: string) => delivering(({ source }) => `Authentication-Results: ${value}\r\n${source}`);

  it('comes back aligned, and is marked as read', async () => {
    adding(`mx.parley.example;\r\n ${PASS}`);
    const found = await checkMailLoop(environment);
    expect(found).toMatchObject({ name: 'mail loop', status: 'ok' });
    expect(found!.detail).toMatch(/^a mail came back in \d+\.\d s, and the server vouches for it$/);
    const [mail] = smtp.to('support+doctor@parley.example');
    expect(mail!.source).toContain('policy.doctor=forged');
    expect(await dovecot.seen()).toEqual(await dovecot.all());
  });

  it('a server that keeps the forgery is a failure', async () => {
    delivering(({ source }) => source);
    expect(await checkMailLoop(environment)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('anyone can write as a visitor'),
      advice: expect.stringContaining('remove MAIL_AUTHSERV_ID'),
    });
    // Without the variable, no field counts.
    expect(await checkMailLoop({ ...environment, MAIL_AUTHSERV_ID: '' })).toMatchObject({ status: 'ok' });
  });

  it.each([
    ['another name', `mx2.parley.example; ${PASS}`, 'set MAIL_AUTHSERV_ID=mx2.parley.example'],
    ['no proof', 'mx.parley.example; spf=softfail', 'see the line DKIM and DMARC'],
  ])('a server with %s is a warning', async (_name, value, advice) => {
    adding(value);
    expect(await checkMailLoop(environment)).toMatchObject({ status: 'warning', advice });
  });

  it('a mail that does not come, and a server that refuses it, are warnings', async () => {
    expect(await checkMailLoop(environment, 300)).toMatchObject({
      status: 'warning',
      detail: 'a mail to support+doctor@parley.example did not arrive within 0.3 s',
    });
    expect(await checkMailLoop({ ...environment, SMTP_URL: 'smtp://127.0.0.1:9' })).toMatchObject({
      status: 'warning',
      advice: 'see the lines SMTP and IMAP',
    });
    expect(await checkMailLoop({ ...environment, IMAP_URL: undefined })).toBeNull();
  });
});
