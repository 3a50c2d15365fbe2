import type { ComponentChild } from 'preact';
import { linkify } from './links.js';

/** A text with its links, and nothing else of it taken for markup. */
export function Linked({ text }: { text: string }) {
  return (
    <>
      {linkify(text).map((piece) =>
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

/** Fills names into one of our sentences; each keeps its own direction of writing to itself. */
export function Sentence({ template, names }: { template: string; names: Record<string, string> }): ComponentChild {
  return template.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? <bdi>{names[part] ?? part}</bdi> : part));
}
