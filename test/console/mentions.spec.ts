import { describe, expect, it } from '@jest/globals';
import { fitsMention, mentionsIn, mentionTyped, splitMentions } from '../../console/lib/mentions.js';

const SAM = { id: 'sam', name: 'Sam' };
const SMITH = { id: 'smith', name: 'Sam Smith' };
const SOFIA = { id: 'sofia', name: 'Софія' };
const PEOPLE = [SAM, SMITH, SOFIA];

describe('mentions in notes', () => {
  it('a whole name after @ is a mention, and of two names the longer one counts', () => {
    expect(mentionsIn('@Sam Smith and @Софія, please', PEOPLE)).toEqual(['smith', 'sofia']);
    expect(mentionsIn('(@Sam) @Sam!', PEOPLE)).toEqual(['sam']);
    expect(mentionsIn('@Sam Smithers', PEOPLE)).toEqual(['sam']);
  });

  it('an email address, a part of a word, and another case are no mentions', () => {
    expect(mentionsIn('mail me@Sam or @Samuel, @sam', PEOPLE)).toEqual([]);
  });

  it('a note mentions at most 20 people', () => {
    const people = Array.from({ length: 30 }, (_, at) => ({ id: String(at), name: `P${at}` }));
    expect(mentionsIn(people.map(({ name }) => `@${name}`).join(' '), people)).toHaveLength(20);
  });

  it('the text is split where it mentions someone', () => {
    expect(splitMentions('Ask @Sam, please', PEOPLE)).toEqual([
      { text: 'Ask ', isMention: false },
      { text: '@Sam', isMention: true },
      { text: ', please', isMention: false },
    ]);
    expect(splitMentions('', PEOPLE)).toEqual([]);
  });

  it('people are suggested by the beginning of any word of their name', () => {
    expect(mentionTyped('Ask @Smi')).toBe('Smi');
    expect([mentionTyped('a@b'), mentionTyped('@Sam\nnext'), mentionTyped('none')]).toEqual([null, null, null]);
    expect(fitsMention('smi', PEOPLE)).toEqual([SMITH]);
    expect(fitsMention('sam s', PEOPLE)).toEqual([SMITH]);
    expect(fitsMention('', PEOPLE)).toEqual(PEOPLE);
    expect(fitsMention('Sam ', PEOPLE)).toEqual([SMITH]);
  });
});
