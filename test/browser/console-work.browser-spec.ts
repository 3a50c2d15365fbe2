import { afterEach, describe, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, waitingChat } from './support/desk.js';
import { Stage } from './support/stage.js';

/** Claims the open chat, and holds the request until the returned function is called. */
async function holdClaim(desk: Desk): Promise<() => Promise<void>> {
  let hold: (route: Route) => void;
  const held = new Promise<Route>((resolve) => (hold = resolve));
  // The click comes after the page is watched: an earlier request would pass unseen. A key could come before the page listens.
  await desk.page.route('**/claim', (route) => hold(route));
  await desk.button(/^Take chat/).click();
  const route = await held;
  return () => route.continue();
}

describe('agents at work', () => {
  const stage = Stage.set();
  const complaints: string[][] = [];
  // The browser's console reports rejected requests: the loser of a race sees one.
  afterEach(() =>
    expect(
      complaints
        .splice(0)
        .flat()
        .filter((text) => !text.includes('409')),
    ).toEqual([]),
  );
  const open = async (...given: Parameters<typeof Desk.open> extends [Stage, ...infer Rest] ? Rest : never) => {
    const desk = await Desk.open(stage, ...given);
    complaints.push(desk.visit.complaints);
    return desk;
  };

  it('one of two simultaneous claims wins, the other agent reads who was faster, and messages go both ways', async () => {
    const [ada, bob] = [await open({ name: 'Ada' }), await open({ name: 'Bob' })];
    const chatId = await waitingChat(stage);
    for (const desk of [ada, bob]) {
      await desk.page.getByRole('link', { name: /^Waiting/ }).click();
      await desk.rows.filter({ hasText: 'Vera' }).click();
      await desk.button(/^Take chat/).waitFor();
    }
    // Neither is sent before both have started.
    const claims = await Promise.all([ada, bob].map((desk) => holdClaim(desk)));
    await Promise.all(claims.map((goOn) => goOn()));
    const [winner, loser] = (
      await eventually(
        async () => [await ada.composer.count(), await bob.composer.count()],
        ([one, other]) => one! + other! === 1,
      )
    )[0]
      ? [ada, bob]
      : [bob, ada];
    const name = winner === ada ? 'Ada' : 'Bob';
    await loser.isTold(`${name} was faster and has the chat now.`);
    await loser.page.getByText(`${name} is handling this chat.`).waitFor();

    const visitor = await stage.parley.connectVisitor(stage.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId });
    await winner.say('How can I help?');
    await loser.sees('How can I help?');
    await visitor.ask('typing', { chatId, isTyping: true });
    await winner.page.locator('.typists').getByText('Vera is typing…').waitFor();
    await visitor.ask('message:send', { chatId, content: 'My tent is torn' });
    for (const desk of [winner, loser]) await desk.sees('My tent is torn');
    await winner.composer.pressSequentially('It is');
    await loser.page.locator('.typists').getByText(`${name} is typing…`).waitFor();
    await loser.page.getByText(`${name} is viewing this chat`).first().waitFor();
  });

  it('a chat goes to a colleague with a note, back to the queue, to the bot, to its end, and is reopened', async () => {
    const [ada, bob] = [await open({ name: 'Ada' }), await open({ name: 'Bob' })];
    const chatId = await waitingChat(stage, 'Help', { reason: 'asks for a person', summary: 'Wants a refund' });
    await ada.goTo(chatId);
    await ada.page.getByText('Wants a refund').waitFor();
    await ada.page.keyboard.press('c');
    await ada.leaveField();
    await ada.page.keyboard.press('t');
    await ada.page.getByRole('dialog').getByText('Online · 0 open chats').waitFor();
    await ada.page.getByLabel(/Bob/).check();
    await ada.page.getByLabel('Note for the next agent (optional)').fill('Knows us for years');
    await ada.button('Transfer to Bob').click();
    await ada.isTold('Transferred to Bob');
    await ada.page.getByText('Bob is handling this chat.').waitFor();

    await bob.rows.filter({ hasText: 'Vera' }).click();
    await bob.say('Hello from Bob');
    await bob.button('More').click();
    await bob.page.getByRole('menuitem', { name: 'Return to queue' }).click();
    await bob.button(/^Take chat/).click();
    await bob.button('More').click();
    await bob.page.getByRole('menuitem', { name: 'Return to bot…' }).click();
    await bob.button('Return to bot').click();
    await bob.button(/^Take over/).click();
    await bob.button('End chat').click();
    await bob.page.locator('.conversation').getByText('Bob ended the chat').waitFor();
    await bob.button('Reopen').click();
    await bob.button('End chat').waitFor();
    await bob.page.locator('.conversation').getByText('Bob reopened the chat').waitFor();
    await bob.page.getByRole('link', { name: /^Mine/ }).click();
    await eventually(
      () => bob.rows.count(),
      (count) => count === 1,
    );
  });

  it('a draft per chat survives a reload, and is sent nowhere else', async () => {
    const ada = await open();
    const [one, two] = [await waitingChat(stage), await anotherChat(stage, 'Walter', 'Another')];
    for (const chatId of [one, two]) {
      await ada.goTo(chatId);
      await ada.page.keyboard.press('c');
      await ada.composer.waitFor();
    }
    await ada.composer.fill('For Walter alone');
    await ada.rows.filter({ hasText: 'Vera' }).click();
    await ada.page.getByLabel('Message to Vera').waitFor();
    expect(await ada.composer.inputValue()).toBe('');
    await ada.say('For Vera');
    await ada.page.reload();
    await ada.rows.filter({ hasText: 'Walter' }).click();
    await ada.page.getByLabel('Message to Walter').waitFor();
    expect(await ada.composer.inputValue()).toBe('For Walter alone');
    await ada.composer.press('Shift+Enter');
    await ada.composer.pressSequentially('second line');
    await ada.composer.press('Enter');
    await ada.sees('second line');
    await ada.page.locator('.message.pending').waitFor({ state: 'detached' });
    const said = async (chatId: string) => {
      const { messages } = (await stage.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body;
      return (messages as { sender: { type: string }; content: string }[])
        .filter(({ sender }) => sender.type === 'AGENT')
        .map(({ content }) => content);
    };
    expect(await said(one)).toEqual(['For Vera']);
    expect(await said(two)).toEqual(['For Walter alone\nsecond line']);
  });

  it('the visitor sees live text when the agent turns it on, and never unsent text otherwise', async () => {
    const ada = await open();
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('c');
    await ada.composer.waitFor();
    const visitor = await stage.parley.connectVisitor(stage.tenant.visitorToken);
    await visitor.ask('chat:open', { chatId });
    const texts = () => visitor.all('typing').map(({ text }) => text);
    await ada.composer.pressSequentially('Secret');
    await eventually(texts, (seen) => seen.length > 0);
    await ada.button('Live').click();
    await eventually(texts, (seen) => seen.at(-1) === 'Secret');
    await ada.composer.pressSequentially('s no more');
    await eventually(texts, (seen) => seen.at(-1) === 'Secrets no more');
    await ada.button('Live').click();
    await eventually(texts, (seen) => seen.at(-1) === '');
    await ada.composer.fill('Never shown');
    await ada.say('Said');
    expect(texts().join()).not.toContain('Never');
    expect(texts()[0]).toBeUndefined();
  });

  it("an agent writes notes that aren't messages, and inserts canned replies", async () => {
    const ada = await open({ role: 'SUPERVISOR' });
    const token = await stage.parley.signInAgain(stage.tenant, ada.agentId);
    await token.client.post('/replies', { shortcut: 'hello', content: 'Hello, how can I help?' }).expect(201);
    const chatId = await waitingChat(stage);
    await ada.goTo(chatId);
    await ada.page.keyboard.press('n');
    await ada.page.getByLabel('Note for colleagues').fill('Be careful');
    await ada.composer.press('Enter');
    await ada.page.locator('.note-line').getByText('Be careful').waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.page.keyboard.press('c');
    await ada.button(/^Take chat/).waitFor({ state: 'detached' });
    await ada.page.keyboard.press('/');
    await ada.page.getByRole('option', { name: /hello/ }).waitFor();
    await ada.composer.pressSequentially('hel');
    await ada.composer.press('Enter');
    expect(await ada.composer.inputValue()).toBe('Hello, how can I help?');
    await ada.composer.press('Enter');
    await ada.sees('Hello, how can I help?');
    await ada.page.locator('.message.pending').waitFor({ state: 'detached' });
    const { body } = await stage.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200);
    const contents = (body.messages as { content: string }[]).map(({ content }) => content);
    expect(contents).toContain('Hello, how can I help?');
    expect(contents).not.toContain('Be careful');
  });

  it("an offer shows the bot's summary, and missed offers pause the agent, who resumes", async () => {
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER' }).expect(200);
    const ada = await open();
    await waitingChat(stage, 'Help', { summary: 'Charged twice' });
    const offer = ada.page.getByRole('alertdialog', { name: 'New chat for you: Vera' });
    await offer.getByText('Charged twice').waitFor();
    await eventually(
      () => ada.page.title(),
      (title) => title === '(1) New chat: Vera · Parley',
    );
    await ada.isSteady('.offer');
    await ada.page.keyboard.press('c');
    await ada.page.getByLabel('Message to Vera').waitFor();
    await offer.waitFor({ state: 'detached' });

    for (const name of ['Walter', 'Xenia']) {
      await anotherChat(stage, name, 'Hello');
      const card = ada.page.getByRole('alertdialog', { name: `New chat for you: ${name}` });
      await card.waitFor();
      // Lets the offer expire now instead of in half a minute.
      await stage.parley.query(
        `UPDATE chat_offers SET expires_at = now() - interval '1 second' WHERE ended_at IS NULL`,
      );
      await card.waitFor({ state: 'detached' });
    }
    await ada.page.getByText("You missed two offers in a row, so you're paused.").waitFor();
    await ada.button('Accept chats again').click();
    await ada.button(/^Your presence:.*Accepting chats$/).waitFor();
  });

  it('an offer that arrives during a response without it is kept', async () => {
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER' }).expect(200);
    const ada = await open();
    const { page } = ada;
    // The page's next requests aren't held.
    await page.goto('about:blank');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const asked = new Promise<void>((resolve) => {
      void page.route('**/api/agent/offers', async (route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      });
    });
    await page.goto(`${stage.road.url}/console/mine`);
    await asked;
    await waitingChat(stage, 'Help');
    const offer = page.getByRole('alertdialog', { name: 'New chat for you: Vera' });
    await offer.waitFor();
    const answered = page.waitForResponse('**/api/agent/offers');
    release();
    await (await answered).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await offer.count()).toBe(1);
  });
});
