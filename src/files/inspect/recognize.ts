/** What a file may be by its first bytes. */
export type Kind =
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'heic'
  | 'mp4'
  | 'quicktime'
  | 'webm'
  | 'ogg'
  | 'mp3'
  | 'pdf'
  | 'zip';

/** How many bytes `recognize` needs. */
export const HEAD_SIZE = 256;

type Signature = [kind: Kind, at: number, bytes: string];

const SIGNATURES: Signature[] = [
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['jpeg', 0, '\xff\xd8\xff'],
  ['gif', 0, 'GIF87a'],
  ['gif', 0, 'GIF89a'],
  ['webp', 8, 'WEBP'],
  ['pdf', 0, '%PDF-'],
  ['zip', 0, 'PK\x03\x04'],
  ['zip', 0, 'PK\x05\x06'],
  ['zip', 0, 'PK\x07\x08'],
  ['webm', 0, '\x1a\x45\xdf\xa3'],
  ['ogg', 0, 'OggS\0'],
];
/** Signatures that a text may begin with too. */
const WEAK_SIGNATURES: Signature[] = [
  ['mp3', 0, 'ID3'],
  ['mp3', 0, '\xff'],
  ['quicktime', 4, 'moov'],
  ['quicktime', 4, 'wide'],
  ['quicktime', 4, 'mdat'],
];
const HEIC = /^(?:mif1|msf1|hei[cxms]|hev[cxms])$/;
const AVIF = /^avi[fs]$/;
/** Brands of pictures and phones' videos that aren't accepted: AVC and JPEG 2000 pictures, raw photos, 3GPP. */
const OTHER_BRAND = /^(?:avc[is]|j2k[is]|jp[2xm] |mjp2|jxl |crx |3g..|3G..)$/;

/** The kind by a signature that no text has. */
export function recognize(head: Buffer): Kind | undefined {
  const kind = match(SIGNATURES, head);
  return kind === 'webp' && head.toString('latin1', 0, 4) !== 'RIFF' ? undefined : kind;
}

/** The kind of bytes that aren't text. */
export function recognizeBinary(head: Buffer): Kind | undefined {
  return head.toString('latin1', 4, 8) === 'ftyp' ? recognizeBrand(head) : match(WEAK_SIGNATURES, head);
}

/** The brand `M4A` means audio even when the file has a video track, such as a cover. */
export function isAudioBrand(head: Buffer): boolean {
  return head.toString('latin1', 4, 12) === 'ftypM4A ';
}

function match(signatures: Signature[], head: Buffer): Kind | undefined {
  const text = head.toString('latin1');
  return signatures.find(([, at, bytes]) => text.startsWith(bytes, at))?.[0];
}

/** The kind of an ISO base media file by its main brand, and for a picture by its other brands too. */
function recognizeBrand(head: Buffer): Kind | undefined {
  const end = Math.min(head.readUInt32BE(), head.length);
  const brand = head.toString('latin1', 8, 12);
  const others: string[] = [];
  for (let at = 16; at + 4 <= end; at += 4) others.push(head.toString('latin1', at, at + 4));
  if (AVIF.test(brand)) return 'avif';
  if (HEIC.test(brand)) return others.some((other) => AVIF.test(other)) && brand.startsWith('m') ? 'avif' : 'heic';
  if (brand === 'qt  ') return 'quicktime';
  return OTHER_BRAND.test(brand) || !/^[ -~]{4}$/.test(brand) ? undefined : 'mp4';
}
