import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import type { NewAgent, SignedInAgent, Tenant } from '../../support/parley.js';
import type { Stage } from './stage.js';
import type { Visit } from './visit.js';

const PASSWORD = 'correct horse battery';

/** An agent with the console open, with elements by their accessible names. */
export class Desk {
  private constructor(
    readonly visit: Visit,
    readonly agentId: string,
    readonly email: string,
  ) {}

  /** Creates an agent of the default group, signed in by a link. */
  static async open(stage: Stage, fields: NewAgent = {}, options: BrowserContextOptions = {}): Promise<Desk> {
    const { id, email } = await makeAgent(stage, fields);
    const link = `${stage.road.url}/console/link#${await stage.parley.mintLink(stage.tenant, id)}`;
    return Desk.enter(await stage.visit(options, link), { id, email });
  }

  /** An agent who has opened an invitation's link, and sets no password. */
  static async enter(visit: Visit, { id, email }: { id: string; email: string }): Promise<Desk> {
    await visit.page.getByRole('button', { name: 'Skip for now' }).click();
    const desk = new Desk(visit, id, email);
    await desk.isLive();
    return desk;
  }

  /** The same agent in another tab. */
  inTab(visit: Visit): Desk {
    return new Desk(visit, this.agentId, this.email);
  }

  get page() {
    return this.visit.page;
  }

  /** The list's rows, by their text. */
  get rows(): Locator {
    return this.page.locator('.row');
  }

  get composer(): Locator {
    return this.page.locator('.composer').getByRole('textbox');
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** Waits until everything is loaded and no warning is shown. */
  async isLive(): Promise<void> {
    await this.page.locator('.desk').waitFor();
    await this.page.locator('.rows[aria-busy=false]').waitFor();
  }

  /** Opens a chat by its URL. */
  async goTo(chatId: string, view = 'waiting'): Promise<void> {
    const [service] = this.page.url().split('/console');
    await this.page.goto(`${service}/console/${view}/${chatId}`);
    await this.page.locator('.chat-head').waitFor();
  }

  /** Writes a message, and waits until it's stored. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await this.sees(text);
    // Also an earlier message, which a page that opens again sends again.
    await this.page.locator('.message.pending').first().waitFor({ state: 'detached' });
  }

  /** Waits until keys and clicks act on the chat, or the offer, that has appeared. */
  async isSteady(part: '.chat' | '.offer' = '.chat'): Promise<void> {
    await this.page.locator(`${part} button[aria-disabled=false]`).first().waitFor();
  }

  /** Waits until the actions of all notices work. */
  async areNoticesSteady(): Promise<void> {
    await this.page.locator('.notices button[aria-disabled=false]').last().waitFor();
    await this.page.locator('.notices button[aria-disabled=true]').first().waitFor({ state: 'detached' });
  }

  /** Presses keys in the page immediately when an element is removed. Keys of the test's own come later on a slow machine. */
  pressOnceGone(selector: string, keys: string): Promise<void> {
    return this.page.evaluate(`new MutationObserver((_changes, observer) => {
      if (document.querySelector('${selector}')) return;
      observer.disconnect();
      for (const key of '${keys}')
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }).observe(document.body, { subtree: true, childList: true })`);
  }

  /** Leaves the field, so that letters are keys of the page again. */
  async leaveField(): Promise<void> {
    await this.page.locator('textarea:focus').press('Escape');
    await this.isSteady();
  }

  /** Waits until a message or a note of the conversation has this text. */
  async sees(text: string): Promise<void> {
    await this.page.locator('.conversation .words').filter({ hasText: text }).first().waitFor();
  }

  /** Waits until the page shows this notice. */
  async isTold(text: string | RegExp): Promise<void> {
    await this.page.locator('.notices').getByText(text).waitFor();
  }
}

/** An agent of the default group. */
export async function makeAgent(
  { tenant }: { tenant: Tenant },
  fields: NewAgent = {},
): Promise<{ id: string; email: string }> {
  const { body } = await tenant.admin.get('/groups').expect(200);
  const groupIds = (body.groups as { id: string; isDefault: boolean }[])
    .filter(({ isDefault }) => isDefault)
    .map(({ id }) => id);
  const email = `${randomUUID()}@example.com`;
  const agent = { name: 'Ada', email, groupIds, ...fields };
  const { body: made } = await tenant.admin.post('/agents', agent).expect(201);
  return { id: made.id as string, email };
}

/** Gives an agent a password, and returns it. */
export async function givePassword(stage: Stage, agentId: string): Promise<string> {
  await stage.parley.signInAgain(stage.tenant, agentId, PASSWORD);
  return PASSWORD;
}

/** A chat whose visitor has written, and that waits for an agent. */
export async function waitingChat(stage: Stage, words = 'I need a person', transfer: object = {}): Promise<string> {
  const { chatId, visitorToken } = stage.tenant;
  await stage.parley.visitor(visitorToken).post(`/chats/${chatId}/messages`, { content: words }).expect(201);
  await stage.tenant.bot.post('/transfer', { chatId, ...transfer }).expect(200);
  return chatId;
}

/** A waiting chat of another visitor. */
export async function anotherChat({ tenant }: Pick<Stage, 'tenant'>, name: string, words: string): Promise<string> {
  const { body: chat } = await tenant.admin.post('/chats', { visitor: { name } }).expect(201);
  await tenant.bot.post('/messages', { chatId: chat.id, content: words }).expect(200);
  await tenant.bot.post('/transfer', { chatId: chat.id }).expect(200);
  return chat.id as string;
}

/** An agent with the chats of these visitors, who has opened the first. */
export async function deskWithChats(
  stage: Stage,
  names: readonly string[],
  fields: NewAgent = {},
  options: BrowserContextOptions = {},
): Promise<{ ada: Desk; ids: string[]; client: SignedInAgent['client'] }> {
  const ada = await Desk.open(stage, fields, options);
  const { client } = await stage.parley.signInAgain(stage.tenant, ada.agentId);
  const ids: string[] = [];
  for (const name of names) {
    const id = await anotherChat(stage, name, 'Help');
    await client.post(`/chats/${id}/claim`).expect(200);
    ids.push(id);
  }
  await ada.goTo(ids[0]!, 'mine');
  await ada.rows.nth(names.length - 1).waitFor();
  return { ada, ids, client };
}
