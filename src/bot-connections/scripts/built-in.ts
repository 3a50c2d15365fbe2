import type { Language } from '../../platform/locale/languages.js';
import type { Script } from '../model/script.js';
import { WORDS } from './built-in-words.js';

/** The script of a connection without one, in a language. It asks what it's about and for a few sentences, then hands over to people. */
export function builtInScript(language: Language): Script {
  const { begin, question, problem, person, describe, handOver } = WORDS[language];
  const tell = { action: 'step', step: 'describe' } as const;
  return {
    steps: [
      {
        id: 'start',
        text: begin,
        choices: [
          { label: question, next: tell },
          { label: problem, next: tell },
          { label: person, next: { action: 'step', step: 'people' } },
        ],
      },
      { id: 'describe', text: describe, ask: 'text', next: { action: 'step', step: 'people' } },
      { id: 'people', text: handOver, next: { action: 'hand_over' } },
    ],
  };
}

/** What a scripted bot says if it doesn't understand. */
export function missSentence(language: Language): string {
  return WORDS[language].miss;
}
