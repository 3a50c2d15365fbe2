import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import { Visit } from './support/visit.js';

describe('what a page asks of the widget', () => {
  const stage = Stage.set();
  const call = ({ page }: Visit, ...args: unknown[]) => page.evaluate(`Parley(...${JSON.stringify(args)})`);
  const chatIds = async (visit: Visit) => {
    await visit.open();
    await visit.say('The first');
    const first = await stage.chatId();
    await stage.tenant.bot.post(`/chats/${first}/close`, {}).expect(200);
    await visit.button('Start a new chat').click();
    await visit.say('The second');
    await visit.button('Close chat').click();
    return first;
  };

  it('openChat opens the panel at one of the visitor’s chats, also on a page that has just loaded', async () => {
    const visit = await stage.visit();
    const first = await chatIds(visit);
    await call(visit, 'openChat', first);
    await visit.panel.getByText('The first').waitFor();
    await visit.button('Close chat').click();
    await visit.page.reload();
    await call(visit, 'openChat', first);
    await visit.panel.getByText('The first').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('a chat of another person stays closed, and the own one open', async () => {
    const visit = await stage.visit();
    const { body: other } = await stage.tenant.admin.post('/chats', {}).expect(201);
    await visit.open();
    await visit.say('My own');
    const own = await stage.chatId();
    await call(visit, 'openChat', other.id);
    await visit.say('still here');
    await visit.sees('My own', 'still here');
    expect((await stage.tenant.bot.get(`/chats/${own}`).expect(200)).body.messageCount).toBe(2);
    expect((await stage.tenant.bot.get(`/chats/${other.id}`).expect(200)).body.messageCount).toBe(0);
  });

  it('prefill writes into the text field, and never over what the visitor has typed', async () => {
    const visit = await stage.visit();
    await call(visit, 'prefill', 'My order A-1');
    await visit.open();
    expect(await visit.composer.inputValue()).toBe('My order A-1');
    expect(await stage.tenant.bot.get('/chats').then(({ body }) => body.chats)).not.toContainEqual(
      expect.objectContaining({ messageCount: 1 }),
    );
    await call(visit, 'prefill', 'Something else');
    await call(visit, 'send', 'Sent');
    await visit.sees('Sent');
    expect(await visit.composer.inputValue()).toBe('My order A-1');
    await visit.composer.fill('');
    await call(visit, 'prefill', 'While it is open');
    await eventually(
      () => visit.composer.inputValue(),
      (text) => text === 'While it is open',
    );
  });

  it('a link to #parley opens the chat each time, and on the page that it leads to', async () => {
    stage.site.page.body = '<main><h1>A site</h1><a href="#parley">Talk to us</a></main>';
    const visit = await stage.visit();
    await visit.launcher.waitFor();
    for (let time = 0; time < 2; time++) {
      await visit.page.getByRole('link', { name: 'Talk to us' }).click();
      await visit.composer.waitFor();
      expect(new URL(visit.page.url()).hash).toBe('');
      await visit.button('Close chat').click();
      await visit.panel.waitFor({ state: 'hidden' });
    }
    await visit.page.goto('about:blank');
    await visit.page.goto(`${stage.site.url}#parley`);
    await visit.composer.waitFor();
  });

  it('a router’s link to #parley opens the chat each time, and the page keeps its state', async () => {
    stage.site.page.body = `<main><h1>A site</h1>
      <a href="/help#parley" onclick="event.preventDefault(); history.pushState({ mine: 1 }, '', '/help#parley')">Talk to us</a></main>`;
    const visit = await stage.visit();
    await visit.launcher.waitFor();
    await visit.page.waitForLoadState('networkidle');
    for (let time = 0; time < 2; time++) {
      await visit.page.getByRole('link', { name: 'Talk to us' }).click();
      await visit.composer.waitFor();
      await eventually(
        () => visit.page.evaluate('[location.pathname, location.hash, history.state.mine]'),
        (seen) => JSON.stringify(seen) === '["/help","",1]',
      );
      await visit.button('Close chat').click();
      await visit.panel.waitFor({ state: 'hidden' });
    }
  });

  it('a message of the page waits in the text field until the visitor has filled in the required form', async () => {
    await stage.tenant.admin.patch('/widget', { askEmail: 'required' }).expect(200);
    const visit = await stage.visit();
    await call(visit, 'send', 'I want the blue one');
    await visit.launcher.click();
    await visit.panel.getByLabel('Email').fill('vera@example.com');
    await visit.panel.getByRole('button', { name: 'Start chat' }).click();
    await visit.composer.waitFor();
    expect(await visit.composer.inputValue()).toBe('I want the blue one');
    await visit.button('Send').click();
    await visit.sees('I want the blue one');
    await stage.tenant.admin.patch('/widget', { askEmail: null }).expect(200);
  });

  it.each([
    ['a consent text', { consent: 'We keep what you write.' }, 'We keep what you write.'],
    ['a privacy page', { privacyUrl: 'https://shop.example/privacy' }, 'Privacy'],
  ])('a message of the page waits until an anonymous visitor has seen the line about %s', async (_, settings, line) => {
    await stage.tenant.admin.patch('/widget', settings).expect(200);
    const visit = await stage.visit();
    await call(visit, 'send', 'I want the blue one');
    await eventually(
      () => visit.page.evaluate(`sessionStorage.getItem('parley:draft')`),
      (text) => text === 'I want the blue one',
    );
    expect(await visit.page.evaluate('localStorage.length')).toBe(0);
    await visit.open();
    await visit.panel.locator('.privacy').getByText(line).waitFor();
    expect(await visit.composer.inputValue()).toBe('I want the blue one');
    await call(visit, 'send', 'Hello');
    await visit.sees('Hello');
    await visit.button('Close chat').click();
    await call(visit, 'send', 'And more');
    await eventually(
      () => stage.stored(),
      (stored) => stored.map(({ content }) => content).join() === 'Hello,And more',
    );
  });

  it('on a phone, data-open shows the greeting beside the button instead of covering the page', async () => {
    stage.site.page.attributes += ' data-open="true" data-greeting="Hello there"';
    const visit = await stage.visit(PHONE);
    await visit.page.locator('parley-widget').getByText('Hello there').filter({ visible: true }).waitFor();
    expect(await visit.panel.isVisible()).toBe(false);
    await visit.launcher.click();
    await visit.composer.waitFor();
  });

  it('a command that does not exist is named in the console', async () => {
    const visit = await stage.visit();
    await call(visit, 'opne');
    await eventually(
      () => visit.complaints,
      (lines) => lines.some((line) => line.startsWith('Parley: there is no command "opne"')),
    );
  });

  it.each([-1, 400])('a clock that is %d days off keeps the chat, and calls today today', async (days) => {
    const visit = await stage.visit();
    await visit.context.addInitScript(`{
      const Right = Date;
      const shift = ${days * 86_400_000};
      Date = class extends Right {
        constructor(...given) { if (given.length) super(...given); else super(Right.now() + shift); }
        static now() { return Right.now() + shift; }
      };
    }`);
    await visit.page.reload();
    await visit.open();
    await visit.say('Hello');
    await stage.say('Hi');
    await visit.sees('Hello', 'Hi');
    await visit.page.reload();
    await visit.open();
    await visit.sees('Hello', 'Hi');
    expect(await visit.panel.getByText('Tomorrow').count()).toBe(0);
    if (days < 0) await visit.panel.locator('.day').getByText('Today').waitFor();
  });
});
