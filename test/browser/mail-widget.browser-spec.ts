import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from 'typeorm';
import { markAddress } from '../../src/visitors/address-status.queries.js';
import { MailServer } from '../mail/support/mail-server.js';
import { findViolations } from './support/axe.js';
import { LOOKS } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** Opens the list of chats, with what can be done with the one that is shown. */
const openList = async ({ panel }: Visit) => {
  await panel.getByRole('button', { name: 'Your chats' }).click();
  await panel.getByRole('button', { name: 'Save' }).waitFor();
};
const picture = async ({ page }: Visit, name: string) => {
  const folder = process.env.LAYOUT_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/widget-mail-${name}.png` });
};

describe('e-mail in the widget', () => {
  const environment: NodeJS.ProcessEnv = {};
  let server: MailServer;
  beforeAll(async () => {
    server = await MailServer.start();
    Object.assign(environment, server.environment, { PUBLIC_URL: 'http://127.0.0.1' });
  });
  afterAll(() => server.close());
  const stage = Stage.set(environment);

  const begin = async (options = {}) => {
    stage.site.page.body = '<main><h1>A site</h1></main>';
    const visit = await stage.visit(options);
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
    return visit;
  };

  it.each(Object.entries(LOOKS))(
    'a visitor has the chat sent, and is asked for an address: %s',
    async (look, options) => {
      const visit = await begin(options);
      await openList(visit);
      const send = visit.panel.getByRole('button', { name: 'Send by email' });
      await send.click();
      const email = visit.panel.getByLabel('Email');
      await email.waitFor();
      await picture(visit, `asks-${look}`);
      expect(await findViolations(visit)).toEqual([]);
      await email.fill('vera@example.com');
      await email.press('Enter');
      await visit.panel.getByText('The chat is on its way to your inbox').waitFor();
      await picture(visit, `sent-${look}`);
      expect(await findViolations(visit)).toEqual([]);
      expect(await send.isDisabled()).toBe(true);
      expect(visit.complaints.filter((line) => !line.includes('409'))).toEqual([]);
      const [mail] = await server.arrived('vera@example.com');
      expect(mail!.headers.subject).toContain('Acme');
    },
  );

  it('the page learns that a visitor has left an address for it', async () => {
    const visit = await begin();
    await visit.page.evaluate(`window.leads = []; void Parley('on', 'lead.left', (lead) => leads.push(lead))`);
    await openList(visit);
    await visit.panel.getByRole('button', { name: 'Send by email' }).click();
    await visit.panel.getByLabel('Email').fill('lead@example.com');
    await visit.panel.getByLabel('Email').press('Enter');
    await visit.panel.getByText('The chat is on its way to your inbox').waitFor();
    expect(await visit.page.evaluate('leads')).toEqual([{ chatId: await stage.chatId() }]);
  });

  it('who unsubscribed gets mails again with one click', async () => {
    const visit = await begin();
    expect(await visit.panel.getByRole('button', { name: 'Get emails again' }).count()).toBe(0);
    const chatId = await stage.chatId();
    await stage.parley.query(
      `UPDATE visitors SET email = 'vera@back.example', verified_email = 'vera@back.example'
       WHERE id = (SELECT visitor_id FROM chats WHERE id = $1)`,
      [chatId],
    );
    const manager = stage.parley.app.get(EntityManager);
    await markAddress(manager, stage.tenant.id, 'vera@back.example', 'UNSUBSCRIBED', new Date());
    await openList(visit);
    const again = visit.panel.getByRole('button', { name: 'Get emails again' });
    await again.click();
    await visit.panel.getByText('You get emails again').waitFor();
    await picture(visit, 'again');
    expect(await findViolations(visit)).toEqual([]);
    await visit.panel.getByRole('button', { name: 'Back' }).click();
    await openList(visit);
    await visit.panel.getByText('Hello').first().waitFor();
    expect(await again.count()).toBe(0);
  });

  it('beyond 5 an hour, it says when to try again', async () => {
    const visit = await begin();
    const { panel } = visit;
    for (let count = 0; count < 5; count++) {
      await openList(visit);
      await panel.getByRole('button', { name: 'Send by email' }).click();
      const asked = panel.getByLabel('Email');
      const sent = panel.getByText('The chat is on its way');
      await asked.or(sent).waitFor();
      if (await asked.isVisible()) await asked.fill('limit@example.com');
      if (await asked.isVisible()) await asked.press('Enter');
      await sent.waitFor();
      await panel.getByRole('button', { name: 'Back' }).click();
    }
    await openList(visit);
    await panel.getByRole('button', { name: 'Send by email' }).click();
    await panel.getByText('Sent several times already. Try again in an hour.').waitFor();
  });

  it('without transcripts, nothing is offered, and the card still promises an answer', async () => {
    await stage.tenant.admin.patch('', { mail: { transcript: 'NEVER' } }).expect(200);
    const visit = await begin();
    await openList(visit);
    expect(await visit.panel.getByRole('button', { name: 'Send by email' }).count()).toBe(0);
    await visit.panel.getByRole('button', { name: 'Back' }).click();
    await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId() }).expect(200);
    await visit.panel.getByText('Leave your email address, and our team will write to you').waitFor();
  });
});

describe('the widget without e-mail', () => {
  const stage = Stage.set();

  it('promises none: it says that an agent sees the address', async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
    await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId() }).expect(200);
    await visit.panel.getByText('Leave your email address, and an agent sees it').waitFor();
    await picture(visit, 'no-mail');
    await visit.panel.getByLabel('Email').fill('vera@example.com');
    await visit.panel.getByRole('button', { name: 'Submit' }).click();
    await visit.panel.getByText('An agent sees your address vera@example.com').waitFor();
    expect(await visit.panel.getByText('our team will write').count()).toBe(0);
    await openList(visit);
    expect(await visit.panel.getByRole('button', { name: 'Send by email' }).count()).toBe(0);
  });
});
