import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import type { Message } from '../../widget/client/types.js';
import type { Strings } from '../../widget/locales/en.js';
import { systemWords } from '../../widget/panel/conversation/senders.js';

const LANGUAGES = readdirSync(new URL('../../widget/locales/', import.meta.url)).map((name) => name.replace('.ts', ''));
const stringsOf = async (language: string): Promise<Strings> =>
  ((await import(`../../widget/locales/${language}.ts`)) as Record<string, Strings>)[language.replace('-', '')]!;

const line = (reason?: string) =>
  ({
    content: 'in English',
    metadata: { event: 'chat.transferred', groupName: 'Sales', reason },
  }) as unknown as Message;

describe('the line about a bot that is silent', () => {
  it.each(LANGUAGES)('the visitor reads why the chat moved, and whom they wait for, in %s', async (language) => {
    const strings = await stringsOf(language);
    for (const reason of ['bot_silent', 'bot_unanswered', 'bot_failed'])
      expect(systemWords(line(reason), strings)).toEqual({
        template: `${strings.botSilent} ${strings.waiting}`,
        names: { groupName: 'Sales', name: '' },
      });
    expect(strings.botSilent.length).toBeGreaterThan(5);
    for (const reason of [undefined, 'wants a refund', 'bot_silently'])
      expect(systemWords(line(reason), strings).template).toBe(strings.waiting);
  });
});
