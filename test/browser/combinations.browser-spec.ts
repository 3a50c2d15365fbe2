import { describe, expect, it } from '@jest/globals';
import { CaptchaProvider } from '../support/captcha-provider.js';
import { eventually } from '../support/eventually.js';
import { signIdentity } from '../support/identity.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

describe('what visitors do at the same time', () => {
  const stage = Stage.set({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });

  const call = (visit: Visit, ...args: unknown[]) => visit.page.evaluate(`Parley(...${JSON.stringify(args)})`);
  const refused = (visit: Visit) => visit.panel.getByText('Chat is unavailable right now');
  const greeted = (visit: Visit) => visit.panel.getByText('Hi there! How can we help?');
  const pending = (visit: Visit) => visit.panel.locator('.row:is(.queued, .sending)');
  const chats = async () => (await stage.tenant.bot.get('/chats').expect(200)).body.chats as { id: string }[];
  const contentsOf = async (chatId: string) =>
    (await stage.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body.messages.map(
      ({ content }: { content: string }) => content,
    ) as string[];
  /** The token that the browser keeps. */
  const kept = async (visit: Visit) =>
    JSON.parse(await visit.page.evaluate<string>(`localStorage.getItem('parley:${stage.tenant.widgetKey}')`)) as Record<
      string,
      string
    >;
  const startAnother = async (visit: Visit) => {
    await visit.button('Your chats').click();
    await visit.button('Start a new chat').click();
    await greeted(visit).waitFor();
  };

  const agent = async () => {
    const { body: groups } = await stage.tenant.bot.get('/groups').expect(200);
    return stage.parley.signInAgent(stage.tenant, { name: 'Ada', groupIds: [groups[0].id] });
  };

  it('the consent is shown again in a second conversation, and a message that waits goes to its own chat', async () => {
    await stage.tenant.admin.patch('/widget', { consent: 'We keep what you write.', askName: 'optional' }).expect(200);
    const visit = await stage.visit();
    await visit.launcher.click();
    await visit.panel.getByText('We keep what you write.').waitFor();
    await visit.button('Start chat').click();
    await visit.panel.getByLabel('Name').waitFor({ state: 'detached' });
    await visit.say('About my order');
    const consent = visit.panel.getByText('We keep what you write.');
    await consent.waitFor({ state: 'detached' });
    const first = await stage.chatId();
    stage.road.refusesSockets = true;
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await visit.page.route(/chats\/.*\/messages$/, async (route) => {
      await held;
      // The client may have given up this attempt.
      await route.continue().catch(() => undefined);
    });
    stage.road.end();
    await visit.write('Late for the first chat');
    await pending(visit).waitFor();
    await startAnother(visit);
    await consent.waitFor();
    // The name was asked for in this tab.
    expect(await visit.panel.getByLabel('Name').count()).toBe(0);
    await visit.write('About returns');
    await consent.waitFor({ state: 'detached' });
    release();
    stage.road.refusesSockets = false;
    await visit.sees('About returns');
    await visit.panel.getByText(/Sent/).waitFor();
    await eventually(
      () => contentsOf(first),
      (seen) => seen.length === 2,
    );
    const second = (await chats()).find(({ id }) => id !== first && id !== stage.tenant.chatId)!.id;
    expect([await contentsOf(first), await contentsOf(second)]).toEqual([
      ['About my order', 'Late for the first chat'],
      ['About returns'],
    ]);
  });

  it('a person who signs in while a second conversation is open sees their own open chat', async () => {
    const ada = await signIdentity(stage.tenant, { sub: 'ada' });
    const phone = await stage.visit();
    await call(phone, 'identify', ada);
    await phone.open();
    await phone.say('My order');
    await phone.close();
    const visit = await stage.visit();
    await call(visit, 'identify', await signIdentity(stage.tenant, { sub: 'bob' }));
    await visit.open();
    await visit.say('I am Bob');
    await startAnother(visit);
    await visit.say('Bob again');
    const { length } = await chats();
    await call(visit, 'identify', ada);
    await visit.sees('My order');
    expect(await chats()).toHaveLength(length);
  });

  describe('with a captcha', () => {
    const SCRIPT = `
      window.shown = 0;
      const solve = () => Parley('set', { visitor: { captcha: 'solved-' + ++window.shown + Math.random() } });`;
    const withProvider = async (play: (provider: CaptchaProvider) => Promise<void>) => {
      const provider = await CaptchaProvider.start();
      const captcha = { provider: 'TURNSTILE', siteKey: 'key', secret: 'the-secret', verifyUrl: provider.url };
      await stage.tenant.admin.put('/captcha', captcha).expect(200);
      await play(provider).finally(() => provider.close());
    };

    it('a visitor whose session has expired solves another one, and the message is sent', () =>
      withProvider(async (provider) => {
        const visit = await stage.visit();
        await visit.page.evaluate(`${SCRIPT} Parley('on', 'open', solve)`);
        await visit.open();
        await visit.say('Hello');
        await visit.page.evaluate(`{
          const key = 'parley:${stage.tenant.widgetKey}';
          const token = 'e30.' + btoa('{"iat":0,"exp":1}') + '.e30';
          const expired = { ...JSON.parse(localStorage.getItem(key)), token, expiresAt: new Date(1000).toISOString() };
          localStorage.setItem(key, JSON.stringify(expired));
          sessionStorage.clear();
        }`);
        await visit.page.reload();
        await visit.page.evaluate(`${SCRIPT} Parley('on', 'open', solve)`);
        await visit.open();
        await greeted(visit).waitFor();
        expect(provider.asked).toHaveLength(1);
        await visit.say('Here again');
        await visit.sees('Here again');
        expect(provider.asked).toHaveLength(2);
      }));

    it('the form before the first message asks for a captcha too, and is submitted with it', () =>
      withProvider(async () => {
        await stage.tenant.admin.patch('/widget', { askEmail: 'required' }).expect(200);
        const visit = await stage.visit();
        await visit.page.evaluate(
          `${SCRIPT} Parley('on', 'error', ({ code }) => code === 'captcha_required' && solve())`,
        );
        await visit.launcher.click();
        const email = visit.panel.getByLabel('Email');
        await email.fill('vera@example.com');
        await visit.button('Start chat').click();
        await refused(visit).waitFor();
        await visit.button('Start chat').click();
        await email.waitFor({ state: 'detached' });
        await visit.say('Hello');
        expect(await visit.page.evaluate('window.shown')).toBe(1);
      }));

    it('a session that ends in the middle of unsent messages asks for another one, and no message is lost', () =>
      withProvider(async () => {
        const visit = await stage.visit();
        await visit.page.evaluate(
          `${SCRIPT} Parley('on', 'error', ({ code }) => code === 'captcha_required' && solve())`,
        );
        await visit.open();
        await visit.write('one');
        await refused(visit).waitFor();
        await visit.button('Try again').click();
        await visit.panel.getByText(/Sent/).waitFor();
        const first = await stage.chatId();
        const { token } = await kept(visit);
        stage.road.cut();
        await visit.write('two');
        await visit.write('three');
        await stage.parley.visitor(token!).delete('/sessions').expect(204);
        stage.road.isCut = false;
        await refused(visit).waitFor();
        await visit.button('Try again').click();
        // They were written for a chat of the former session: the visitor decides.
        await visit.button('Retry').nth(1).waitFor();
        await visit.button('Retry').first().click();
        await visit.button('Retry').nth(1).waitFor({ state: 'detached' });
        await visit.button('Retry').click();
        await visit.panel.locator('.row.mine:not(.queued, .sending, .failed)').nth(1).waitFor();
        await visit.sees('two', 'three');
        const second = await eventually(
          () => stage.chatId(),
          (id) => id !== first,
        );
        expect([await contentsOf(first), await contentsOf(second)]).toEqual([['one'], ['two', 'three']]);
      }));
  });

  describe('a blocked visitor', () => {
    it('two tabs are refused, and both come back after the block, with what was written without a connection', async () => {
      const visit = await stage.visit();
      await visit.page.clock.install();
      await visit.open();
      await visit.say('Buy my watches');
      const tab = await visit.newTab(stage.site.url);
      await tab.page.clock.install();
      await tab.open();
      await tab.sees('Buy my watches');
      const ada = await agent();
      const path = `/chats/${await stage.chatId()}/block`;
      stage.road.cut();
      await visit.write('Please');
      await pending(visit).waitFor();
      await tab.write('From the other tab');
      await pending(tab).waitFor();
      await ada.client.put(path, {}).expect(200);
      stage.road.isCut = false;
      for (const each of [visit, tab]) {
        await each.page.clock.fastForward('00:20');
        await refused(each).waitFor();
      }
      expect((await stage.stored()).map(({ content }) => content)).toEqual(['Buy my watches']);
      await ada.client.delete(path).expect(204);
      for (const each of [visit, tab]) {
        await each.page.clock.fastForward('01:00');
        await each.composer.waitFor();
      }
      await eventually(
        async () => (await stage.stored()).map(({ content }) => content).toSorted(),
        (seen) => JSON.stringify(seen) === '["Buy my watches","From the other tab","Please"]',
      );
      await eventually(
        async () => (await Promise.all([visit, tab].map((each) => each.messages.allInnerTexts()))) as string[][],
        ([one, two]) => one!.length === 3 && JSON.stringify(one) === JSON.stringify(two),
      );
    });

    it('the page signs a blocked person out in one tab: the next person can write in both', async () => {
      const zoe = await signIdentity(stage.tenant, { sub: 'zoe' });
      const visit = await stage.visit();
      await call(visit, 'identify', zoe);
      await visit.open();
      await visit.say('Buy my watches');
      const ada = await agent();
      await ada.client.put(`/chats/${await stage.chatId()}/block`, {}).expect(200);
      await refused(visit).waitFor();
      stage.site.page.attributes += ` data-identity="${zoe}"`;
      const tab = await visit.newTab(stage.site.url);
      await tab.launcher.click();
      await refused(tab).waitFor();
      await call(visit, 'identify', null);
      for (const each of [visit, tab]) {
        await greeted(each).waitFor();
        expect(await refused(each).count()).toBe(0);
      }
      await tab.say('Somebody else');
      await visit.sees('Somebody else');
      // The block is of the person, on every device.
      await call(visit, 'identify', zoe);
      await refused(visit).waitFor();
    });
  });

  it('a request for a person stays with its chat when the visitor starts another one', async () => {
    await stage.tenant.admin.patch('/widget', { personAfter: 0 }).expect(200);
    await stage.tenant.bot.put('/subscription', { events: ['handoff.requested'] }).expect(200);
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    const first = await stage.chatId();
    await visit.button('Your chats').click();
    await visit.button('Talk to a person').click();
    await visit.panel.locator('.actions').getByText('Connecting…').waitFor();
    await visit.button('Start a new chat').click();
    await greeted(visit).waitFor();
    await visit.say('Something else');
    await visit.button('Your chats').click();
    await visit.button('Talk to a person').waitFor();
    // The list is read once: a transfer before that would bring the chat to its top.
    await visit.panel.locator('.chat').nth(1).waitFor();
    // On a slow machine, the service has done it by itself.
    await stage.tenant.bot.post('/transfer', { chatId: first });
    await visit.panel.locator('.chat').nth(1).click();
    await visit.panel.locator('header').getByText('No one is available right now').waitFor();
    await visit.button('Your chats').click();
    await visit.panel.locator('.chat').nth(1).waitFor();
    expect(await visit.button('Talk to a person').count()).toBe(0);
  });

  it('the reason for a rating stays in its field while an agent deletes the message below', async () => {
    await stage.tenant.admin.patch('/widget', { messageRating: true }).expect(200);
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Where is my order?');
    await stage.say('On its way');
    const ada = await agent();
    const on = `/chats/${await stage.chatId()}`;
    await ada.client.post(`${on}/claim`).expect(200);
    const { body } = await ada.client.post(`${on}/messages`, { content: 'Oops' }).expect(201);
    await visit.messages.getByText('Oops').waitFor();
    await visit.button('Not helpful').click();
    const reason = visit.panel.getByRole('textbox', { name: 'Anything to add?' });
    await reason.fill('When?');
    await ada.client.delete(`${on}/messages/${body.message.seq}`).expect(204);
    await visit.panel.getByText('Message deleted').waitFor();
    expect(await reason.inputValue()).toBe('When?');
    expect(await reason.evaluate((field) => field.matches(':focus'))).toBe(true);
    await visit.button('Submit').click();
    await visit.panel.getByText('Thank you!').waitFor();
    expect(await visit.panel.locator('.thumbs').count()).toBe(1);
    expect(visit.complaints).toEqual([]);
  });

  it('signing out in one tab without a connection removes a draft and messages that wait in another', async () => {
    const zoe = await signIdentity(stage.tenant, { sub: 'zoe' });
    const visit = await stage.visit();
    await call(visit, 'identify', zoe);
    await visit.open();
    await visit.say('My order');
    const chatId = await stage.chatId();
    const tab = await visit.newTab(stage.site.url);
    await call(tab, 'identify', zoe);
    await tab.open();
    await tab.sees('My order');
    stage.road.cut();
    await tab.write('my card is 4111');
    await pending(tab).waitFor();
    await tab.composer.fill('and its code is');
    await call(visit, 'identify', null);
    await greeted(tab).waitFor();
    expect([await tab.composer.inputValue(), await tab.messages.count()]).toEqual(['', 0]);
    expect(await tab.page.evaluate(`JSON.stringify([localStorage, sessionStorage])`)).not.toContain('4111');
    stage.road.isCut = false;
    await tab.say('Somebody else');
    await Promise.all([tab.sees('Somebody else'), visit.sees('Somebody else')]);
    expect(await contentsOf(chatId)).toEqual(['My order']);
  });
});
