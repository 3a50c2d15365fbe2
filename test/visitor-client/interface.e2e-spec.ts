import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  fill,
  isMarkdown,
  languages,
  loadWords,
  openChoices,
  optionsOf,
  parseMarkdown,
  readSettings,
  systemWords,
} from 'parley/visitor';
import { ClientsOnRoad, until } from '../support/observing.js';
import { Parley, type Tenant } from '../support/parley.js';

describe("what an interface of one's own needs", () => {
  let parley: Parley;
  let tenant: Tenant;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    tenant = await parley.createTenant();
  });

  it('the settings of the organization are read with the key, and an unknown key is rejected', async () => {
    await tenant.admin.patch('/widget', { greeting: 'Hello', messageRating: true }).expect(200);
    const settings = await readSettings({ url: `${parley.url}/`, widgetKey: tenant.widgetKey });
    expect(settings).toMatchObject({ greeting: 'Hello', messageRating: true, rating: false });
    const unknown = readSettings({ url: parley.url, widgetKey: 'prl_wk_unknown' });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });

  it('words are loaded in twelve languages, by the language of a tag, and in English for others', async () => {
    const all = await Promise.all(languages.map(loadWords));
    expect(all.map(({ language }) => language)).toEqual([...languages]);
    expect((await loadWords('pt-BR')).language).toBe('pt');
    expect((await loadWords('fi')).language).toBe('en');
    expect((await loadWords('constructor')).language).toBe('en');
    expect((await loadWords()).language).toBe('en');
  });

  it('system messages, Markdown, and choices are drawn without the widget', async () => {
    const clients = await ClientsOnRoad.to(parley.url, tenant);
    const client = clients.connect();
    const { id: chatId } = await client.openChat();
    const options = [{ label: 'Yes', value: 'y' }];
    await tenant.bot.post('/messages', { chatId, content: '**Ready**?', type: 'QUICK_REPLY', metadata: { options } });
    await tenant.bot.post('/transfer', { chatId }).expect(200);
    const [question, moved] = await until(client.messages, ({ length }) => length === 2);
    expect(isMarkdown(question!)).toBe(true);
    expect(parseMarkdown(question!.content)).toEqual([
      { type: 'paragraph', children: [{ type: 'strong', children: ['Ready'] }, '?'] },
    ]);
    expect(openChoices(client.messages.value, client.pending.value)).toBe(question);
    expect(optionsOf(question!)).toEqual(options);
    const { template, names } = systemWords(moved!, await loadWords('de-AT'));
    expect(fill(template, names)).toBe('Sie warten auf General');
    await clients.close();
  });
});
