import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Chat, CoreClient } from '../../widget/client/types.js';
import { createValue } from '../../headless/observable.js';
import { report } from '../../widget/facts/facts.js';
import type { Host } from '../../widget/types.js';

describe('what tabs report to analytics', () => {
  const browser = globalThis as Record<string, unknown>;
  let storage: Record<string, string>;
  let facts: string[];

  beforeEach(() => {
    storage = {};
    facts = [];
    Object.assign(browser, { localStorage: storage, self: { navigator: {} } });
  });
  afterEach(() => {
    delete browser.localStorage;
    delete browser.self;
  });

  const state = (more: object = {}) => ({ id: 'cht_1', messageCount: 1, owner: 'BOT', ...more }) as Chat;
  /** A tab that has the chat open. */
  const open = (first: Chat) => {
    const chat = createValue<Chat | null>(first);
    const emit = (event: string, { score = '' }: { score?: number | string }) =>
      void facts.push([event, score].join(' ').trim());
    report({ emit } as unknown as Host, { chat } as unknown as CoreClient, first);
    return (next: Chat | null) => chat.set(next);
  };

  it('a tab that learns later, with more messages, reports nothing again', () => {
    const [shown, suspended] = [open(state()), open(state())];
    const assignedTo = { id: 'agt_1', name: 'Ada' };
    shown(state({ messageCount: 5, owner: 'AGENT', assignedTo }));
    shown(state({ messageCount: 6, owner: 'NOBODY', assignedTo }));
    suspended(state({ messageCount: 9, owner: 'NOBODY', assignedTo }));
    expect(facts).toEqual(['person.joined', 'chat.ended']);
  });

  it('a chat that begins is reported once, although the other tab leaves its own first', () => {
    const [own, other] = [open(state()), open(state())];
    own(null);
    own(state({ id: 'cht_2', messageCount: 0 }));
    other(null);
    other(state({ id: 'cht_2', messageCount: 0 }));
    expect(facts).toEqual(['chat.started']);
  });

  it('a rating that is changed back is reported each time, by one tab', () => {
    const tabs = [open(state()), open(state())];
    for (const score of [5, 4, 5]) for (const tab of tabs) tab(state({ rating: { score } }));
    expect(facts).toEqual(['chat.rated 5', 'chat.rated 4', 'chat.rated 5']);
  });

  it('a chat that ends again after it was reopened is reported again', () => {
    const tab = open(state());
    tab(state({ messageCount: 2, owner: 'NOBODY' }));
    tab(state({ messageCount: 4 }));
    tab(state({ messageCount: 5, owner: 'NOBODY' }));
    expect(facts).toEqual(['chat.ended', 'chat.ended']);
  });

  it('what a chat had when a page opened it is not reported, and what comes then is', () => {
    const tab = open(state({ messageCount: 7, owner: 'QUEUE' }));
    tab(state({ messageCount: 8, owner: 'AGENT', assignedTo: { id: 'agt_1', name: 'Ada' } }));
    expect(facts).toEqual(['person.joined']);
  });
});
