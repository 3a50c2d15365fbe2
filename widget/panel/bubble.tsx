import type { Message } from '../client/types.js';
import { Buttons } from './buttons.js';
import { useKit } from './kit.js';
import type { Choice } from '../../headless/options.js';
import { pictureOf } from '../../headless/picture.js';
import { PictureView } from './picture-view.js';
import { Linked } from './rich.js';

/** The content of a message, by its type. An unknown type shows its text. */
export function Bubble({ message, choice }: { message: Message; choice?: Choice }) {
  const { strings } = useKit();
  const picture = message.type === 'IMAGE' && pictureOf(message, strings.image);
  if (picture) return <PictureView picture={picture} />;
  return (
    <>
      <div class="bubble" dir="auto">
        <Linked text={message.content || strings.deleted} />
      </div>
      {message.type === 'BUTTON' && <Buttons message={message} choice={choice} />}
    </>
  );
}
