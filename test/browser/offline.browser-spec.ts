import { beforeEach, describe, expect, it } from '@jest/globals';
import { Stage } from './support/stage.js';
import { eventually } from '../support/eventually.js';
import { type Visit } from './support/visit.js';

describe('without a connection', () => {
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

  it('keeps what is said meanwhile, and sends it once and in order when the visitor is back', async () => {
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
    // Whatever was sent twice would come before the answer.
    await stage.say('four');
    await visit.sees('zero', 'one', 'two', 'three', 'four');
    expect(await contents()).toEqual(['zero', 'one', 'two', 'three', 'four']);
  });

  it('sends what was said meanwhile also from the next page, when this one is left before', async () => {
    await goAway();
    await writeMeanwhile('one', 'two', 'three');
    await visit.page.goto('about:blank');
    expect(await contents()).toEqual(['zero']);
    await comeBack();
    await visit.page.goto(stage.site.url);
    // Nobody need open the chat for that.
    await eventually(contents, ({ length }) => length === 4);
    await visit.open();
    await visit.sees('zero', 'one', 'two', 'three');
    await visit.panel.getByText('Sending…').first().waitFor({ state: 'detached' });
    await visit.say('four');
    expect(await contents()).toEqual(['zero', 'one', 'two', 'three', 'four']);
  });

  it('stores once what the service heard and could not confirm', async () => {
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

  it('lets what the service refuses be tried again and thrown away, and sends the rest', async () => {
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

  it('says when the chat itself cannot be loaded, and loads it when it is asked again', async () => {
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

  it('says that nothing connects also when nothing ever did, and sends when it does', async () => {
    const other = await stage.visit();
    await other.launcher.click();
    await other.composer.waitFor();
    stage.road.cut();
    await other.write('Hello');
    await other.panel.locator('.banner').getByText('Connecting…').waitFor();
    stage.road.isCut = false;
    await other.button('Try now').click();
    await other.panel.locator('.banner').waitFor({ state: 'detached' });
    await other.online();
    expect(await contents()).toEqual(['Hello']);
  });

  describe('where no WebSocket can be had', () => {
    it('goes over to REST, and messages arrive in both directions', async () => {
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
