import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { findViolations } from './support/axe.js';
import { PHONE } from './support/looks.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe("an organization's widget settings", () => {
  const stage = Stage.set();
  // A page with its own content in a landmark, so that axe finds violations of the widget only.
  beforeEach(() => void (stage.site.page.body = '<main><h1>A site</h1></main>'));
  const choose = (settings: object) => stage.tenant.admin.patch('/widget', settings).expect(200);
  const color = (visit: Visit) =>
    visit.page.evaluate<string>(
      `getComputedStyle(document.querySelector('parley-widget').shadowRoot.querySelector('.launcher')).backgroundColor`,
    );
  const visitor = async () => (await stage.tenant.bot.get(`/chats/${await stage.chatId()}`).expect(200)).body.visitor;

  it("the settings decide the widget's looks before it's opened", async () => {
    await choose({ color: '#123456', position: 'left', theme: 'dark', locale: 'de', name: 'Hilfe', greeting: 'Moin!' });
    const visit = await stage.visit();
    await eventually(
      () => color(visit),
      (seen) => seen.includes('0.0705882 0.203922 0.337255'),
    );
    expect((await visit.launcher.boundingBox())!.x).toBeLessThan(100);
    await visit.page.getByRole('button', { name: 'Chat öffnen' }).click();
    await visit.panel.getByRole('heading', { name: 'Hilfe' }).waitFor();
    await visit.panel.getByText('Moin!').waitFor();
    expect(await visit.composer.getAttribute('placeholder')).toBe('Nachricht schreiben …');
    expect(visit.complaints).toEqual([]);
  });

  it("the page's attributes and style override the settings", async () => {
    await choose({ color: '#123456', position: 'left', locale: 'de', name: 'Hilfe', greeting: 'Moin!' });
    stage.site.page.attributes += ' data-locale="fr" data-position="right" data-title="Bonjour" data-greeting="Salut"';
    stage.site.page.head = '<style>parley-widget { --parley-color: rgb(0 128 0) }</style>';
    const visit = await stage.visit();
    await visit.open();
    await visit.panel.getByRole('heading', { name: 'Bonjour' }).waitFor();
    await visit.panel.getByText('Salut').waitFor();
    expect(await color(visit)).toContain('0 0.501961 0');
    await visit.page.evaluate(`Parley('set', { title: 'Allo' })`);
    await visit.panel.getByRole('heading', { name: 'Allo' }).waitFor();
  });

  it('agents learn the page of a chat, and bots that of each message, once the organization wants it', async () => {
    await choose({ pageContext: true });
    const visit = await stage.visit();
    await visit.page.evaluate(`history.replaceState(null, '', '?q=shoes#secret'); document.title = 'Shoes'`);
    await visit.open();
    await visit.say('Hello');
    const page = { url: new URL('?q=shoes', stage.site.url).href, title: 'Shoes' };
    const { client } = await stage.parley.signInAgent(stage.tenant, { role: 'SUPERVISOR' });
    const { metadata } = (await client.get(`/chats/${await stage.chatId()}`).expect(200)).body;
    expect(metadata).toMatchObject({ ...page, language: expect.any(String), timeZone: expect.any(String) });
    expect(metadata.screen).toMatch(/^\d+x\d+$/);
    await visit.page.evaluate(`history.pushState(null, '', '/cart'); document.title = 'Cart'`);
    await visit.say('And this?');
    const pages = (await stage.stored()).map(
      (message) => (message as { metadata?: { page?: unknown } }).metadata?.page,
    );
    expect(pages).toEqual([page, { url: new URL('/cart', stage.site.url).href, title: 'Cart' }]);
  });

  it("the settings are loaded once, and the chat opens without them when they can't be loaded", async () => {
    await choose({ greeting: 'Never seen' });
    const visit = await stage.visit({}, 'about:blank');
    let reads = 0;
    await visit.page.route(/api\/visitor\/widget/, (route) => {
      reads += 1;
      return route.abort();
    });
    await visit.page.goto(stage.site.url);
    await visit.open();
    await visit.say('Hello');
    expect(reads).toBe(1);
  });

  it('the header names the organization before the first message', async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.panel.getByRole('heading', { name: 'Acme' }).waitFor();
  });

  it('first questions, office hours, and the privacy line are shown until the first message', async () => {
    await choose({
      questions: ['Where is my order?', 'Who are you?'],
      officeHours: 'Mon to Fri, 9 to 17',
      consent: 'We keep what you write.',
      privacyUrl: 'https://acme.example/privacy',
    });
    const visit = await stage.visit();
    await visit.open();
    await visit.panel.getByText('Mon to Fri, 9 to 17').waitFor();
    const link = visit.panel.getByRole('link', { name: 'Privacy' });
    expect(await link.getAttribute('href')).toBe('https://acme.example/privacy');
    const boxes = await Promise.all(
      ['Where is my order?', 'Who are you?'].map((question) => visit.button(question).boundingBox()),
    );
    const apart = Math.max(boxes[1]!.x - boxes[0]!.x - boxes[0]!.width, boxes[1]!.y - boxes[0]!.y - boxes[0]!.height);
    expect(apart).toBeGreaterThanOrEqual(6);
    expect(await findViolations(visit)).toEqual([]);
    await visit.button('Where is my order?').click();
    await visit.sees('Where is my order?');
    await link.waitFor({ state: 'detached' });
    await visit.button('Who are you?').waitFor({ state: 'detached' });
  });

  it("the greeting, the questions, and the privacy line are in the visitor's language", async () => {
    await choose({
      greeting: 'Hello from Acme',
      consent: 'We store what you write',
      questions: ['Where is my order?'],
      translations: {
        de: { greeting: 'Hallo von Acme', questions: ['Wo ist meine Bestellung?'] },
        'pt-BR': { greeting: 'Olá', consent: 'Guardamos o que escreve' },
      },
    });
    stage.site.page.root = 'lang="de-AT"';
    const visit = await stage.visit();
    await visit.launcher.click();
    await visit.panel.getByText('Hallo von Acme').waitFor();
    await visit.button('Wo ist meine Bestellung?').waitFor();
    await visit.panel.getByText('We store what you write').waitFor();
    stage.site.page.root = 'lang="pt-BR"';
    await visit.page.reload();
    await visit.panel.getByText('Olá').waitFor();
    await visit.panel.getByText('Guardamos o que escreve').waitFor();
    await visit.button('Where is my order?').waitFor();
    await visit.page.evaluate(`Parley('set', { greeting: 'From the page' })`);
    await visit.panel.getByText('From the page').waitFor();
  });

  describe('name and address', () => {
    beforeEach(async () => {
      await choose({ askName: 'optional', askEmail: 'required', questions: ['Why?'] });
    });

    it('a name and an address are asked for before the first message, and stored as unverified', async () => {
      const visit = await stage.visit(PHONE);
      await visit.launcher.tap();
      await visit.panel.getByLabel('Email').waitFor();
      expect(await visit.panel.getByRole('textbox', { name: 'Message' }).isVisible()).toBe(false);
      expect(await visit.button('Why?').count()).toBe(0);
      expect(await findViolations(visit)).toEqual([]);
      await visit.button('Start chat').tap();
      await visit.panel.getByLabel('Email').fill('nobody');
      await visit.button('Start chat').tap();
      expect(await visit.panel.getByRole('textbox', { name: 'Message' }).isVisible()).toBe(false);
      await visit.panel.getByLabel('Name').fill('Vera');
      await visit.panel.getByLabel('Email').fill('vera@example.com');
      await visit.button('Start chat').tap();
      await visit.button('Why?').tap();
      await visit.sees('Why?');
      expect(await visitor()).toMatchObject({ name: 'Vera', email: 'vera@example.com', isVerified: false });
      await visit.page.reload();
      await visit.open();
      await visit.sees('Why?');
    });

    it("a known person isn't asked for name and address", async () => {
      stage.site.page.attributes += ` data-identity="${await signIdentity(stage.tenant, { sub: 'vera' })}"`;
      const visit = await stage.visit();
      await visit.open();
      await visit.say('Hello');
    });
  });

  it('the widget asks for an address when no agent is available, and the chat continues', async () => {
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Is anybody there?');
    const chatId = await stage.chatId();
    const wait = { chatId, maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' };
    await stage.tenant.bot.post('/transfer', wait).expect(200);
    await visit.panel.getByText('Leave your email address').waitFor();
    expect(await findViolations(visit)).toEqual([]);
    await visit.panel.getByLabel('Email').fill('vera@example.com');
    await visit.button('Submit').click();
    await visit.panel.getByText('An agent sees your address vera@example.com').waitFor();
    expect(await findViolations(visit)).toEqual([]);
    expect(await visitor()).toMatchObject({ email: 'vera@example.com', isVerified: false });
    await visit.page.reload();
    await visit.panel.getByText('An agent sees your address vera@example.com').waitFor();
    await visit.button('Change').click();
    await visit.panel.getByLabel('Email').fill('vera@example.net');
    await visit.button('Submit').click();
    await visit.panel.getByText('An agent sees your address vera@example.net').waitFor();
    expect(await visitor()).toMatchObject({ email: 'vera@example.net' });
    await visit.panel.getByRole('textbox', { name: 'Message' }).fill('Thanks');
    await visit.page.keyboard.press('Enter');
    await eventually(
      () => stage.stored(),
      (all) => all.some(({ content }) => content === 'Thanks'),
    );
  });

  describe('a greeting beside the closed button', () => {
    const greeting = (visit: Visit) => visit.page.getByRole('button', { name: 'Can we help?' });

    it('the greeting opens the chat, once per tab', async () => {
      await choose({ greeting: 'Can we help?', greetingAfterSeconds: 0, greetingPaths: ['/'] });
      const visit = await stage.visit();
      await greeting(visit).waitFor();
      expect(await findViolations(visit)).toEqual([]);
      await greeting(visit).click();
      await visit.composer.waitFor();
      await greeting(visit).waitFor({ state: 'detached' });
      await visit.button('Close chat').click();
      await visit.panel.waitFor({ state: 'hidden' });
      expect(await greeting(visit).count()).toBe(0);
    });

    it('the greeting can be dismissed, and appears only on its paths', async () => {
      await choose({ greeting: 'Can we help?', greetingAfterSeconds: 0 });
      const visit = await stage.visit();
      await greeting(visit).waitFor();
      await visit.page.getByRole('button', { name: 'Dismiss' }).click();
      await greeting(visit).waitFor({ state: 'detached' });
      await choose({ greetingPaths: ['/shop'] });
      const other = await stage.visit();
      const read = other.page.waitForResponse(/api\/visitor\/widget/);
      await other.page.reload();
      await read;
      await other.open();
      expect(await greeting(other).count()).toBe(0);
    });
  });

  it('the widget asks for a rating when the chat has ended, and the visitor can change it', async () => {
    await choose({ rating: true });
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    const chatId = await stage.chatId();
    await stage.tenant.admin.patch(`/chats/${chatId}`, { status: 'CLOSED' }).expect(200);
    await visit.panel.getByRole('group', { name: 'How was this chat?' }).waitFor();
    await visit.panel.getByRole('radio', { name: '4 of 5' }).check();
    await visit.panel.getByRole('textbox').fill('Quick');
    expect(await findViolations(visit)).toEqual([]);
    await visit.button('Submit').click();
    await visit.panel.getByText('Thank you!').waitFor();
    const sue = await stage.parley.signInAgent(stage.tenant, { role: 'SUPERVISOR' });
    const rating = async () => (await sue.client.get(`/chats/${chatId}`).expect(200)).body.rating;
    expect(await rating()).toMatchObject({ score: 4, comment: 'Quick' });
    await visit.button('Change').click();
    await visit.panel.getByRole('radio', { name: '5 of 5' }).check();
    await visit.button('Submit').click();
    await visit.panel.getByText('5 of 5').waitFor();
    expect(await rating()).toMatchObject({ score: 5, comment: 'Quick' });
    await visit.button('Start a new chat').click();
    await visit.say('Hello again');
    expect(await visit.panel.getByText('Thank you!').count()).toBe(0);
  });
});
