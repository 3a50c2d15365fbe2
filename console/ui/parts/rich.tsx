import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { linkify } from '../../../headless/links.js';
import { parseMarkdown } from '../../../headless/markdown/blocks.js';
import { copyWith } from '../../../headless/markdown/copy.js';
import { toElements } from '../../../headless/markdown/elements.js';
import { hasMarks } from '../../../headless/markdown/marks.js';
import { strings } from '../../locales/strings.js';

/** A text with links. Nothing else in it is markup. */
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
  /** Whether the text is still being written. */
  isPartial?: boolean;
}

/** Markdown of a bot or an agent, as the visitor sees it. */
export function Marked({ text, isPartial = false }: MarkedProps) {
  const words = strings.value;
  const blocks = useMemo(() => (hasMarks(text) ? parseMarkdown(text, isPartial) : undefined), [text, isPartial]);
  return blocks ? (
    <div class="marked">{toElements(blocks, h, words, copyWith(words.copied))}</div>
  ) : (
    <Linked text={text} />
  );
}

/** A name on one line, truncated if needed; the title has all of it. @param title if the name itself was shortened */
export function Name({ name, title = name, class: own = '' }: { name: string; title?: string; class?: string }) {
  return (
    <bdi class={`one-line ${own}`} title={title}>
      {name}
    </bdi>
  );
}

export function Keys({ keys }: { keys: string }) {
  return (
    <span class="keys">
      {keys.split(' ').map((key) => (
        <kbd>{key}</kbd>
      ))}
    </span>
  );
}
