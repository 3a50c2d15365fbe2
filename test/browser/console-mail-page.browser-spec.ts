import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { MailServer, Refusal } from '../mail/support/mail-server.js';
import { untilMail } from '../mail/support/mails.js';
import { answer, beginChat, passTime, verify } from '../mail/support/missing.js';
import { deliver, INBOUND, replyTo } from '../mail/support/replies.js';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { Office } from './support/office.js';
import { PNG } from '../support/pictures.js';
import { Stage } from './support/stage.js';

const WIDE = { viewport: { width: 1440, height: 900 } };

describe('e-mail in the console', () => {
  const environment: NodeJS.ProcessEnv = {};
  let server: MailServer;
  beforeAll(async () => {
    server = await MailServer.start();
    Object.assign(environment, server.environment, INBOUND, { PUBLIC_URL: 'http://127.0.0.1' });
  });
  afterAll(() => server.close());
  const stage = Stage.set(environment);

  const mailed = async (email: string) => {
    const writer = await beginChat(stage.parley, stage.tenant, email);
    await verify(stage.parley, writer.visitorId);
    await answer(stage.tenant, writer.chatId, 'We open at nine.');
    await passTime(stage.parley, writer.chatId);
    const [mail] = await server.arrived(email);
    await untilMail(stage.tenant, email, ({ status }) => status === 'SENT');
    return { ...writer, mail: mail! };
  };
  const openProfile = async ({ page }: Desk) => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Your profile' }).click();
  };
  const settings = async () => (await stage.tenant.admin.get('').expect(200)).body.mail;

  it('administrators set it, send a test, and see what became of each', async () => {
    const { mail } = await mailed('vera@example.com');
    await deliver(stage.parley, replyTo(mail, { from: 'mallory@evil.example', text: 'hello' }));
    const ida = await Office.open(stage, 'mail', WIDE);
    await ida.page.getByText('E-mails come from support@parley.example.').waitFor();
    await ida.line('vera@example.com').getByText('Missed answer').waitFor();
    await ida.line('mallory@evil.example').getByText('To check').waitFor();
    await ida.page.getByLabel('Also each time a chat ends').check();
    await ida.page.getByLabel('Seconds until the e-mail').fill('90');
    await ida.page.getByLabel("Sender's name").fill('Acme Support');
    await ida.page.getByLabel('Show the name of the visitor, and what they wrote').uncheck();
    const logo = ida.page.getByRole('group', { name: 'Logo' });
    const buffer = Buffer.from(PNG, 'base64');
    await logo.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await logo.locator('img').waitFor();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await settings()).toMatchObject({
      fromName: 'Acme Support',
      missedAfterSeconds: 90,
      transcript: 'ALWAYS',
      logoUrl: expect.stringMatching(/\/files\/upl_\w+\/picture$/),
      pushContent: false,
    });
    server.behaviour = { onRecipient: () => new Refusal(550, '5.1.1 no such user') };
    await ida.button('Send a test e-mail').click();
    await ida.dialog.getByLabel('Email').fill('nobody@example.com');
    await ida.dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await untilMail(stage.tenant, 'nobody@example.com', ({ status }) => status === 'BOUNCED');
    server.behaviour = {};
    await ida.button('Refresh').first().click();
    await ida.line('nobody@example.com').getByText('no such user').waitFor();
    await ida.line('nobody@example.com').getByText('Came back').waitFor();
    expect(await findViolations(ida.desk.visit)).toEqual([]);
  });

  it('two administrators change it, and both changes are kept; one field has to be decided', async () => {
    const ida = await Office.open(stage, 'mail', WIDE);
    const change = (mail: object) => stage.tenant.admin.patch('', { mail }).expect(200);
    await change({ missedAfterSeconds: 90, fromName: 'Acme of another' });
    await ida.page.getByLabel('Never').check();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await settings()).toMatchObject({
      missedAfterSeconds: 90,
      fromName: 'Acme of another',
      transcript: 'NEVER',
    });
    await change({ transcript: 'ALWAYS' });
    await ida.page.getByLabel('If the visitor or an agent asks').check();
    await ida.button('Save').click();
    await ida.dialog.getByText('Transcripts').waitFor();
    await ida.dialog.getByText('Also each time a chat ends').first().waitFor();
    await ida.dialog.getByText('If the visitor or an agent asks').first().click();
    await ida.dialog.getByRole('button', { name: 'Save' }).click();
    await eventually(settings, ({ transcript }) => transcript === 'ON_REQUEST');
  });

  it('an agent who has the chat open sees when an answer goes by e-mail', async () => {
    const { chatId, visitorId } = await beginChat(stage.parley, stage.tenant, 'live@example.com');
    await verify(stage.parley, visitorId);
    await answer(stage.tenant, chatId, 'We open at nine.');
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await ada.sees('We open at nine.');
    expect(await ada.page.getByText('Sent by e-mail too').count()).toBe(0);
    await passTime(stage.parley, chatId);
    await ada.page.getByText('Sent by e-mail too').waitFor();
  });

  it('a link in the lists of mails opens its chat without loading the page again', async () => {
    const { chatId } = await mailed('lists@example.com');
    const ida = await Office.open(stage, 'mail', WIDE);
    await ida.page.evaluate('window.isSamePage = true');
    await ida.line('lists@example.com').getByRole('link').click();
    await ida.page.waitForURL(`**${chatId}**`);
    await ida.desk.sees('We open at nine.');
    expect(await ida.page.evaluate('window.isSamePage')).toBe(true);
  });

  it('an agent sends a transcript, sees what was mailed, and lets a visitor get e-mails again', async () => {
    const { chatId, mail } = await mailed('wim@example.com');
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await ada.page.getByText('Sent by e-mail too').waitFor();
    const side = ada.page.locator('.side');
    await side.getByRole('button', { name: 'Send transcript' }).click();
    await ada.page.getByText('The transcript goes to wim@example.com.').waitFor();
    const [, transcript] = await server.arrived('wim@example.com', 2);
    expect(transcript!.text).toMatch(/a question[^]*We open at nine/);
    const { pathname } = new URL(mail.headers['list-unsubscribe']!.slice(1, -1));
    await request(stage.parley.url).post(pathname).expect(200);
    await ada.page.reload();
    await ada.isLive();
    await side.getByText('Gets no e-mails: unsubscribed').waitFor();
    expect(await side.getByRole('button', { name: 'Send transcript' }).count()).toBe(0);
    await side.getByRole('button', { name: 'Asked for e-mails again' }).click();
    await ada.button('They asked for it').click();
    await side.getByRole('button', { name: 'Send transcript' }).waitFor();
    await eventually(
      async () => (await stage.tenant.admin.get('/audit?action=visitor.resubscribed').expect(200)).body.entries.length,
      (count) => count === 1,
    );
    expect(await findViolations(ada.visit)).toEqual([]);
  });

  it('an agent turns off the e-mails that come while the console is closed', async () => {
    const ada = await Desk.open(stage, {}, WIDE);
    await openProfile(ada);
    const box = ada.page.getByLabel('E-mail me while the console is closed');
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Save profile' }).click();
    await box.waitFor({ state: 'detached' });
    await ada.page.reload();
    await ada.isLive();
    await openProfile(ada);
    expect(await box.isChecked()).toBe(false);
  });
});

describe('e-mail in the console of an installation without it', () => {
  const stage = Stage.set();

  it('the page says who sets it up, and nothing is offered', async () => {
    const ida = await Office.open(stage, 'mail', WIDE);
    await ida.page.getByText('SMTP_URL, MAIL_FROM, and PUBLIC_URL').waitFor();
    expect(await ida.button('Send a test e-mail').count()).toBe(0);
    const { chatId } = await beginChat(stage.parley, stage.tenant, 'xena@example.com');
    await ida.desk.goTo(chatId);
    await ida.page.locator('.side').getByText('xena@example.com').waitFor();
    expect(await ida.page.getByText('Send transcript').count()).toBe(0);
  });
});
