import { useState } from 'preact/hooks';
import { isMarkdown } from '../../../headless/markdown/marks.js';
import { type Picture, pictureOf } from '../../../headless/picture.js';
import { fill } from '../../../headless/text.js';
import type { MessageRating } from '../../api/types.js';
import type { Message } from '../../../headless/types.js';
import { senderName } from '../../lib/names.js';
import { clockTime, withFullTime } from '../../lib/times.js';
import { strings } from '../../locales/strings.js';
import { me } from '../../state/session.js';
import { Files, useFilesCode } from '../parts/files.js';
import { Icon } from '../parts/icon.js';
import { Linked, Marked, Name } from '../parts/rich.js';
import { MessageActions } from './message-actions.js';

interface MessageLineProps {
  message: Message;
  isFirst: boolean;
  visitor: string;
  choice: string | undefined;
  receipt: string | undefined;
  rating: MessageRating | undefined;
}

export function MessageLine({ message, isFirst, visitor, choice, receipt, rating }: MessageLineProps) {
  const text = strings.value;
  const { sender, createdAt, replyTo, files } = message;
  // Files without words are shown alone.
  const isSaid = !files || message.content !== '';
  const side = sender.type === 'VISITOR' ? 'theirs' : 'ours';
  const isMe = sender.type === 'AGENT' && sender.id === me().id;
  return (
    <article class={`message ${side} ${sender.type.toLowerCase()} ${isFirst ? 'first' : ''}`}>
      {isFirst && (
        <p class="message-head">
          {sender.type === 'BOT' && <Icon name="bot" />}
          <Name class="sender" name={senderName(sender, visitor)} />
          {isMe && <span class="hint">({text.you})</span>}
          <time dateTime={createdAt} {...withFullTime(createdAt)}>
            {clockTime(createdAt)}
          </time>
        </p>
      )}
      <div class="bubble-line">
        {isSaid ? (
          <div class="bubble" dir="auto" {...(!isFirst && withFullTime(createdAt))}>
            {replyTo && (
              <span class="chose">
                <Icon name="check" />
                {text.chose}
              </span>
            )}
            <Content message={message} />
          </div>
        ) : (
          <Files files={files} />
        )}
        {!message.deletedAt && <MessageActions message={message} />}
      </div>
      {isSaid && <Files files={files} />}
      <Offers message={message} choice={choice} />
      {rating && <Rated rating={rating} />}
      {receipt && <p class="receipt">{receipt}</p>}
    </article>
  );
}

/** How the visitor rated a bot's message. */
function Rated({ rating: { rating, comment } }: { rating: MessageRating }) {
  const text = strings.value;
  const isUp = rating === 'UP';
  return (
    <p class="message-rating">
      <Icon name={isUp ? 'thumbUp' : 'thumbDown'} />
      {isUp ? text.ratedUp : text.ratedDown}
      {comment && <q dir="auto">{comment}</q>}
    </p>
  );
}

function Content({ message }: { message: Message }) {
  const text = strings.value;
  if (message.deletedAt) return <em>{text.deleted}</em>;
  const picture = message.type === 'IMAGE' && pictureOf(message, text.image);
  if (picture) return <PictureOf picture={picture} isTrusted={message.sender.type !== 'VISITOR'} />;
  return (
    <div class="words">
      {isMarkdown(message) ? <Marked text={message.content} /> : <Linked text={message.content} />}
    </div>
  );
}

/** An image. A visitor's image from another site loads only after a click, because loading it reveals the agent's address. */
function PictureOf({
  picture: { src, alt, width, height, caption },
  isTrusted,
}: {
  picture: Picture;
  isTrusted: boolean;
}) {
  const text = strings.value;
  const { origin, host } = new URL(src);
  const [isShown, setShown] = useState(isTrusted || origin === location.origin);
  const [hasFailed, setFailed] = useState(false);
  if (!isShown) {
    return (
      <>
        <button type="button" class="button small" onClick={() => setShown(true)}>
          <Icon name="image" />
          {fill(text.showPicture, { host })}
        </button>
        {caption && <p class="words">{caption}</p>}
      </>
    );
  }
  return (
    <>
      <a class="picture" href={src} target="_blank" rel="noopener noreferrer nofollow ugc">
        {hasFailed ? (
          text.pictureFailed
        ) : (
          <img
            src={src}
            alt={alt}
            width={width}
            height={height}
            loading="lazy"
            referrerpolicy="no-referrer"
            onError={() => setFailed(true)}
          />
        )}
      </a>
      {caption && <p class="words">{caption}</p>}
    </>
  );
}

/** What a message offers: choices, with the chosen one, cards, or a form. */
function Offers(props: { message: Message; choice: string | undefined }) {
  const { type } = props.message;
  const hasAny = type === 'QUICK_REPLY' || type === 'BUTTON';
  const code = useFilesCode(hasAny);
  return hasAny && code ? <code.Offers {...props} /> : null;
}
