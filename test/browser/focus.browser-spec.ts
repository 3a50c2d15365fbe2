import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

/** The focused element in the widget's shadow root, by its tag and name; empty for the page's body. */
const FOCUSED = `(() => {
  const { activeElement } = document.querySelector('parley-widget').shadowRoot;
  return activeElement ? activeElement.localName + (activeElement.name ? ' ' + activeElement.name : '') : '';
})()`;

describe("the widget's focus", () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(() => {
    stage.site.page.body = '<main><h1>A site</h1><a href="#">A link</a></main>';
  });

  const choose = (body: object) => stage.tenant.admin.patch('/widget', body).expect(200);
  const isOn = (element: string) =>
    eventually(
      () => visit.page.evaluate<string>(FOCUSED),
      (focused) => focused === element,
    );
  const open = async () => {
    visit = await stage.visit();
    await visit.launcher.press('Enter');
    await visit.panel.waitFor();
  };

  it('the focus is in the form before the first message, and in the text field after it', async () => {
    await choose({ askName: 'required', askEmail: 'optional' });
    await open();
    await isOn('input name');
    await visit.page.keyboard.type('Vera');
    await visit.page.keyboard.press('Enter');
    await visit.panel.getByRole('textbox', { name: 'Message' }).waitFor();
    await isOn('textarea');
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
  });

  it('the focus is in the text field after a first question', async () => {
    await choose({ questions: ['Why?'] });
    await open();
    await visit.button('Why?').press('Enter');
    await visit.sees('Why?');
    await isOn('textarea');
  });

  it("the focus is in the text field after an address was given, and in the form when it's changed", async () => {
    await open();
    await visit.say('Is anybody there?');
    await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId(), maxWaitSeconds: 1 }).expect(200);
    await visit.panel.getByLabel('Email').fill('vera@example.com');
    await visit.button('Submit').press('Enter');
    await visit.panel.getByText('An agent sees your address vera@example.com').waitFor();
    await isOn('textarea');
    await visit.button('Change').press('Enter');
    await isOn('input email');
  });

  it('the focus is at the title when the chat ends while the visitor writes, and after a rating', async () => {
    await choose({ rating: true });
    await open();
    await visit.say('Hello');
    await visit.composer.fill('And then');
    await isOn('textarea');
    await stage.tenant.admin.patch(`/chats/${await stage.chatId()}`, { status: 'CLOSED' }).expect(200);
    await visit.button('Start a new chat').waitFor();
    await isOn('h2');
    await visit.panel.getByRole('radio', { name: '4 of 5' }).check();
    await visit.button('Submit').press('Enter');
    await visit.panel.getByText('Thank you! 4 of 5 Change').waitFor();
    await isOn('h2');
    await visit.button('Change').press('Enter');
    await isOn('h2');
  });

  it('Escape returns the focus from the list of chats, and closes the panel only the next time', async () => {
    await open();
    await visit.say('Hello');
    await visit.button('Your chats').press('Enter');
    await visit.panel.locator('.chat').waitFor();
    await visit.page.keyboard.press('Escape');
    await visit.composer.waitFor();
    await isOn('textarea');
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
  });
});

describe('with reduced motion', () => {
  const stage = Stage.set();

  it('nothing moves with reduced motion', async () => {
    const visit = await stage.visit({ reducedMotion: 'reduce' });
    await visit.open();
    await visit.say('Hello');
    await stage.tenant.bot.post(`/chats/${await stage.chatId()}/typing`, { isTyping: true }).expect(200);
    await visit.panel.locator('.dots').waitFor();
    const running = `document.querySelector('parley-widget').shadowRoot.getAnimations().length`;
    expect(await visit.page.evaluate(running)).toBe(0);
  });
});
