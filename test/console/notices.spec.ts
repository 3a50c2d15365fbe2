import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { forgetNotices, notices, notify, notifyWith } from '../../console/state/notices.js';

describe('notices', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    forgetNotices();
    jest.useRealTimers();
  });

  const texts = () => notices.value.map(({ text }) => text);
  const undo = { name: 'Undo', run: () => undefined };

  it('a notice replaces an earlier one with the same text', () => {
    notify('Saved');
    notify('Saved');
    expect(texts()).toEqual(['Saved']);
  });

  it('notices keep the actions for two chats apart, even if both visitors have the same name', () => {
    notifyWith('Chat with Vera ended', undo, { key: 'cht_1' });
    notifyWith('Chat with Vera ended', undo, { key: 'cht_2' });
    notifyWith('Chat with Vera ended', undo, { key: 'cht_2' });
    expect(texts()).toHaveLength(2);
  });

  it('notices are removed when the agent signs out', () => {
    notifyWith('Missed offer: Vera', undo);
    forgetNotices();
    expect(texts()).toEqual([]);
  });
});
