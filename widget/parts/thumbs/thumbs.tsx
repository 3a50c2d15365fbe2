// Thumbs below a bot's messages: a file that is loaded only where the organization wants them.
import { useEffect, useState } from 'preact/hooks';
import { listMessageRatings, rateMessage } from '../../client/feedback.js';
import type { Message, MessageRating, CoreClient } from '../../client/types.js';
import type { Entry } from '../../panel/conversation/timeline.js';
import { WORDS } from './words.js';
import { usePanel } from '../../panel/lib/context.js';

export { default as styles } from './styles.css?inline';

const VALUES = ['UP', 'DOWN'] as const;
const THUMB = 'M7 11v9H4v-9ZM7 11l4-8c1.5 0 2.5 1 2.5 2.5V9H19a1.8 1.8 0 0 1 1.8 2.1l-1.2 7.3a1.9 1.9 0 0 1-1.9 1.6H7';

/** The ratings of one chat, read once for all of its messages. */
let known: { chatId: string; ratings: Promise<Map<string, MessageRating>> } | undefined;

function ratingsOf(client: CoreClient, chatId: string): Promise<Map<string, MessageRating>> {
  if (known?.chatId !== chatId) {
    const ratings = listMessageRatings(client, chatId).then(
      (list) => new Map(list.map((rating) => [rating.messageId, rating])),
    );
    known = { chatId, ratings };
    // The next message that is shown tries again.
    ratings.catch(() => (known = undefined));
  }
  return known!.ratings;
}

/** Asks whether a bot's message helped. After a thumb down, it also asks why. */
export function Thumbs({ entry: { message, isLive } }: { entry: Entry }) {
  if (message.sender.type !== 'BOT' || isLive || message.deletedAt) return null;
  return <Rated message={message} />;
}

function Rated({ message }: { message: Message }) {
  const { client, strings } = usePanel();
  const { id, chatId } = message;
  const names = WORDS[strings.language] ?? WORDS.en!;
  const [given, show] = useState<MessageRating>();
  const [isAsking, ask] = useState(false);
  const [state, setState] = useState<'idle' | 'failed' | 'done'>('idle');
  useEffect(() => {
    ratingsOf(client, chatId).then(
      (ratings) => ratings.has(id) && show(ratings.get(id)),
      () => undefined,
    );
  }, [id]);
  /** Returns whether the rating was stored. */
  const rate = async (value: 'UP' | 'DOWN', comment?: string): Promise<boolean> => {
    const before = given;
    show({ ...before, rating: value } as MessageRating);
    try {
      const rating = await rateMessage(client, message, value, comment);
      show(rating);
      setState('done');
      ratingsOf(client, chatId).then(
        (ratings) => ratings.set(id, rating),
        () => undefined,
      );
      return true;
    } catch {
      show(before);
      setState('failed');
      return false;
    }
  };
  const choose = (value: 'UP' | 'DOWN') => {
    ask(value === 'DOWN');
    if (given?.rating !== value) void rate(value);
  };
  // A reason that wasn't stored stays in its field.
  const explain = async (comment: string, form: HTMLElement) => {
    if (comment && !(await rate('DOWN', comment))) return;
    form.parentElement!.querySelector<HTMLElement>('.DOWN')!.focus();
    ask(false);
  };
  return (
    <div class="thumbs">
      {VALUES.map((value, at) => (
        <button
          key={value}
          class={`round thumb ${value}`}
          aria-pressed={given?.rating === value}
          aria-label={names[at]}
          title={names[at]}
          onClick={() => choose(value)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true" class="icon">
            <path d={THUMB} />
          </svg>
        </button>
      ))}
      {(!isAsking || state === 'failed') && (
        <span role="status">{state === 'failed' ? strings.failed : state === 'done' ? strings.thanks : ''}</span>
      )}
      {isAsking && <Reason comment={given?.comment ?? ''} onSubmit={explain} />}
    </div>
  );
}

interface ReasonProps {
  comment: string;
  onSubmit: (comment: string, form: HTMLElement) => Promise<void>;
}

function Reason({ comment: before, onSubmit }: ReasonProps) {
  const { strings } = usePanel();
  const [comment, write] = useState(before);
  const submit = (event: Event) => {
    event.preventDefault();
    void onSubmit(comment.trim(), event.currentTarget as HTMLElement);
  };
  return (
    <form class="reason" onSubmit={submit}>
      <textarea
        rows={2}
        dir="auto"
        maxLength={1_000}
        value={comment}
        placeholder={strings.comment}
        aria-label={strings.comment}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <button class="primary">{strings.submit}</button>
    </form>
  );
}
