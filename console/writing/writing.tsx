import type { RefObject } from 'preact';
import { EmojiList } from './emoji-list.js';
import { FormatBar } from './format-bar.js';

interface WritingProps {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  isNote: boolean;
}

/** What helps with writing: emoji by name, and in messages, formats. Notes show their text as it is. */
export function Writing({ field, draft, isNote }: WritingProps) {
  return (
    <>
      <EmojiList field={field} draft={draft} />
      {!isNote && <FormatBar field={field} />}
    </>
  );
}
