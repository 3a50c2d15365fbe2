import { readFileSync } from 'node:fs';

/** A documentation page's programs in a language, in order: tests run what readers copy. */
export function codeIn(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8');
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}(?: \\[[^\\]\n]*\\])?\n(.*?)^\`\`\`$`, 'gms')),
    ([, program]) => program!,
  );
}

/** The program of a page about bots that has these words. */
export const programWith = (page: string, words: string) =>
  programsOf(page).find((program) => program.includes(words))!;

/** The programs of a page about bots. */
export const programsOf = (page: string) => codeIn(`bots/${page}`, 'js');
