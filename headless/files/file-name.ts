const MAX_LENGTH = 255;
/** What a name may not have (CONTRACT: Files): separators of paths, control characters, and marks that turn the direction of writing. */
const REFUSED = /[/\\\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A name that the service accepts: what it refuses becomes `_`, and a long name keeps its extension. */
export function fileNameOf(name: string): string {
  const characters = [...name.replace(REFUSED, '_').trim()];
  if (characters.length > MAX_LENGTH) {
    const dot = characters.lastIndexOf('.');
    const length = characters.length - dot;
    const extension = dot > 0 && length <= 10 ? characters.slice(dot) : [];
    characters.splice(MAX_LENGTH - extension.length, Infinity, ...extension);
  }
  const safe = characters.join('');
  return /^\.{0,2}$/.test(safe) ? `_${safe}` : safe;
}
