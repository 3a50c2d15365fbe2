import type { Said, SharedFile } from '../model/conversation.js';

const MEDIA = ['image', 'audio', 'video'] as const;

/** What an endpoint takes a file for. */
export type Media = (typeof MEDIA)[number] | 'document';

export function mediaOf({ type }: SharedFile): Media {
  return MEDIA.find((media) => type.startsWith(`${media}/`)) ?? 'document';
}

/**
 * A message's text, and a line for each file that the endpoint doesn't get in another way.
 * @param isApart whether the endpoint gets the file beside the text
 */
export function textWithFiles({ text, files }: Said, isApart: (file: SharedFile) => boolean = () => false): string {
  const lines = files
    .filter((file) => !isApart(file))
    .map(({ name, type, size, url }) => `File: ${name} (${type}, ${size} bytes): ${url}`);
  return [...(text === '' ? [] : [text]), ...lines].join('\n');
}
