import type { ButtonsProps } from '../../parts/choices/buttons.js';
import { isMarkdown } from '../../../headless/markdown/marks.js';
import { usePanel } from '../lib/context.js';
import { Marked } from './marked.js';
import { pictureOf } from '../../../headless/picture.js';
import { usePart } from '../parts.js';
import { Linked } from '../rich.js';

/** The content of a message, by its type. An unknown type shows its text. */
export function Bubble(props: ButtonsProps) {
  const { message } = props;
  const { strings } = usePanel();
  const picture = message.type === 'IMAGE' && pictureOf(message, strings.image);
  const media = usePart('media', !!picture);
  const hasCitations = Array.isArray(message.metadata?.citations);
  const choices = usePart('choices', message.type === 'BUTTON' || hasCitations);
  if (picture && media) return <media.PictureView picture={picture} />;
  const text = message.content || strings.deleted;
  return (
    <>
      <div class="bubble" dir="auto">
        {isMarkdown(message) ? <Marked text={text} /> : <Linked text={text} />}
      </div>
      {hasCitations && choices && <choices.Citations message={message} />}
      {message.type === 'BUTTON' && choices && <choices.Buttons {...props} />}
    </>
  );
}
