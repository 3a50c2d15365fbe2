import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('the button "Talk to a person"', () => {
  const stage = Stage.set();
  let visit: Visit;

  afterEach(() => expect(visit.complaints).toEqual([]));

  const choose = (settings: object) => stage.tenant.admin.patch('/widget', settings).expect(200);
  const talk = () => visit.button('Talk to a person');
  const next = () => visit.panel.locator('header').getByText('No one is available right now').waitFor();
  /** The visitor's chats. */
  const chats = async () => {
    const { body } = await stage.tenant.bot.get('/chats').expect(200);
    return (body.chats as { id: string; owner: string }[]).filter(({ id }) => id !== stage.tenant.chatId);
  };

  it('a visitor talks to a person by the menu, once the organization offers it', async () => {
    await stage.tenant.admin.patch('/widget', { personAfter: 1 }).expect(200);
    visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await visit.button('Your chats').click();
    await visit.button('End chat').waitFor();
    expect(await visit.button('Talk to a person').count()).toBe(0);
    await stage.say('Hi, I am a bot');
    await stage.tenant.bot.put('/subscription', { events: ['handoff.requested'] }).expect(200);
    await visit.button('Talk to a person').click();
    await visit.panel.getByText('Connecting…').waitFor();
    await stage.tenant.bot.post('/transfer', { chatId: await stage.chatId() }).expect(200);
    await visit.panel.locator('header').getByText('No one is available right now').waitFor();
    await visit.composer.waitFor();
  });

  it('a visitor asks for a person before the first word, and is in line', async () => {
    await choose({ personAfter: 0, consent: 'We keep what you write.' });
    visit = await stage.visit();
    await visit.open();
    await visit.panel.getByText('We keep what you write.').waitFor();
    await talk().waitFor();
    expect(await visit.page.evaluate('localStorage.length')).toBe(0);
    await talk().click();
    await next();
    expect(await visit.composer.evaluate((field) => field.matches(':focus'))).toBe(true);
    await visit.panel.getByText('We keep what you write.').waitFor();
    expect(await talk().count()).toBe(0);
    expect((await chats()).map(({ owner }) => owner)).toEqual(['QUEUE']);
    await visit.say('My parcel is lost');
    expect(await chats()).toHaveLength(1);
  });

  it('the request says that it is under way while a bot may react, and keeps the chat for the next word', async () => {
    await choose({ personAfter: 0, questions: ['Where is it?'] });
    await stage.tenant.bot.put('/subscription', { events: ['handoff.requested'] }).expect(200);
    visit = await stage.visit();
    await visit.open();
    await talk().click();
    await visit.panel.locator('.welcome').getByText('Connecting…').waitFor();
    const [chat] = await eventually(chats, ({ length }) => length > 0);
    const chatId = chat!.id;
    await stage.tenant.bot.post('/messages', { chatId, content: 'What is it about?' }).expect(200);
    await visit.sees('What is it about?');
    await visit.say('A refund');
    expect(await stage.chatId()).toBe(chatId);
  });

  it('a visitor asks for a person in a second chat that has no message, also by the menu', async () => {
    await choose({ personAfter: 0, privacyUrl: 'https://example.com/privacy' });
    visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await visit.button('Your chats').click();
    await visit.button('Start a new chat').click();
    await visit.panel.locator('.welcome').getByRole('button', { name: 'Talk to a person' }).waitFor();
    await visit.button('Your chats').click();
    await visit.panel.locator('.chats').getByRole('link', { name: 'Privacy' }).waitFor();
    await talk().click();
    await next();
    await visit.composer.waitFor();
    expect((await chats()).map(({ owner }) => owner).sort()).toEqual(['BOT', 'QUEUE']);
  });

  it('a visitor whose name is asked for gives it before the request', async () => {
    await choose({ personAfter: 0, askName: 'required' });
    visit = await stage.visit();
    await visit.launcher.click();
    await visit.panel.getByLabel('Name').waitFor();
    expect(await talk().count()).toBe(0);
    await visit.panel.getByLabel('Name').fill('Vera');
    await visit.panel.getByLabel('Name').press('Enter');
    await talk().click();
    await next();
    expect(await chats()).toMatchObject([{ owner: 'QUEUE', visitor: { name: 'Vera' } }]);
  });

  it('a request without a connection is made when it is back', async () => {
    await choose({ personAfter: 0 });
    visit = await stage.visit();
    await visit.open();
    await talk().waitFor();
    stage.road.cut();
    await talk().click();
    await visit.panel.locator('.welcome').getByText('Connecting…').waitFor();
    stage.road.isCut = false;
    await next();
    visit.complaints.length = 0;
  });

  it('a request that fails says so, and can be made again', async () => {
    await choose({ personAfter: 0 });
    visit = await stage.visit();
    await visit.page.route('**/handoff', (route) => route.abort(), { times: 1 });
    await visit.open();
    await talk().click();
    await visit.panel.getByRole('alert').waitFor();
    visit.complaints.length = 0;
    await talk().click();
    await next();
    expect(await chats()).toHaveLength(1);
  });
});
