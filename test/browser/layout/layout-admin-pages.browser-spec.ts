import { describe } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Stage } from '../support/stage.js';
import { type At, consoleScreens } from './support/console.js';
import { TORTURE } from './support/torture.js';

describe("layout of the administration's pages", () => {
  const stage = Stage.set({
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'support@parley.example',
    PUBLIC_URL: 'http://127.0.0.1',
  });
  const screen = consoleScreens(stage);
  const add = async ({ office }: At, section: string) => {
    await office.goTo(section);
    await office.page.locator('.button.add').click();
    await office.dialog.locator('.save-line').waitFor();
  };

  screen('a person', ({ office, furnished }) => office.goTo(furnished.pages.person));
  screen('a group', ({ office, furnished }) => office.goTo(furnished.pages.group));
  screen('a bot', ({ office, furnished }) => office.goTo(furnished.pages.bot));
  screen('a bot whose address fails', async ({ office, furnished }) => {
    const url = `http://127.0.0.1:9/${'v'.repeat(1_900)}`;
    const model = 'llama-3.3-70b-instruct-q4_K_M-'.repeat(6);
    const connection = { kind: 'openai', url, model, tries: 1, collectFor: 0, instructions: TORTURE.lists };
    await stage.tenant.admin.put(`/${furnished.pages.bot}/connection`, connection).expect(200);
    const { visitorToken, chatId } = stage.tenant;
    await stage.parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content: 'Hello' }).expect(201);
    await office.goTo(furnished.pages.bot);
    const turn = office.page.locator('details.delivery', { has: office.page.locator('.badge.bad') });
    await eventually(
      async () => {
        await office.page.locator('.page-section', { hasText: 'Durchgänge' }).locator('.button.small').click();
        return turn.count();
      },
      (count) => count > 0,
    );
    await turn.locator('summary').click();
    await turn.locator('tbody tr').first().waitFor();
  });
  screen('an agent to connect', async ({ office, furnished }) => {
    await office.goTo(furnished.pages.bot);
    await office.button('Agenten verbinden').click();
    await office.dialog.locator('.save-line').waitFor();
    await office.dialog.locator('summary').click();
    await office.dialog.locator('.save-line .primary').click();
    await office.dialog.locator('.fault').first().waitFor();
  });
  screen('a new bot', (at) => add(at, 'bots'));
  screen('a webhook', ({ office, furnished }) => office.goTo(furnished.pages.webhook));
  screen('a visitor', ({ office, furnished }) => office.goTo(furnished.pages.visitor));
  screen('the widget', ({ office }) => office.goTo('widget'));
  screen('the organization', ({ office }) => office.goTo('organization'));
  screen('e-mails', async ({ office }) => {
    const to = `ada@${'donaudampfschifffahrt.'.repeat(9)}example.com`;
    await stage.tenant.admin.post('/mail/test', { to }).expect(202);
    await office.goTo('mail');
    await office.page.locator('.lines > li').first().waitFor();
  });
  screen('office hours', async ({ office }) => {
    await office.goTo('organization');
    await office.page.locator('input[value=yes]').check();
    await office.page.locator('.hours').waitFor();
    await office.page.locator('.hours > .button').click();
    await office.page.locator('.hours input[type=date]').waitFor();
  });
  screen('the captcha of new visitors', async ({ office }) => {
    await office.goTo('widget');
    await office.page.locator('input[value=TURNSTILE]').check();
    await office.page.locator('input[type=password]').waitFor();
  });
  screen("a visitor's chats", async ({ office, furnished }) => {
    const chatId = await furnished.second();
    const { visitor } = (await stage.tenant.admin.get(`/chats/${chatId}`).expect(200)).body;
    await office.goTo(`visitors/${visitor.id}`);
    await office.page.locator('.visitor-chat').nth(1).waitFor();
  });
  screen('a group that another has changed', async ({ office, furnished }) => {
    await office.goTo(furnished.pages.group);
    const id = furnished.pages.group.split('/').at(-1)!;
    await office.page.locator('.form input').first().fill('Lebensversicherungsgesellschaft');
    await stage.tenant.admin.patch(`/groups/${id}`, { name: 'Rückerstattungen' }).expect(200);
    await office.page.locator('.save-line .primary').click();
    await office.dialog.locator('.choices-field').waitFor();
  });
  screen('a new person', (at) => add(at, 'people'));
  screen('a new reply', async ({ office }) => {
    await office.goTo('replies');
    await office.page.locator('[data-key=n]').first().click();
    await office.page.locator('dialog[open] .selects').waitFor();
  });
  screen('a new webhook', (at) => add(at, 'webhooks'));
});
