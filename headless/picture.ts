import type { Message } from './types.js';
import { safeUrl } from './links.js';

/** A picture that a message shows. */
export interface Picture {
  src: string;
  alt: string;
  /** In pixels, both or none: they reserve the space while the picture loads. */
  width?: number;
  height?: number;
  caption?: string;
}

/** Returns the picture of an IMAGE message; undefined without an address, and then the content is shown as text. */
export function pictureOf({ content, metadata }: Message, alt: string): Picture | undefined {
  const written = safeUrl(content, 'http https');
  const src = safeUrl(metadata?.url, 'http https') ?? written;
  if (!src) return undefined;
  const { width, height } = metadata;
  return {
    src,
    alt: typeof metadata.alt === 'string' && metadata.alt ? metadata.alt : alt,
    ...(isLength(width) && isLength(height) && { width, height }),
    ...(!written && { caption: content }),
  };
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1e5;
}
