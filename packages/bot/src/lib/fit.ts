import type { HandOverOptions } from '../wire.js';

/** Characters (Unicode code points) of a hand-over's texts. */
const LIMITS = { reason: 500, summary: 2_000 };

/** Cuts the texts of a hand-over to the lengths that Parley takes, because language models write long ones. @param warn called for each cut text */
export function fit<Options extends HandOverOptions>(options: Options, warn: (line: string) => void): Options {
  const texts = Object.entries(LIMITS).map(([name, limit]) => {
    const text = options[name as keyof typeof LIMITS];
    if (typeof text !== 'string' || [...text].length <= limit) return [name, text];
    warn(`handOver(): ${name} has more than ${limit.toLocaleString('en')} characters and was cut`);
    return [name, [...text].slice(0, limit).join('')];
  });
  return { ...options, ...(Object.fromEntries(texts) as Pick<HandOverOptions, keyof typeof LIMITS>) };
}
