import type { ComponentChild } from 'preact';
import { linkify } from '../../headless/links.js';

/** A text with links. Nothing else in it is markup. */
export function Linked({ text }: { text: string }) {
  return (
    <>
      {linkify(squeeze(text)).map((piece) =>
        piece.href ? (
          <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

// Many empty lines would push the conversation out of sight. Code in Markdown keeps its own.
const squeeze = (text: string) => text.replace(/\n([^\S\n]*\n){3,}/g, '\n\n\n');

export interface SentenceProps {
  /** Texts of another release may lack it. */
  template: string | undefined;
  /** By the places in the template. */
  names: Record<string, string>;
}

/** A sentence with names. Each name is isolated, so that its direction of writing does not change the sentence. */
export function Sentence({ template = '', names }: SentenceProps): ComponentChild {
  return template.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? <bdi>{names[part] ?? part}</bdi> : part));
}
