import type { SignedInAgent } from '../../../support/parley.js';
import { anotherChat } from '../../support/desk.js';
import type { Stage } from '../../support/stage.js';
import { LONG_NAME, NAMES, OPTIONS, TORTURE } from './torture.js';

/** An organization with one of everything, with the longest possible names. */
export class Furnished {
  private constructor(
    private readonly stage: Stage,
    readonly groupId: string,
    readonly colleague: SignedInAgent,
    /** The administration's detail pages. */
    readonly pages: Record<'person' | 'group' | 'bot' | 'webhook' | 'visitor', string>,
  ) {}

  static async make(stage: Stage): Promise<Furnished> {
    const { admin, bot } = stage.tenant;
    await admin.patch('', { name: LONG_NAME }).expect(200);
    const { body: group } = await admin.post('/groups', { name: LONG_NAME }).expect(201);
    for (const name of Object.values(NAMES)) await admin.post('/groups', { name }).expect(201);
    const { body: made } = await admin.post('/bots', { name: LONG_NAME }).expect(201);
    await admin.post(`/bots/${made.id}/tokens`, { name: LONG_NAME }).expect(201);
    const { body: webhook } = await admin.post('/webhooks', { url: TORTURE.link }).expect(201);
    const colleague = await stage.parley.signInAgent(stage.tenant, {
      name: LONG_NAME,
      role: 'SUPERVISOR',
      groupIds: [group.id],
    });
    for (const [index, name] of Object.values(NAMES).entries())
      await stage.parley.signInAgent(stage.tenant, { name, role: index % 2 ? 'AGENT' : 'ADMIN', groupIds: [group.id] });
    await colleague.client
      .post('/replies', { shortcut: 'rueckgabebedingungen-und-widerrufsrecht', content: TORTURE.word.slice(0, 600) })
      .expect(201);
    await colleague.client.post('/replies', { shortcut: 'hallo', content: TORTURE.arabic }).expect(201);
    const { body: chat } = await admin
      .post('/chats', { visitor: { name: LONG_NAME, email: `${'a'.repeat(60)}@example.com` } })
      .expect(201);
    await bot.post('/messages', { chatId: chat.id, content: TORTURE.lists }).expect(200);
    return new Furnished(stage, group.id, colleague, {
      person: `people/${colleague.id}`,
      group: `groups/${group.id}`,
      bot: `bots/${made.id}`,
      webhook: `webhooks/${webhook.id}`,
      visitor: `visitors/${chat.visitor.id}`,
    });
  }

  /** A chat that waits in the group with the longest name. */
  async waiting(name: string = LONG_NAME, content: string = TORTURE.lists): Promise<string> {
    const { admin, bot } = this.stage.tenant;
    const { body: chat } = await admin
      .post('/chats', {
        visitor: { name, email: `${'a'.repeat(60)}@example.com` },
        metadata: { page: TORTURE.link, order: 7 },
      })
      .expect(201);
    await bot.post('/messages', { chatId: chat.id, content }).expect(200);
    await bot
      .post('/transfer', {
        chatId: chat.id,
        targetGroupId: this.groupId,
        reason: TORTURE.emoji,
        summary: TORTURE.lists,
      })
      .expect(200);
    return chat.id as string;
  }

  /** One chat for each state that a row can have. The colleague's chats have the longest name. */
  async rows(): Promise<void> {
    for (const name of Object.values(NAMES)) await this.waiting(name, TORTURE.word.slice(0, 2_000));
    for (const end of [false, true]) {
      const chatId = await this.waiting();
      await this.colleague.client.post(`/chats/${chatId}/claim`).expect(200);
      if (end) await this.colleague.client.post(`/chats/${chatId}/close`).expect(200);
    }
    await anotherChat(this.stage, 'Walter', 'Hello');
  }

  /** A visitor's open chat. An earlier one was answered and ended by the colleague, and rated by the visitor. */
  async second(): Promise<string> {
    const { tenant, parley } = this.stage;
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    const { body: session } = await parley.beginSession(tenant, { visitor: { name: LONG_NAME } }).expect(201);
    const visitor = parley.visitor(session.token);
    const begin = async () => (await visitor.post('/chats', {}).expect(201)).body.chat.id as string;
    const rated = await begin();
    const { client } = this.colleague;
    await client.post(`/chats/${rated}/claim`, {}).expect(200);
    await client.post(`/chats/${rated}/messages`, { content: TORTURE.lists }).expect(201);
    await client.post(`/chats/${rated}/close`, {}).expect(200);
    const comment = `${TORTURE.emoji} ${TORTURE.word.slice(0, 300)}`;
    await visitor.post(`/chats/${rated}/rating`, { score: 2, comment }).expect(200);
    return begin();
  }

  /** Blocks the visitor of a chat. */
  async block(chatId: string): Promise<void> {
    await this.colleague.client.put(`/chats/${chatId}/block`, { reason: TORTURE.emoji }).expect(200);
  }

  /** Lets all senders write all contents in a chat that the colleague has claimed. Returns the chat. */
  async conversation(): Promise<string> {
    const { bot } = this.stage.tenant;
    const chatId = await this.waiting();
    const { client } = this.colleague;
    await client.post(`/chats/${chatId}/claim`).expect(200);
    await client.post(`/chats/${chatId}/notes`, { content: TORTURE.word.slice(0, 300) }).expect(201);
    await this.say(chatId);
    await bot
      .post('/messages', { chatId, content: 'Wählen Sie', type: 'BUTTON', metadata: { options: OPTIONS } })
      .expect(200);
    await bot
      .post('/messages', { chatId, content: 'Und jetzt?', type: 'QUICK_REPLY', metadata: { options: OPTIONS } })
      .expect(200);
    return chatId;
  }

  /** The bot and the colleague send each of the contents. */
  async say(chatId: string): Promise<void> {
    for (const [index, content] of Object.values(TORTURE).entries()) {
      if (index % 2) await this.stage.tenant.bot.post('/messages', { chatId, content }).expect(200);
      else await this.colleague.client.post(`/chats/${chatId}/messages`, { content }).expect(201);
    }
  }
}
