import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { type Desk, deskWithChats, makeAgent } from './support/desk.js';
import { Stage } from './support/stage.js';

type Client = Awaited<ReturnType<typeof deskWithChats>>['client'];

describe('what an agent wrote in the console', () => {
  const stage = Stage.set();

  const having = (...names: string[]) => deskWithChats(stage, names);
  const notesOf = async (client: Client, chatId: string): Promise<string[]> =>
    (await client.get(`/chats/${chatId}/notes`).expect(200)).body.notes.map(
      ({ content }: { content: string }) => content,
    );

  const kept = (ada: Desk) => ada.page.evaluate<string>('JSON.stringify(localStorage)');
  const erase = async (client: Client, chatId: string) => {
    const { body } = await client.get(`/chats/${chatId}`).expect(200);
    await stage.tenant.admin.delete(`/visitors/${body.visitor.id}`).expect(204);
  };

  it('a note is stored once, even if the answer of saving it was lost', async () => {
    const { ada, ids, client } = await having('Lea');
    await ada.page.route(
      '**/notes',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await ada.page.keyboard.press('n');
    await ada.composer.fill('Knows the answer');
    await ada.composer.press('Enter');
    await ada.page.locator('.note-line.saving').getByText('Knows the answer').waitFor();
    await ada.page.locator('.note-line:not(.saving)').getByText('Knows the answer').waitFor();
    await ada.page.locator('.note-line.saving').waitFor({ state: 'detached' });
    expect(await ada.composer.inputValue()).toBe('');
    expect(await notesOf(client, ids[0]!)).toEqual(['Knows the answer']);
  });

  it('a note goes back into its field if the page was closed before it was saved', async () => {
    const { ada, ids, client } = await having('Lea', 'Kim');
    let count = 0;
    await ada.page.route('**/notes', (route) =>
      route.request().method() === 'POST' ? void count++ : route.fallback(),
    );
    await ada.page.keyboard.press('n');
    await ada.composer.fill('Half a note');
    await ada.composer.press('Enter');
    await eventually(
      () => count,
      (asked) => asked === 1,
    );
    await ada.goTo(ids[1]!, 'mine');
    await ada.isTold("Your note about Lea wasn't saved");
    await ada.page.locator('.notice').getByRole('button', { name: 'Open' }).click();
    await ada.page.locator('.composer').getByRole('button', { name: 'Note', exact: true }).click();
    await eventually(
      () => ada.composer.inputValue(),
      (value) => value === 'Half a note',
    );
    expect(await notesOf(client, ids[0]!)).toEqual([]);
  });

  it('a title stays in its field until it is saved', async () => {
    const { ada, ids, client } = await having('Lea', 'Kim');
    await ada.page.setViewportSize({ width: 1440, height: 900 });
    const title = ada.page.getByRole('textbox', { name: 'Title' });
    await ada.page.route(`**/api/agent/chats/${ids[0]}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    );
    await title.fill('Refund of 149 EUR');
    await title.press('Enter');
    await ada.page.getByText('Not saved.').waitFor();
    await ada.rows.filter({ hasText: 'Kim' }).click();
    await ada.page.getByLabel('Message to Kim').waitFor();
    expect(await title.inputValue()).toBe('');
    await ada.page.goBack();
    await ada.page.getByLabel('Message to Lea').waitFor();
    expect(await title.inputValue()).toBe('Refund of 149 EUR');
    await ada.page.unroute(`**/api/agent/chats/${ids[0]}`);
    await ada.page.locator('.title-unsaved').getByRole('button', { name: 'Try again' }).click();
    await ada.page.getByText('Not saved.').waitFor({ state: 'detached' });
    expect((await client.get(`/chats/${ids[0]}`).expect(200)).body.title).toBe('Refund of 149 EUR');
    expect(await title.inputValue()).toBe('Refund of 149 EUR');
  });

  it('an answer does not reopen a chat that its visitor ended while the connection was lost', async () => {
    const { ada, ids } = await having('Lea');
    const { admin, bot } = stage.tenant;
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.composer.fill('A late answer');
    await ada.composer.press('Enter');
    await ada.page.getByText('Waiting for connection').waitFor();
    await admin.patch(`/chats/${ids[0]}`, { status: 'CLOSED' }).expect(200);
    stage.road.isCut = false;
    await ada.page.locator('.message.failed').getByText('This chat has ended').waitFor();
    const status = async () => (await bot.get(`/chats/${ids[0]}`).expect(200)).body.status;
    expect(await status()).toBe('CLOSED');
    await ada.button('Send again').click();
    await eventually(status, (is) => is === 'ACTIVE');
  });

  it('a draft keeps the action of its canned reply after a reload, and says when its group no longer exists', async () => {
    const { ada, ids } = await having('Lea', 'Kim');
    const { admin, bot } = stage.tenant;
    const { body: group } = await admin.post('/groups', { name: 'Refunds' }).expect(201);
    const { id } = await makeAgent(stage, { name: 'Sue', role: 'SUPERVISOR' });
    const sue = await stage.parley.signInAgain(stage.tenant, id);
    const reply = { content: 'Goodbye!', action: 'TRANSFER', actionGroupId: group.id };
    await sue.client.post('/replies', { shortcut: 'bye', ...reply }).expect(201);
    await ada.page.reload();
    await ada.composer.fill('/bye');
    await ada.page.getByRole('option').first().waitFor();
    await ada.composer.press('Enter');
    await ada.page.locator('.macro').getByText('Transfers to Refunds').waitFor();
    await ada.page.reload();
    await ada.page.locator('.macro').waitFor();
    expect(await ada.composer.inputValue()).toBe('Goodbye!');
    await admin.delete(`/groups/${group.id}`).expect(204);
    await ada.composer.press('Enter');
    await ada.isTold(/^The message was sent, but the group/);
    expect((await bot.get(`/chats/${ids[0]}`).expect(200)).body.owner).toBe('AGENT');
  });

  it('nothing is changed by a click on a notice that has just appeared under the pointer', async () => {
    const { ada, ids } = await having('Lea', 'Kim');
    const { bot } = stage.tenant;
    const clicks = `new MutationObserver(() => {
      const button = document.querySelector('.notice button');
      if (!button || window.isClicked) return;
      window.isClicked = true;
      button.click();
    }).observe(document.body, { subtree: true, childList: true })`;
    await ada.page.evaluate(clicks);
    await ada.page.keyboard.press('e');
    await ada.isTold('Chat with Lea ended');
    await ada.page.waitForFunction('window.isClicked');
    const undo = ada.page.locator('.notice').getByRole('button', { name: 'Undo' });
    await undo.and(ada.page.locator('[aria-disabled=false]')).waitFor();
    const owner = async () => (await bot.get(`/chats/${ids[0]}`).expect(200)).body.owner;
    expect(await owner()).toBe('NOBODY');
    await ada.page.keyboard.press('z');
    await eventually(owner, (is) => is === 'AGENT');
  });

  it("an erased visitor's drafts leave the browser, even when the page was closed", async () => {
    const { ada, ids, client } = await having('Lea', 'Kim');
    await ada.goTo(ids[1]!, 'mine');
    await ada.composer.fill('Dear Kim Unlikely');
    await ada.goTo(ids[0]!, 'mine');
    await ada.composer.fill('Dear Lea Improbable');
    expect(await kept(ada)).toContain('Lea Improbable');
    await erase(client, ids[0]!);
    await eventually(
      () => kept(ada),
      (all) => !all.includes('Lea Improbable'),
    );
    expect(await kept(ada)).toContain('Kim Unlikely');

    // The page was closed while the other one was erased, two days after its draft.
    await ada.page.evaluate(`{
      const name = Object.keys(localStorage).find((one) => one.endsWith('message:${ids[1]}'));
      const at = Date.now() - 2 * 86_400_000;
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), at }));
    }`);
    await ada.page.goto('about:blank');
    await erase(client, ids[1]!);
    await ada.page.goto(`${stage.road.url}/console`);
    await eventually(
      () => kept(ada),
      (all) => !all.includes('Kim Unlikely'),
    );
  });

  it("answers to an erased visitor that weren't sent leave the browser", async () => {
    const { ada, ids, client } = await having('Lea', 'Kim');
    const { id } = await makeAgent(stage, { name: 'Sam', role: 'SUPERVISOR' });
    const sam = await stage.parley.signInAgain(stage.tenant, id);
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.composer.fill('Dear Lea Improbable');
    await ada.composer.press('Enter');
    await ada.page.getByText('Waiting for connection').waitFor();
    await sam.client.post(`/chats/${ids[0]}/transfer`, { agentId: id }).expect(200);
    stage.road.isCut = false;
    await ada.button(/^Not sent/).waitFor();
    await ada.page.locator('.connection p').waitFor({ state: 'detached' });
    await erase(client, ids[0]!);
    await ada.button(/^Not sent/).waitFor({ state: 'detached' });
    expect(await kept(ada)).not.toContain('Lea Improbable');

    // Another one is erased while no page is open.
    await ada.goTo(ids[1]!, 'mine');
    stage.road.cut();
    await ada.page.getByText('Reconnecting…').waitFor();
    await ada.composer.fill('Dear Kim Unlikely');
    await ada.composer.press('Enter');
    await ada.page.getByText('Waiting for connection').waitFor();
    await ada.page.goto('about:blank');
    stage.road.isCut = false;
    await ada.page.goto(`${stage.road.url}/health/live`);
    await ada.page.evaluate(`{
      const name = Object.keys(localStorage).find((one) => one.endsWith(':outbox'));
      const createdAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
      const old = JSON.parse(localStorage.getItem(name)).map((one) => ({ ...one, createdAt }));
      localStorage.setItem(name, JSON.stringify(old));
    }`);
    await erase(client, ids[1]!);
    expect(await kept(ada)).toContain('Kim Unlikely');
    await ada.page.goto(`${stage.road.url}/console`);
    await eventually(
      () => kept(ada),
      (all) => !all.includes('Kim Unlikely'),
    );
  });
});
