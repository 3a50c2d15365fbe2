/** Characters (Unicode code points) of one message. */
export const MAX_LENGTH = 5_000;

/** The length of a text in characters (Unicode code points). */
export function lengthOf(text: string): number {
  return [...text].length;
}
