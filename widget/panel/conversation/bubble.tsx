import type { ButtonsProps } from '../../parts/choices/buttons.js';
import { isMarkdown } from '../../../headless/markdown/marks.js';
import { usePanel } from '../lib/context.js';
import { Marked } from './marked.js';
import { namesOf } from '../../../headless/files/names.js';
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
  const files = message.files;
  const shown = usePart('files', !!files);
  const isLong = message.content.length > 1_500 || message.content.split('\n').length > 20;
  const fold = usePart('fold', isLong);
  if (picture && media) return <media.PictureView picture={picture} />;
  // Until they are shown, their names are.
  const text = message.content || (files ? !shown && namesOf(message) : strings.deleted);
  return (
    <>
      {files && shown && <shown.Files message={message} />}
      {text && (
        <div class="bubble" dir="auto">
          {isMarkdown(message) ? <Marked text={text} /> : <Linked text={text} />}
        </div>
      )}
      {isLong && fold && <fold.Fold message={message} />}
      {hasCitations && choices && <choices.Citations message={message} />}
      {message.type === 'BUTTON' && choices && <choices.Buttons {...props} />}
    </>
  );
}
