import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Outbox } from '../../src/mail/sending/outbox.service.js';
import { checkSmtp } from '../../src/cli/doctor/mail/smtp.js';
import { Parley, type Tenant } from '../support/parley.js';
import { MailServer, Refusal } from './support/mail-server.js';
import { listMails, untilMail } from './support/mails.js';

describe('running mail', () => {
  let server: MailServer;
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    server = await MailServer.start();
    parley = await Parley.start(server.environment);
    tenant = await parley.createTenant();
  });

  afterAll(async () => {
    await parley.stop();
    await server.close();
  });

  it('metrics count attempts and ends', async () => {
    const send = (to: string) => tenant.admin.post('/mail/test', { to }).expect(202);
    await send('sent@example.com');
    await untilMail(tenant, 'sent@example.com', ({ status }) => status === 'SENT');
    server.behaviour = { onRecipient: () => new Refusal(550, '5.1.1 unknown') };
    await send('refused@example.com');
    await untilMail(tenant, 'refused@example.com', ({ status }) => status === 'BOUNCED');
    server.behaviour = { onRecipient: () => new Refusal(450, '4.2.0 later') };
    await send('later@example.com');
    await untilMail(tenant, 'later@example.com', ({ attempts }) => attempts === 1);
    server.behaviour = {};
    const text = await (await fetch(`${parley.url}/metrics`)).text();
    for (const line of [
      'parley_mail_attempts_total{outcome="sent"} 1',
      'parley_mail_attempts_total{outcome="refused"} 1',
      'parley_mail_attempts_total{outcome="later"} 1',
      'parley_mail_ended_total{status="SENT"} 1',
      'parley_mail_ended_total{status="BOUNCED"} 1',
      'parley_mail_ended_total{status="FAILED"} 0',
      'parley_mail_due 0',
    ])
      expect(text).toContain(`${line}\n`);
  });

  it('texts are kept for 30 days, and mails without a chat too', async () => {
    await tenant.admin.post('/mail/test', { to: 'old@example.com' }).expect(202);
    await untilMail(tenant, 'old@example.com', ({ status }) => status === 'SENT');
    const texts = () => parley.query("SELECT FROM mails WHERE recipient = 'old@example.com' AND content IS NOT NULL");
    const day = 24 * 3_600_000;
    await parley.app.get(Outbox).removeOld(new Date(Date.now() + 29 * day));
    expect(await texts()).toHaveLength(1);
    await parley.app.get(Outbox).removeOld(new Date(Date.now() + 31 * day));
    expect(await listMails(tenant)).toEqual([]);
  });

  it('doctor says whether the server answers, and never the password', async () => {
    const { environment } = server;
    expect(await checkSmtp({})).toBeNull();
    expect(await checkSmtp(environment)).toMatchObject({ name: 'SMTP', status: 'ok' });
    expect(await checkSmtp({ ...environment, PUBLIC_URL: undefined })).toMatchObject({
      status: 'warning',
      detail: 'PUBLIC_URL is not set: no mail is sent',
    });
    const away = await checkSmtp({ ...environment, SMTP_URL: 'smtp://user:hidden@127.0.0.1:1' });
    expect(away).toMatchObject({ status: 'warning' });
    expect(JSON.stringify(away)).not.toContain('hidden');
  });
});
