import { type ByteSource, MAX_WINDOW } from './byte-reader.js';
import { refuse } from './file-refused.js';

// C0, DEL, and C1 except tab, LF, FF, and CR.
const CONTROL = /[^\P{Cc}\t\n\f\r]/u;
/** The beginnings, after a byte order mark and white space, that aren't accepted as text: markup, RTF, PostScript, armored PGP. */
const REFUSED = /^(?:<[\p{L}!?]|\{\\rtf|%!|-----BEGIN PGP )/u;
const LONGEST_BEGINNING = '-----BEGIN PGP '.length;

/**
 * Whether the whole source is text (CONTRACT: Files). Stops reading at the first bytes that aren't.
 *
 * @throws FileRefused if it's text of a kind that isn't accepted
 */
export async function isText(source: ByteSource): Promise<boolean> {
  const decode = utf8Decoder();
  let beginning = '';
  for (let at = 0; at < source.size;) {
    const bytes = await source.read(at, Math.min(at === 0 ? 4096 : MAX_WINDOW, source.size - at));
    if (bytes.length === 0) throw new Error(`The bytes end at ${at} instead of ${source.size}`);
    at += bytes.length;
    const text = decode(bytes, at < source.size);
    if (text === undefined || CONTROL.test(text)) return false;
    if (beginning.length < LONGEST_BEGINNING) beginning = (beginning + text).trimStart().slice(0, LONGEST_BEGINNING);
  }
  if (REFUSED.test(beginning)) refuse('Texts that begin like markup, RTF, PostScript, or PGP are refused');
  return true;
}

/** Decodes a file chunk by chunk. Answers undefined if the bytes aren't UTF-8. */
function utf8Decoder(): (bytes: Buffer, stream: boolean) => string | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes, stream) => {
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      return undefined;
    }
  };
}
