import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findViolations } from './support/axe.js';
import { Desk } from './support/desk.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe("ratings of a bot's messages in the widget", () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(async () => {
    await stage.tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    stage.site.page.body = '<main><h1>A site</h1></main>';
    visit = await stage.visit();
    await visit.open();
    await visit.say('Where is my order?');
  });
  afterEach(() => expect(visit.complaints).toEqual([]));

  const ratings = async () => {
    const sue = await stage.parley.signInAgent(stage.tenant, { role: 'SUPERVISOR' });
    return (await sue.client.get(`/chats/${await stage.chatId()}`).expect(200)).body.messageRatings;
  };
  const pressed = (name: string) => visit.panel.getByRole('button', { name, exact: true, pressed: true });

  it('a visitor rates an answer, says why it did not help, and sees it after a reload', async () => {
    await stage.say('On its way');
    await visit.button('Not helpful').click();
    const reason = visit.panel.getByRole('textbox', { name: 'Anything to add?' });
    await reason.fill('When?');
    expect(await findViolations(visit)).toEqual([]);
    await reason.press('Tab');
    await visit.page.keyboard.press('Enter');
    await visit.panel.getByText('Thank you!').waitFor();
    expect(await visit.page.evaluate(`document.querySelector('parley-widget').shadowRoot.activeElement?.title`)).toBe(
      'Not helpful',
    );
    await eventually(ratings, ([rating]) => rating?.comment === 'When?');
    expect(await ratings()).toMatchObject([{ seq: 2, rating: 'DOWN', comment: 'When?' }]);
    await visit.page.reload();
    await visit.open();
    await pressed('Not helpful').waitFor();
    await visit.panel.getByRole('button', { name: 'Helpful', exact: true }).click();
    await pressed('Helpful').waitFor();
    await visit.panel.getByText('Thank you!').waitFor();
    expect(await ratings()).toMatchObject([{ rating: 'UP', comment: null }]);
  });

  it("the visitor's, agents', and system messages have no thumbs", async () => {
    const ada = await stage.parley.signInAgent(stage.tenant, { role: 'ADMIN' });
    await stage.say('On its way');
    const chatId = await stage.chatId();
    await ada.client.post(`/chats/${chatId}/claim`).expect(200);
    await ada.client.post(`/chats/${chatId}/messages`, { content: 'Hello' }).expect(201);
    await visit.sees('Where is my order?', 'On its way', 'Hello');
    await visit.panel.locator('.thumb').last().waitFor();
    expect(await visit.panel.locator('.thumbs').count()).toBe(1);
  });

  it('a rating that fails says so, and can be given again', async () => {
    await stage.say('On its way');
    await visit.button('Not helpful').waitFor();
    await stage.tenant.admin.patch('/widget', { messageRating: false }).expect(200);
    await visit.panel.getByRole('button', { name: 'Helpful', exact: true }).click();
    await visit.panel.getByText('Chat is unavailable right now').waitFor();
    expect(await pressed('Helpful').count()).toBe(0);
    await stage.tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    await visit.panel.getByRole('button', { name: 'Helpful', exact: true }).click();
    await pressed('Helpful').waitFor();
    // The browser reports the rejected request.
    visit.complaints.splice(0);
  });

  it('a reason that was written without a connection stays in its field, and can be submitted again', async () => {
    await stage.say('On its way');
    await visit.button('Not helpful').waitFor();
    stage.road.cut();
    await visit.button('Not helpful').click();
    const failure = visit.panel.locator('.thumbs').getByText('Chat is unavailable right now');
    await failure.waitFor();
    const reason = visit.panel.getByRole('textbox', { name: 'Anything to add?' });
    await reason.fill('When?');
    const failed = visit.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/rating'));
    await visit.button('Submit').click();
    await failed;
    await failure.waitFor();
    expect(await reason.inputValue()).toBe('When?');
    stage.road.isCut = false;
    await visit.online();
    // The browser reports the connection that was cut.
    visit.complaints.splice(0);
    await visit.button('Submit').click();
    await pressed('Not helpful').waitFor();
    await visit.panel.getByText('Thank you!').waitFor();
    expect(await ratings()).toMatchObject([{ rating: 'DOWN', comment: 'When?' }]);
  });
});

describe('ratings of messages in the console', () => {
  const stage = Stage.set();

  it('agents see how an answer was rated, as soon as it is', async () => {
    await stage.tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Where is my order?');
    await stage.say('On its way');
    const chatId = await stage.chatId();
    const desk = await Desk.open(stage, { role: 'SUPERVISOR' });
    await desk.goTo(chatId);
    await visit.button('Not helpful').click();
    await desk.page.getByText("The visitor didn't find this helpful").waitFor();
    await visit.panel.getByRole('textbox', { name: 'Anything to add?' }).fill('When?');
    await visit.button('Submit').click();
    await desk.page.locator('q', { hasText: 'When?' }).waitFor();
  });
});
