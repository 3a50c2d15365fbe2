/** A field of a header. */
export interface Field {
  /** In lower case. */
  key: string;
  /** Without line breaks, otherwise as it arrived. */
  value: string;
}

/** A part of a mail that isn't its text. */
export interface ParsedPart {
  name: string | null;
  /** In lower case, without parameters. */
  type: string;
  content: Uint8Array;
}

/** What the thread sends back of a mail. */
export interface ParsedMail {
  /** From the top. */
  headers: Field[];
  text: string;
  parts: ParsedPart[];
}

/**
 * Why a mail can't be read. `too_large`: more than 25 MiB, 1,000 parts, 20 levels, 512 kB of headers, or 500,000 lines.
 * `too_costly`: it took too long or too much memory. `broken`: the parser failed.
 */
export type UnreadableReason = 'too_large' | 'too_costly' | 'broken';
