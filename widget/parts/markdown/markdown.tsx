import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { parseMarkdown } from '../../../headless/markdown/blocks.js';
import { copyWith } from '../../../headless/markdown/copy.js';
import { toElements } from '../../../headless/markdown/elements.js';
import { usePanel } from '../../panel/lib/context.js';

export { default as styles } from '../../../headless/markdown/styles.css?inline';

/** What a bot or an agent wrote. @param isPartial whether it is still being written */
export function Markdown({ text, isPartial }: { text: string; isPartial?: boolean }) {
  const { strings } = usePanel();
  const blocks = useMemo(() => parseMarkdown(text, isPartial), [text, isPartial]);
  return <div class="marked">{toElements(blocks, h, strings, copyWith(strings.copied))}</div>;
}
