const Decoder = globalThis.TextDecoder;
const C1 = /[\u0080-\u009f]/g;
/** The characters of windows-1252 from 0x80 to 0x9f. The five that it leaves open are dropped. */
const WINDOWS_1252 = '€\u0000‚ƒ„…†‡ˆ‰Š‹Œ\u0000Ž\u0000\u0000‘’“”•–—˜™š›œ\u0000žŸ';
/** Below this share of sequences that aren't UTF-8, a text that says it's UTF-8 is taken for a damaged one. */
const DAMAGED = 0.1;

const utf8 = new Decoder('utf-8', { ignoreBOM: true });
const strictUtf8 = new Decoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param {Uint8Array} bytes */
function windows1252(bytes) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(C1, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]);
}

/** @param {Uint8Array} bytes */
function asUtf8(bytes) {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes */
function damagedUtf8(bytes) {
  const text = utf8.decode(bytes);
  let broken = 0;
  let whole = 0;
  for (const character of text) {
    if (character === '\ufffd') broken++;
    else if (character > '\u007f') whole++;
  }
  return broken <= whole * DAMAGED ? text : windows1252(bytes);
}

/**
 * Decodes the charsets of mails: Node 20 has no windows-1252 (its decoder of that name is ISO 8859-1), and mails often say a
 * charset that they don't have. Valid UTF-8 with a sequence of two bytes or more is hardly ever anything else.
 */
export class MailTextDecoder {
  /**
   * @param {string} [label]
   * @param {object} [options]
   */
  constructor(label = 'utf-8', options = {}) {
    this.decoder = new Decoder(label, options);
    this.encoding = this.decoder.encoding;
  }

  /** @param {ArrayBuffer | Uint8Array} [source] */
  decode(source = new Uint8Array()) {
    const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
    if (this.encoding === 'utf-8') return asUtf8(bytes) ?? damagedUtf8(bytes);
    if (this.encoding === 'windows-1252') return asUtf8(bytes) ?? windows1252(bytes);
    return this.decoder.decode(bytes);
  }
}
