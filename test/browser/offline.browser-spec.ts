import { beforeEach, describe, expect, it } from '@jest/globals';
import { Stage } from './support/stage.js';
import { eventually } from '../support/eventually.js';
import { type Visit } from './support/visit.js';

describe('the widget without a connection', () => {
  const stage = Stage.set();
  let visit: Visit;

  beforeEach(async () => {
    visit = await stage.visit();
    await visit.open();
    await visit.say('zero');
  });

  const contents = async () => (await stage.stored()).map(({ content }) => content);
  const goAway = async () => {
    await visit.context.setOffline(true);
    stage.road.cut();
    await visit.panel.getByText('Reconnecting').waitFor();
  };
  const comeBack = async () => {
    stage.road.isCut = false;
    await visit.context.setOffline(false);
  };
  const writeMeanwhile = async (...texts: string[]) => {
    for (const text of texts) await visit.write(text);
    await visit.panel
      .getByText('Sending…')
      .nth(texts.length - 1)
      .waitFor();
  };

  it('messages written offline are sent once and in order when the connection returns', async () => {
    await goAway();
    await writeMeanwhile('one', 'two', 'three');
    await visit.sees('zero', 'one', 'two', 'three');
    expect(await contents()).toEqual(['zero']);
    await comeBack();
    await eventually(contents, ({ length }) => length === 4);
    await visit.online();
    await visit.panel.getByText('Sending…').first().waitFor({ state: 'detached' });
    await visit.panel.getByText(/Sent$/).waitFor();
    expect(await visit.panel.getByText(/Reconnecting|Not sent/).count()).toBe(0);
    // A duplicate would arrive before the answer.
    await stage.say('four');
    await visit.sees('zero', 'one', 'two', 'three', 'four');
    expect(await contents()).toEqual(['zero', 'one', 'two', 'three', 'four']);
  });

  it('messages written offline are sent from the next page if the visitor leaves this one', async () => {
    await goAway();
    await writeMeanwhile('one', 'two', 'three');
    await visit.page.goto('about:blank');
    expect(await contents()).toEqual(['zero']);
    await comeBack();
    await visit.page.goto(stage.site.url);
    // That works without opening the chat.
    await eventually(contents, ({ length }) => length === 4);
    await visit.open();
    await visit.sees('zero', 'one', 'two', 'three');
    await visit.panel.getByText('Sending…').first().waitFor({ state: 'detached' });
    await visit.say('four');
    expect(await contents()).toEqual(['zero', 'one', 'two', 'three', 'four']);
  });

  it("a message that the service stored but couldn't confirm is stored once", async () => {
    stage.road.losesAnswers = true;
    await visit.write('one');
    await eventually(contents, ({ length }) => length === 2);
    await visit.panel.getByText('Sending…').waitFor();
    stage.road.end();
    stage.road.losesAnswers = false;
    await visit.panel.getByText('Sending…').waitFor({ state: 'detached' });
    await visit.say('two');
    await visit.sees('zero', 'one', 'two');
    expect(await contents()).toEqual(['zero', 'one', 'two']);
  });

  it('a rejected message can be retried or discarded, and the rest is sent', async () => {
    const tooLong = 'x'.repeat(5001);
    await visit.page.evaluate(`Parley('send', '${tooLong}')`);
    await visit.panel.getByText('Not sent').waitFor();
    await visit.say('one');
    expect(await contents()).toEqual(['zero', 'one']);
    await visit.button('Retry').click();
    await visit.panel.getByText('Not sent').waitFor();
    await visit.button('Delete').click();
    await visit.sees('zero', 'one');
    await visit.page.reload();
    await visit.open();
    await visit.sees('zero', 'one');
  });

  it("a chat that can't be loaded says so, and loads on a retry", async () => {
    const other = await stage.visit();
    await other.launcher.waitFor();
    stage.road.cut();
    await other.launcher.click();
    const retry = other.page.getByRole('button', { name: "Chat couldn't load. Try again" });
    await retry.waitFor();
    stage.road.isCut = false;
    await retry.click();
    await other.composer.waitFor();
    await other.say('Hello');
    expect(await contents()).toEqual(['Hello']);
  });

  it("the widget says that it can't connect even if it never could, and sends when it can", async () => {
    const other = await stage.visit();
    await other.launcher.click();
    await other.composer.waitFor();
    stage.road.cut();
    await other.write('Hello');
    await other.panel.locator('.banner').getByText('Connecting…').waitFor();
    const again = other.button('Try now');
    await again.waitFor();
    stage.road.isCut = false;
    // A click that waits for a button at rest could come after the widget's own attempt.
    await again.evaluate((button: any) => button.click());
    await other.panel.locator('.banner').waitFor({ state: 'detached' });
    await other.online();
    expect(await contents()).toEqual(['Hello']);
  });

  describe('without WebSockets', () => {
    it('the widget switches to REST, and messages arrive in both directions', async () => {
      stage.road.refusesSockets = true;
      const asked: string[] = [];
      const other = await stage.visit();
      other.page.on('request', (request) => void asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await other.launcher.click();
      await other.panel.locator('header.polling, .intro').first().waitFor();
      await other.say('Hello');
      expect(await contents()).toEqual(['Hello']);
      await stage.say('Hi');
      await other.sees('Hello', 'Hi');
      await other.say('How are you?');
      await stage.say('Fine');
      await other.sees('Hello', 'Hi', 'How are you?', 'Fine');
      expect(await other.panel.getByText('Reconnecting').count()).toBe(0);
      expect(asked).toContain(`POST /api/visitor/chats/${await stage.chatId()}/messages`);
      stage.road.refusesSockets = false;
      await other.online();
      await other.say('At once again');
      await stage.say('Good');
      await other.sees('Hello', 'Hi', 'How are you?', 'Fine', 'At once again', 'Good');
    });
  });
});
