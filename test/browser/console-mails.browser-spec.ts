import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { PNG } from '../files/support/files.js';
import { MailServer, type ArrivedMail } from '../mail/support/mail-server.js';
import { answer, beginChat, passTime } from '../mail/support/missing.js';
import { deliver, INBOUND, replyTo } from '../mail/support/replies.js';
import { until } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';

const WIDE = { viewport: { width: 1440, height: 900 } };
const LONG = 'Das ist eine sehr lange Antwort, die in keine Zeile passt. '.repeat(30).trim();

describe('e-mails to check in the console', () => {
  const environment: NodeJS.ProcessEnv = {};
  let server: MailServer;
  let count = 0;
  beforeAll(async () => {
    server = await MailServer.start();
    Object.assign(environment, server.environment, INBOUND, { PUBLIC_URL: 'http://127.0.0.1' });
  });
  afterAll(() => server.close());
  const stage = Stage.set(environment);

  /** A chat whose visitor was mailed a missed answer. */
  async function mailed(): Promise<{ chatId: string; mail: ArrivedMail; email: string }> {
    await stage.tenant.admin.patch('', { visitorUploads: true }).expect(200);
    const email = `vera${++count}@example.com`;
    const { chatId } = await beginChat(stage.parley, stage.tenant, email);
    await answer(stage.tenant, chatId, 'We open at nine.');
    await passTime(stage.parley, chatId);
    const [mail] = await server.arrived(email);
    return { chatId, mail: mail!, email };
  }
  const picture = async ({ page }: Desk, name: string) => {
    const folder = process.env.LAYOUT_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/mails-${name}.png` });
  };
  const wordsOf = async (chatId: string) => {
    const { messages } = (await stage.tenant.bot.get(`/chats/${chatId}/messages`).expect(200)).body;
    return messages.filter(({ sender }: any) => sender.type === 'VISITOR').map(({ content }: any) => content as string);
  };

  it.each<[string, BrowserContextOptions]>([
    ['wide', WIDE],
    ['phone', { ...PHONE, colorScheme: 'dark' }],
  ])('an agent sees them in the list and the chat, accepts one, and drops one: %s', async (name, options) => {
    const { chatId, mail, email } = await mailed();
    const files = [{ name: 'photo.png', type: 'image/png', content: PNG }];
    await deliver(stage.parley, replyTo(mail, { from: email, text: 'It is me, at nine then.', files }));
    await deliver(stage.parley, replyTo(mail, { from: 'mallory@a-very-long-domain-name.evil.example', text: LONG }));
    const ada = await Desk.open(stage, {}, options);
    await ada.goTo(chatId);
    await ada.isSteady();
    await ada.page.getByText('2 e-mails came that nothing proves').waitFor();
    await picture(ada, `line-${name}`);
    await ada.button('Check').click();
    const dialog = ada.page.getByRole('dialog', { name: 'E-mails to check' });
    const first = dialog.getByRole('article', { name: `From ${email}, not verified` });
    const second = dialog.getByRole('article', { name: /^From mallory@/ });
    await first.getByText('It is me, at nine then.').waitFor();
    await picture(ada, `dialog-${name}`);
    expect(await findViolations(ada.visit)).toEqual([]);
    await first.getByRole('button', { name: 'Accept as the visitor’s message' }).click();
    await first.getByText('It is the visitor’s message now.').waitFor();
    await second.getByRole('button', { name: 'Drop' }).click();
    await second.getByText('Dropped.').waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.page.getByText('It is me, at nine then.').first().waitFor();
    await ada.page.getByText('e-mails came').waitFor({ state: 'detached' });
    expect(await wordsOf(chatId)).toEqual(['a question', 'It is me, at nine then.']);
  });

  it('the menu of a message that was an e-mail shows all of it', async () => {
    const { chatId, mail, email } = await mailed();
    await deliver(stage.parley, replyTo(mail, { from: email, text: 'Nine is fine.' }));
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await ada.isSteady();
    await ada.button('Check').click();
    await ada.button('Accept as the visitor’s message').click();
    await ada.page.getByText('It is the visitor’s message now.').waitFor();
    await ada.page.reload();
    const message = ada.page.locator('.message', { hasText: 'Nine is fine.' });
    await message.hover();
    await message.getByRole('button', { name: 'Message actions' }).click();
    await ada.page.getByRole('menuitem', { name: 'Show the whole e-mail' }).click();
    await ada.page.getByRole('dialog', { name: 'The whole e-mail' }).getByText('wrote:').waitFor();
    await picture(ada, 'whole');
    expect(await findViolations(ada.visit)).toEqual([]);
    await ada.page.keyboard.press('Escape');
    const other = ada.page.locator('.message', { hasText: 'We open at nine.' });
    await other.hover();
    await other.getByRole('button', { name: 'Message actions' }).click();
    await ada.page.getByRole('menuitem', { name: 'Quote' }).waitFor();
    expect(await ada.page.getByRole('menuitem', { name: 'Show the whole e-mail' }).count()).toBe(0);
  });

  it('a mail that a colleague decides about stays in its place without buttons', async () => {
    const { chatId, mail, email } = await mailed();
    const ada = await Desk.open(stage, {}, WIDE);
    await ada.goTo(chatId);
    await deliver(stage.parley, replyTo(mail, { from: email, text: 'the first' }));
    await ada.page.getByText('An e-mail came that nothing proves').waitFor();
    await ada.isSteady();
    await ada.button('Check').click();
    const cards = ada.page.getByRole('dialog').getByRole('article');
    await cards.first().getByRole('button', { name: 'Drop' }).waitFor();
    await deliver(stage.parley, replyTo(mail, { from: email, text: 'the second' }));
    await until('two are shown', async () => (await cards.count()) === 2);
    const bea = await stage.parley.signInAgent(stage.tenant, { name: 'Bea', role: 'ADMIN' });
    const { mails } = (await bea.client.get(`/chats/${chatId}`).expect(200)).body;
    await bea.client.delete(`/chats/${chatId}/mails/${mails[0].id}`).expect(204);
    await cards.first().getByText('A colleague has decided about it.').waitFor();
    expect(await cards.first().getByRole('button').count()).toBe(0);
    await cards.nth(1).getByRole('button', { name: 'Drop' }).click();
    await cards.nth(1).getByText('Dropped.').waitFor();
  });
});
