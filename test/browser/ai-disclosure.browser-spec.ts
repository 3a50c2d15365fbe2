import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Tenant } from '../support/parley.js';
import { Stage } from './support/stage.js';
import type { Visit } from './support/visit.js';

const OWN = 'You are chatting with an AI, not with a person.';

describe('the disclosure of an AI in the widget', () => {
  const stage = Stage.set();
  let tenant: Tenant;
  let visit: Visit;

  const begin = async (words = 'Where is my order?') => {
    visit = await stage.visit();
    await visit.open();
    await visit.say(words);
  };
  beforeEach(() => void ({ tenant } = stage));
  afterEach(() => expect(visit.complaints).toEqual([]));

  const type = async (more: object = {}) =>
    tenant.bot.post(`/chats/${await stage.chatId()}/typing`, { isTyping: true, ...more }).expect(200);
  /** What stands in the conversation, in order. */
  const rows = () => visit.panel.locator('ol > .row').allInnerTexts();
  const told = (text = OWN) => visit.panel.locator('ol').getByText(text);
  const record = async () => (await tenant.admin.get(`/chats/${await stage.chatId()}`).expect(200)).body.aiDisclosure;

  it('it stands once, above the first message, and each message of the AI is marked', async () => {
    await begin();
    expect(await told().count()).toBe(0);
    await stage.say('It left this morning.');
    await visit.sees('Where is my order?', 'It left this morning.');
    await stage.say('It arrives tomorrow.');
    await visit.sees('Where is my order?', 'It left this morning.', 'It arrives tomorrow.');
    const [mine, disclosure, ...answers] = await rows();
    expect([mine, disclosure]).toEqual([expect.stringContaining('Where is my order?'), OWN]);
    expect(answers).toHaveLength(2);
    for (const name of await visit.panel.locator('.theirs .said > span').allTextContents())
      expect(name).toBe('Bot · AI: ');
    expect(await record()).toEqual({ text: OWN, locale: 'en', seq: 2 });
  });

  it('screen readers read it before the first message', async () => {
    await begin();
    await stage.say('It left this morning.');
    await stage.say('It arrives tomorrow.');
    const log = visit.panel.locator('[role=log] p');
    await log.nth(1).waitFor({ state: 'attached' });
    expect(await log.allTextContents()).toEqual([
      `${OWN} Bot · AI: It left this morning.`,
      'Bot · AI: It arrives tomorrow.',
    ]);
  });

  it.each([
    ['types', {}],
    ['shows what it writes', { text: 'It left' }],
  ])('it stands there while the AI only %s', async (_, more) => {
    await begin();
    await type(more);
    await told().waitFor();
    await stage.say('It left this morning.');
    await visit.sees('Where is my order?', 'It left this morning.');
    expect(await told().count()).toBe(1);
  });

  it("it has the organization's words in the page's language, and no text of the page hides it", async () => {
    const translations = { de: { aiDisclosure: { text: 'Hier antwortet eine Maschine.' } } };
    await tenant.admin
      .patch('/widget', { aiDisclosure: { text: 'A machine answers here.' }, translations })
      .expect(200);
    visit = await stage.visit();
    await visit.page.evaluate(`Parley('set', { locale: 'de-AT', strings: { ai: ' ', aiDisclosure: ' ' } })`);
    await visit.open();
    await visit.say('Hallo');
    await stage.say('Guten Tag!');
    await told('Hier antwortet eine Maschine.').waitFor();
    expect(await visit.panel.locator('.theirs .name').textContent()).toBe('Bot · KI: ');
    expect(await record()).toMatchObject({ text: 'Hier antwortet eine Maschine.', locale: 'de-AT' });
  });

  it("it has Parley's own words when the settings can't be read", async () => {
    visit = await stage.visit();
    await visit.page.route(/visitor\/widget\?/, (route) => void route.abort());
    await visit.page.reload();
    await visit.open();
    await visit.say('Hello');
    await stage.say('Good morning!');
    await told().waitFor();
    visit.complaints.splice(0);
  });

  it('a bot of fixed answers has none', async () => {
    await tenant.admin.patch(`/bots/${tenant.botId}`, { isAi: false }).expect(200);
    await begin();
    await type();
    await stage.say('Press 1.');
    await visit.sees('Where is my order?', 'Press 1.');
    expect(await told().count()).toBe(0);
    expect(await visit.panel.locator('.theirs .name').textContent()).toBe('Bot: ');
  });
});
