import type { MessageFile } from '../types.js';

const UNIT = 1_024;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
/** The names of types whose second half isn't a name that people know. */
const LABELS: Record<string, string> = {
  'text/plain': 'TXT',
  'image/jpeg': 'JPEG',
  'audio/mpeg': 'MP3',
  'video/quicktime': 'MOV',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PPTX',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'application/vnd.oasis.opendocument.spreadsheet': 'ODS',
  'application/vnd.oasis.opendocument.presentation': 'ODP',
};

/** How a file is shown. Types that the service doesn't show inline are cards. */
export function kindOf({ type, width, height }: Pick<MessageFile, 'type' | 'width' | 'height'>): Kind {
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(type) && width && height) return 'picture';
  if (/^audio\/(mpeg|ogg|mp4|webm)$/.test(type)) return 'sound';
  return /^video\/(mp4|webm|ogg)$/.test(type) ? 'video' : 'card';
}

/** The pictures among files. */
export function picturesOf(files: readonly MessageFile[]): MessageFile[] {
  return files.filter((file) => kindOf(file) === 'picture');
}

export type Kind = 'picture' | 'sound' | 'video' | 'card';

/** `PDF`, by what the bytes are, not by the name. */
export function labelOf(type: string): string {
  return LABELS[type] ?? type.slice(type.indexOf('/') + 1).toUpperCase();
}

/** `1.2 MB`, in a language; powers of 1,024. */
export function sizeWords(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(UNIT)));
  const value = bytes / UNIT ** power;
  const maximumFractionDigits = power > 0 && value < 10 ? 1 : 0;
  const format = { style: 'unit', unit: UNITS[power], unitDisplay: 'short', maximumFractionDigits } as const;
  return new Intl.NumberFormat(locale, format).format(value);
}

/** `1:05`, of seconds. */
export function timeWords(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
