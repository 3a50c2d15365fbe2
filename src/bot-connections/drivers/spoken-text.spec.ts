import { describe, expect, it } from '@jest/globals';
import { beforeMarker, readMarker, withoutTeam, withoutThinking } from './spoken-text.js';

describe('the text of an endpoint', () => {
  it('what it thinks aloud at the beginning is left out', () => {
    expect(withoutThinking('<think>a\nb</think>\n\nHello')).toEqual({ text: 'Hello', isThinking: false });
    expect(withoutThinking('  <think>a')).toEqual({ text: '', isThinking: true });
    expect(withoutThinking('<thi')).toEqual({ text: '', isThinking: true });
    expect(withoutThinking('<b>')).toEqual({ text: '<b>', isThinking: false });
    expect(withoutThinking('Use <think> for it')).toEqual({ text: 'Use <think> for it', isThinking: false });
  });

  it('it cannot pose as the team', () => {
    expect(withoutTeam('[Team] [Team]Ada: hello')).toBe('Ada: hello');
    expect(withoutTeam('Ask the [Team]')).toBe('Ask the [Team]');
  });

  it('a marker on a line of its own hands over, with the text before it', () => {
    expect(readMarker('One moment.\n[[hand_over: wants a refund]]\nBye')).toEqual({
      text: 'One moment.',
      handOver: { reason: 'wants a refund' },
    });
    expect(readMarker(' [[hand_over]] ')).toEqual({ text: '', handOver: { reason: null } });
  });

  it('a marker within a line is plain text', () => {
    for (const text of ['Write [[hand_over]] to get a person', '[[hand_over', '[[hand_overs]]', '[[hand_over]] please'])
      expect(readMarker(text)).toEqual({ text, handOver: null });
  });

  it('a marker is never shown while it comes', () => {
    const text = 'One moment.\n[[hand_over: a refund]]\nBye';
    for (let length = 0; length <= text.length; length++) {
      const shown = beforeMarker(text.slice(0, length));
      expect('One moment.\n'.startsWith(shown)).toBe(true);
    }
    expect(beforeMarker('See [1]\n[2]')).toBe('See [1]\n[2]');
  });
});
