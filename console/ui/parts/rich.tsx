import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { linkify } from '../../../headless/links.js';
import { parseMarkdown } from '../../../headless/markdown/blocks.js';
import { copyWith } from '../../../headless/markdown/copy.js';
import { toElements } from '../../../headless/markdown/elements.js';
import { hasMarks } from '../../../headless/markdown/marks.js';
import { strings } from '../../locales/strings.js';

/** A text with its links. Everything else in it is text. */
export function Linked({ text }: { text: string }) {
  return (
    <>
      {linkify(text).map(({ text: piece, href }) =>
        href ? (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </>
  );
}

interface MarkedProps {
  text: string;
  /** Whether its end is still to be written. */
  isPartial?: boolean;
}

/** What a bot or an agent wrote, as the visitor sees it: Markdown. */
export function Marked({ text, isPartial = false }: MarkedProps) {
  const words = strings.value;
  const blocks = useMemo(() => (hasMarks(text) ? parseMarkdown(text, isPartial) : undefined), [text, isPartial]);
  return blocks ? (
    <div class="marked">{toElements(blocks, h, words, copyWith(words.copied))}</div>
  ) : (
    <Linked text={text} />
  );
}

/** A name on one line. Its end is cut off where there is no room; its title has it all. */
export function Name({ name, class: own = '' }: { name: string; class?: string }) {
  return (
    <bdi class={`one-line ${own}`} title={name}>
      {name}
    </bdi>
  );
}

/** Keys as they stand on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span class="keys">
      {keys.split(' ').map((key) => (
        <kbd>{key}</kbd>
      ))}
    </span>
  );
}
