/** The fewest letters of a word in `q` that tolerates an edit. */
export const MIN_EDITED = 5;
/** The most letters of a word in a name that's found with an edit. */
const MAX_EDITED = 30;

/**
 * The word, and the word without each of its letters; nothing for words of fewer than 4 or more than 30 letters. Two words that are one
 * edit apart have one of these in common. So have some that are two edits apart: check them with `isOneEdit`.
 */
export function shortened(word: string): string[] {
  const letters = Array.from(word);
  if (letters.length < MIN_EDITED - 1 || letters.length > MAX_EDITED) return [];
  return [...new Set([word, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])];
}

/** Whether two words differ by one edit: one letter added, removed, or replaced, or two adjacent letters swapped. */
export function isOneEdit(word: string, other: string): boolean {
  const [long, short] = [Array.from(word), Array.from(other)].toSorted((a, b) => b.length - a.length) as [
    string[],
    string[],
  ];
  if (long.length - short.length > 1 || word === other) return false;
  let same = 0;
  while (same < short.length && long[same] === short[same]) same++;
  const rest = (letters: string[], from: number) => letters.slice(from).join('');
  if (long.length > short.length) return rest(long, same + 1) === rest(short, same);
  if (rest(long, same + 1) === rest(short, same + 1)) return true;
  const isSwapped = long[same] === short[same + 1] && long[same + 1] === short[same];
  return isSwapped && rest(long, same + 2) === rest(short, same + 2);
}
