import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { answer, beginChat, passTime, type Writer } from '../mail/support/missing.js';
import { MailServer } from '../mail/support/mail-server.js';
import { findViolations } from './support/axe.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';

describe('the page that the link in a mail leads to', () => {
  const environment: NodeJS.ProcessEnv = {};
  let server: MailServer;
  beforeAll(async () => {
    server = await MailServer.start();
    Object.assign(environment, server.environment);
  });
  afterAll(() => server.close());
  const stage = Stage.set(environment);

  /** A visitor who missed an answer, and the address that the mail has for this. */
  async function missed(email: string): Promise<{ writer: Writer; hash: string }> {
    const writer = await beginChat(stage.parley, stage.tenant, email);
    await answer(stage.tenant, writer.chatId, 'We open at nine.');
    await passTime(stage.parley, writer.chatId);
    const [mail] = await server.arrived(email);
    return { writer, hash: /\/continue(#\S+)/.exec(mail!.text)![1]! };
  }

  const openLink = async (hash: string, options: BrowserContextOptions = {}) =>
    stage.visit(options, `${stage.road.url}/continue${hash}`);
  const verifiedEmail = async ({ visitorId }: Writer) =>
    (await stage.parley.query('SELECT verified_email AS email FROM visitors WHERE id = $1', [visitorId]))[0]!.email;

  it.each([
    ['a desktop', {}],
    ['a phone', PHONE],
  ])('continues the chat on %s once its button is pressed, and changes nothing before', async (device, options) => {
    const { writer, hash } = await missed(`${device.replace(' ', '-')}@example.com`);
    const visit = await openLink(hash, options);
    const { page } = visit;
    await page.getByRole('heading', { name: /^Your chat with/ }).waitFor();
    await page.getByText(/^Vera · Since/).waitFor();
    expect(await findViolations(visit)).toEqual([]);
    expect(await page.locator('script[data-widget-key]').count()).toBe(0);
    expect(await verifiedEmail(writer)).toBeNull();
    await page.getByRole('button', { name: 'Open the chat' }).click();
    await visit.sees('a question', 'We open at nine.');
    expect(await verifiedEmail(writer)).not.toBeNull();
    expect(page.url()).not.toContain('prl_vln');
    await visit.say('Thanks');
    await page.reload();
    await page.getByText('This link has ended.').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('a link is used up by the first device, and the second one says so', async () => {
    const { hash } = await missed('twice@example.com');
    const [first, second] = [await openLink(hash), await openLink(hash)];
    await first.page.getByRole('button', { name: 'Open the chat' }).click();
    await first.sees('a question', 'We open at nine.');
    await second.page.getByRole('button', { name: 'Open the chat' }).click();
    await second.page.getByText('This link has ended.').waitFor();
    expect(await second.page.getByRole('button').count()).toBe(0);
  });

  it('removes the address of someone else', async () => {
    const { writer, hash } = await missed('stranger@example.com');
    const { page } = await openLink(hash);
    await page.getByRole('button', { name: "This isn't me" }).click();
    await page.getByText('Your address was removed.').waitFor();
    const { email } = (await stage.tenant.admin.get(`/visitors/${writer.visitorId}`).expect(200)).body;
    expect(email).toBeNull();
  });

  it('the button works again after a lost connection', async () => {
    const { hash } = await missed('offline@example.com');
    const visit = await openLink(hash);
    const open = visit.page.getByRole('button', { name: 'Open the chat' });
    await open.waitFor();
    stage.road.cut();
    await open.click();
    await visit.page.getByText("That didn't work.").waitFor();
    stage.road.isCut = false;
    await open.click();
    await visit.sees('a question', 'We open at nine.');
  });

  it('says where the chat goes on if the organization allows its own sites only', async () => {
    const { hash } = await missed('elsewhere@example.com');
    await stage.tenant.admin.patch('', { allowedOrigins: ['https://shop.example'] }).expect(200);
    const { page } = await openLink(hash);
    await page.getByText('Continue on the website of').waitFor();
    expect(await page.getByRole('button').allInnerTexts()).toEqual(["This isn't me"]);
  });

  it.each(['', '#', '#prl_vln_unknown', '#<script>'])('says that %j leads nowhere', async (hash) => {
    const { page } = await openLink(hash, { locale: 'ar-EG' });
    await page.getByText('لم يعد هذا الرابط صالحًا').waitFor();
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  });
});
