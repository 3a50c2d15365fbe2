import { readFileSync } from 'node:fs';

/** A documentation page's programs, in order: tests run what readers copy. */
export function programsOf(page: string): string[] {
  const text = readFileSync(new URL(`../../../docs/bots/${page}.md`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(/^```js\n(.*?)^```$/gms), ([, program]) => program!);
}
