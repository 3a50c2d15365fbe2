import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { anotherChat, Desk, deskWithChats, makeAgent } from './support/desk.js';
import { Stage } from './support/stage.js';

/** Delays the answers of an action until `release` is called. */
async function holdAnswers(desk: Desk, path: string): Promise<() => void> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await desk.page.route(path, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

describe('what changes by itself in the console', () => {
  const stage = Stage.set();

  const owner = async (chatId: string) => (await stage.tenant.bot.get(`/chats/${chatId}`).expect(200)).body.owner;
  const messages = async (chatId: string): Promise<string[]> =>
    (await stage.tenant.bot.get(`/chats/${chatId}/messages?limit=200`).expect(200)).body.messages.map(
      ({ content }: { content: string }) => content,
    );
  /** An agent with these chats, who has opened the first. */
  const having = (...names: string[]) => deskWithChats(stage, names);
  /** Another agent, who may move every chat. */
  const supervisor = async () => {
    const { id } = await makeAgent(stage, { name: 'Sam', role: 'SUPERVISOR' });
    return stage.parley.signInAgain(stage.tenant, id);
  };

  /** The same, with a draft whose sending ends the chat. */
  const withGoodbye = async (...names: string[]) => {
    const { ada, ids } = await having(...names);
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.client.post('/replies', { shortcut: 'bye', content: 'Goodbye!', action: 'CLOSE' }).expect(201);
    await ada.page.reload();
    await ada.composer.fill('/bye');
    await ada.page.getByRole('option').first().waitFor();
    await ada.composer.press('Enter');
    await ada.page.locator('.macro').waitFor();
    return { ada, ids };
  };

  it("a note that is being typed doesn't become a message when the chat is given back", async () => {
    const { ada, ids } = await having('Lea');
    const [chatId] = ids as [string];
    const sam = await supervisor();
    await ada.page.keyboard.press('n');
    await ada.composer.fill('check vip');
    await ada.button('Reply').click();
    await ada.composer.fill('Dear Lea, we will ');
    await sam.client.post(`/chats/${chatId}/transfer`, { agentId: sam.id }).expect(200);
    await ada.page.getByText('Sam is handling this chat').waitFor();
    await ada.page.keyboard.type('Ben, careful: she ');
    await sam.client.post(`/chats/${chatId}/transfer`, { agentId: ada.agentId }).expect(200);
    await ada.page.getByText('Sam is handling this chat').waitFor({ state: 'detached' });
    await ada.page.keyboard.type('is a liar');
    await ada.page.keyboard.press('Enter');
    // The next message is stored after anything that the keys would have sent.
    await ada.say('done');
    expect((await messages(chatId)).filter((content) => content.includes('liar'))).toEqual([]);
  });

  it('a note field keeps its words and its kind while the chat comes back', async () => {
    const { ada, ids } = await having('Lea');
    const [chatId] = ids as [string];
    const sam = await supervisor();
    await sam.client.post(`/chats/${chatId}/transfer`, { agentId: sam.id }).expect(200);
    await ada.button('Add note').click();
    await ada.page.keyboard.type('Careful: ');
    await sam.client.post(`/chats/${chatId}/transfer`, { agentId: ada.agentId }).expect(200);
    await ada.page.getByText('Sam is handling this chat').waitFor({ state: 'detached' });
    await ada.page.keyboard.type('she knows');
    await ada.page.keyboard.press('Enter');
    await ada.sees('Careful: she knows');
    expect(await messages(chatId)).not.toContain('Careful: she knows');
  });

  it.each([120, 200, 300, 450])('two clicks on End chat within %d ms end one chat', async (pause) => {
    const { ada, ids } = await having('Lea', 'Kim', 'Noa');
    const button = ada.button('End chat');
    await ada.isSteady();
    await button.click({ trial: true });
    const { x, y, width, height } = (await button.boundingBox())!;
    // The page's own timers run in order, however slow the machine is.
    await ada.page.evaluate(`new Promise((done) => {
      const press = () => document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.closest('button')?.click();
      press();
      setTimeout(() => done(press()), ${pause});
    })`);
    await eventually(
      () => owner(ids[0]!),
      (is) => is === 'NOBODY',
    );
    await ada.isSteady();
    expect([await owner(ids[1]!), await owner(ids[2]!)]).toEqual(['AGENT', 'AGENT']);
  });

  it('letters do nothing when the field is removed before the first one is typed', async () => {
    const { ada, ids, client } = await having('Lea');
    const sam = await supervisor();
    await ada.composer.focus();
    await ada.pressOnceGone('.composer textarea', 'pne');
    await sam.client.post(`/chats/${ids[0]}/transfer`, { agentId: sam.id }).expect(200);
    await ada.page.getByText('Sam is handling this chat').waitFor();
    await ada.isSteady();
    expect(await ada.page.locator('.composer').count()).toBe(0);
    expect((await client.get('/session').expect(200)).body.agent.isAccepting).toBe(true);
  });

  it('a held key ends one chat', async () => {
    const { ada, ids } = await having('Lea', 'Kim', 'Noa', 'Tom');
    await ada.isSteady();
    for (let times = 0; times < 20; times++) {
      await ada.page.keyboard.down('e');
      await ada.page.waitForTimeout(50);
    }
    await ada.page.keyboard.up('e');
    await ada.isSteady();
    const owners = await Promise.all(ids.map(owner));
    expect(owners.filter((is) => is === 'NOBODY')).toHaveLength(1);
  });

  it('the same key again does nothing while the first is in flight, and the late answer leaves a busy page alone', async () => {
    const { ada, ids } = await having('Lea', 'Kim');
    const release = await holdAnswers(ada, '**/close');
    await ada.isSteady();
    for (let times = 0; times < 3; times++) await ada.page.keyboard.press('e');
    await ada.composer.fill('I go on writing here');
    release();
    await ada.isTold(/Lea ended|with Lea/);
    expect(new URL(ada.page.url()).pathname).toContain(ids[0]);
    expect(await ada.composer.inputValue()).toBe('I go on writing here');
    expect(await owner(ids[1]!)).toBe('AGENT');
  });

  it('a late claim offers the chat to an agent who writes in another one', async () => {
    const { ada, ids } = await having('Lea');
    const waiting = await anotherChat(stage, 'Will', 'Refund');
    await ada.goTo(waiting);
    const release = await holdAnswers(ada, '**/claim');
    await isSteadyFoot(ada);
    await ada.page.keyboard.press('c');
    await ada.page.getByRole('link', { name: /^Mine/ }).click();
    await ada.rows.filter({ hasText: 'Lea' }).click();
    await ada.page.getByLabel('Message to Lea').fill('I am answering you');
    release();
    await ada.isTold('You have the chat with Will now');
    expect(new URL(ada.page.url()).pathname).toContain(ids[0]);
    await ada.page.keyboard.type(', Lea');
    expect(await ada.composer.inputValue()).toBe('I am answering you, Lea');
    await ada.button('Open').click();
    await ada.page.getByLabel('Message to Will').waitFor();
  });

  const isSteadyFoot = (ada: Desk) => ada.page.locator('.belonging .primary[aria-disabled=false]').waitFor();

  it('taking a chat puts the cursor into its field', async () => {
    const ada = await Desk.open(stage);
    const waiting = await anotherChat(stage, 'Will', 'Refund');
    await ada.goTo(waiting);
    await isSteadyFoot(ada);
    await ada.page.keyboard.press('c');
    await ada.page.locator('textarea:focus[aria-label="Message to Will"]').waitFor();
  });

  it("a title that is being typed stays in its chat, and a bot's title doesn't overwrite it", async () => {
    const { ada, ids } = await having('Lea', 'Kim');
    const title = ada.page.getByLabel('Title', { exact: true });
    await title.click();
    await ada.page.keyboard.type('My own tit');
    await stage.tenant.bot.patch(`/chats/${ids[0]}`, { title: 'Bot title' }).expect(200);
    await ada.rows.filter({ hasText: 'Lea' }).first().waitFor();
    await ada.page.keyboard.type('le');
    expect(await title.inputValue()).toBe('My own title');
    await ada.rows.filter({ hasText: 'Kim' }).click();
    const titleOf = async (id: string) => (await stage.tenant.bot.get(`/chats/${id}`).expect(200)).body.title;
    await eventually(
      () => titleOf(ids[0]!),
      (is) => is === 'My own title',
    );
    expect(await titleOf(ids[1]!)).toBeNull();
  });

  it('a key for an offer that has just ended takes over no other chat', async () => {
    const ada = await Desk.open(stage);
    const { body } = await stage.tenant.admin.get('/groups').expect(200);
    const { body: chat } = await stage.tenant.admin.post('/chats', { visitor: { name: 'Bea' } }).expect(201);
    await stage.tenant.bot.post('/messages', { chatId: chat.id, content: 'Hello' }).expect(200);
    await stage.tenant.admin.patch(`/groups/${body.groups[0].id}`, { routing: 'OFFER' }).expect(200);
    const offered = await anotherChat(stage, 'Otto', 'Offered');
    await ada.goTo(chat.id, 'bot');
    await ada.page.locator('.offer').waitFor();
    await isSteadyFoot(ada);
    await ada.pressOnceGone('.offer', 'c');
    await stage.tenant.bot.post(`/chats/${offered}/return`, {}).expect(200);
    await ada.page.locator('.offer').waitFor({ state: 'detached' });
    await isSteadyFoot(ada);
    expect(await owner(chat.id)).toBe('BOT');
  });

  it("the profile dialog doesn't give an old name back", async () => {
    const ada = await Desk.open(stage);
    await ada.button('Account').click();
    await ada.page.getByRole('menuitem', { name: 'Your profile' }).click();
    await stage.tenant.admin.patch(`/agents/${ada.agentId}`, { name: 'Ada Renamed' }).expect(200);
    await ada.page.getByLabel(/Keep each message/).check();
    await ada.button('Save profile').click();
    await ada.isTold(/saved/i);
    const { body } = await stage.tenant.admin.get(`/agents/${ada.agentId}`).expect(200);
    expect(body.name).toBe('Ada Renamed');
  });

  it('an answer that could not be sent is announced, marked, and listed on every page and in every tab', async () => {
    const { ada, ids } = await having('Lea', 'Kim');
    const [chatId] = ids as [string];
    const sam = await supervisor();
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.composer.fill('Your refund is on its way');
    await ada.composer.press('Enter');
    await ada.page.getByText('Waiting for connection').waitFor();
    await ada.rows.filter({ hasText: 'Kim' }).click();
    await ada.page.getByLabel('Message to Kim').waitFor();
    await sam.client.post(`/chats/${chatId}/transfer`, { agentId: sam.id }).expect(200);
    stage.road.isCut = false;
    await ada.isTold(/Your answer to .+ wasn't sent/);
    const list = ada.button(/^Not sent/);
    await list.waitFor();
    const other = ada.inTab(await ada.visit.newTab(`${stage.road.url}/console/waiting`));
    await other.isLive();
    for (const desk of [ada, other]) {
      await desk.button(/^Not sent/).click();
      const dialog = desk.page.getByRole('dialog', { name: 'Answers that were not sent' });
      await dialog.getByText('Your refund is on its way').waitFor();
      await dialog.getByText('Lea').waitFor();
    }
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    for (const { page } of [ada, other]) await page.getByText('Every answer was sent.').waitFor();
    await list.waitFor({ state: 'detached' });
    expect(await messages(chatId)).not.toContain('Your refund is on its way');
  });

  it('Enter never sends a shortcut that no reply has, until it is pressed again', async () => {
    const { ada, ids } = await having('Lea');
    await ada.composer.fill('/helo');
    await ada.composer.press('Enter');
    await ada.page.getByText('No canned reply is called /helo').waitFor();
    expect(await ada.composer.inputValue()).toBe('/helo');
    await ada.composer.press('Enter');
    await ada.sees('/helo');
    await ada.page.locator('.message.pending').waitFor({ state: 'detached' });
    expect((await messages(ids[0]!)).filter((content) => content.startsWith('/'))).toEqual(['/helo']);
  });

  it('people are mentioned where the caret is', async () => {
    const { ada } = await having('Lea');
    await makeAgent(stage, { name: 'Sam Super' });
    await ada.page.keyboard.press('n');
    await ada.composer.fill('ask  please');
    for (let times = 0; times < ' please'.length; times++) await ada.page.keyboard.press('ArrowLeft');
    await ada.page.keyboard.type('@Sa');
    await ada.page.getByRole('option', { name: /Sam Super/ }).waitFor();
    await ada.page.keyboard.press('Enter');
    expect(await ada.composer.inputValue()).toBe('ask @Sam Super  please');
    await ada.page.keyboard.type('now');
    expect(await ada.composer.inputValue()).toBe('ask @Sam Super now please');
  });

  it('an action that follows a message waits until what was written since is sent too', async () => {
    const { ada, ids } = await withGoodbye('Lea', 'Kim');
    const release = await holdAnswers(ada, `**/api/agent/chats/${ids[0]}`);
    await ada.composer.press('Enter');
    await ada.sees('Goodbye!');
    await ada.composer.fill('PS: keep the receipt');
    release();
    await ada.page.locator('.macro').waitFor();
    expect([await owner(ids[0]!), await ada.composer.inputValue()]).toEqual(['AGENT', 'PS: keep the receipt']);
    await ada.composer.press('Enter');
    await eventually(
      () => owner(ids[0]!),
      (is) => is === 'NOBODY',
    );
  });

  it('an action that follows a message moves no page whose agent has begun a note since', async () => {
    const { ada, ids } = await withGoodbye('Lea', 'Kim');
    const release = await holdAnswers(ada, `**/api/agent/chats/${ids[0]}`);
    await ada.composer.press('Enter');
    await ada.sees('Goodbye!');
    await ada.page.keyboard.press('Escape');
    await ada.page.keyboard.press('n');
    await ada.composer.fill('She will ask for');
    release();
    await eventually(
      () => owner(ids[0]!),
      (is) => is === 'NOBODY',
    );
    await ada.isTold(/ended/i);
    expect([await ada.composer.inputValue(), ada.page.url()]).toEqual([
      'She will ask for',
      expect.stringContaining(ids[0]!),
    ]);
  });

  it('no way to send sends a shortcut: the button and Ctrl+Shift+Enter insert its reply, and a lone slash needs two', async () => {
    const { ada, ids } = await having('Lea');
    const sue = await stage.parley.signInAgent(stage.tenant, { name: 'Sue', role: 'SUPERVISOR' });
    await sue.client.post('/replies', { shortcut: 'hello', content: 'Good morning!' }).expect(201);
    await ada.page.reload();
    const type = async (words: string) => {
      await ada.composer.fill(words);
      await ada.page.getByRole('option').first().waitFor();
    };
    await type('/hel');
    await ada.button('Send').click();
    expect(await ada.composer.inputValue()).toBe('Good morning!');
    await type('/hello');
    await ada.composer.press('Control+Shift+Enter');
    expect(await ada.composer.inputValue()).toBe('Good morning!');
    await ada.composer.fill('/xyz');
    await ada.button('Send').click();
    await ada.page.getByText('No canned reply is called /xyz').waitFor();
    expect([await owner(ids[0]!), await messages(ids[0]!)]).toEqual(['AGENT', expect.not.arrayContaining(['/xyz'])]);
    expect((await messages(ids[0]!)).some((content) => content.startsWith('/'))).toBe(false);
  });

  it('a chat that a message moves is no news to the one who sent it', async () => {
    const { ada, ids } = await withGoodbye('Lea', 'Kim');
    await ada.composer.press('Enter');
    await eventually(
      () => owner(ids[0]!),
      (is) => is === 'NOBODY',
    );
    await ada.isTold(/ended/i);
    expect(await ada.page.getByText(/is no longer yours/).count()).toBe(0);
  });

  it('two clicks on Delete delete one answer, and the other one stays in the list', async () => {
    const { ada, ids } = await having('Lea', 'Kim');
    const sam = await supervisor();
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    for (const words of ['The first', 'The second']) {
      await ada.composer.fill(words);
      await ada.composer.press('Enter');
    }
    await ada.page.getByText('Waiting for connection').nth(1).waitFor();
    await sam.client.post(`/chats/${ids[0]}/transfer`, { agentId: sam.id }).expect(200);
    stage.road.isCut = false;
    await ada.button(/^Not sent/).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Answers that were not sent' });
    await dialog.getByText('The second').waitFor();
    const { x, y } = (await dialog.getByRole('button', { name: 'Delete' }).first().boundingBox())!;
    await ada.page.evaluate(`new Promise((done) => {
      const press = () => document.elementFromPoint(${x + 5}, ${y + 5})?.closest('button')?.click();
      press();
      setTimeout(() => done(press()), 50);
    })`);
    await dialog.getByText('The first').waitFor({ state: 'detached' });
    expect(await dialog.getByText('The second').count()).toBe(1);
  });

  it('blocking stays with the visitor who was to be blocked', async () => {
    const { ada } = await having('Lea', 'Kim');
    await ada.button('Block visitor').waitFor();
    await ada.rows.filter({ hasText: 'Kim' }).click();
    await ada.page.getByLabel('Message to Kim').waitFor();
    await ada.button('Block visitor').click();
    await ada.page.getByRole('dialog', { name: /^Block Kim/ }).waitFor();
    await ada.page.goBack();
    await ada.page.getByLabel('Message to Lea').waitFor();
    expect(await ada.page.getByRole('dialog').count()).toBe(0);
  });

  it('a note that could not be saved comes back in front of the words, and leaves the caret in them', async () => {
    const { ada, ids } = await having('Lea');
    await ada.page.keyboard.press('n');
    let refuse!: () => void;
    const isRefused = new Promise<void>((resolve) => (refuse = resolve));
    await ada.page.route(`**/api/agent/chats/${ids[0]}/notes`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await isRefused;
      const body = { type: 'about:blank', title: 'Bad request', status: 400, code: 'validation_failed', detail: 'no' };
      return route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(body) });
    });
    await ada.composer.fill('The first note');
    await ada.composer.press('Enter');
    await eventually(
      () => ada.composer.inputValue(),
      (value) => value === '',
    );
    await ada.page.keyboard.type('ask sales');
    for (let times = 0; times < ' sales'.length; times++) await ada.page.keyboard.press('ArrowLeft');
    refuse();
    await eventually(
      () => ada.composer.inputValue(),
      (value) => value.includes('The first note'),
    );
    await ada.page.keyboard.type(' Ben and');
    expect(await ada.composer.inputValue()).toBe('The first note\nask Ben and sales');
  });

  it('after a transfer the next chat of the list opens', async () => {
    const { ada, ids } = await having('Lea', 'Kim');
    await ada.isSteady();
    await ada.page.keyboard.press('t');
    await ada.page.getByLabel('General').check();
    await ada.button('Transfer to General').click();
    await ada.isTold(/^Transferred/);
    await ada.page.getByLabel('Message to Kim').waitFor();
    expect(ada.page.url()).toContain(ids[1]!);
  });
});
