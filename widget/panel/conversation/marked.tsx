import { hasMarks } from '../../../headless/markdown/marks.js';
import { usePart } from '../parts.js';
import { Linked } from '../rich.js';

interface MarkedProps {
  text: string;
  /** Whether it is still being written. */
  isPartial?: boolean;
}

/** What a bot or an agent wrote. Until the part that reads the marks is loaded, it is shown with them. */
export function Marked({ text, isPartial }: MarkedProps) {
  const isMarked = hasMarks(text);
  const markdown = usePart('markdown', isMarked);
  return isMarked && markdown ? <markdown.Markdown text={text} isPartial={isPartial} /> : <Linked text={text} />;
}
