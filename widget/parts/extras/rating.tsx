import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { rate } from '../../client/feedback.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';

const SCORES = [1, 2, 3, 4, 5];

/** Asks how the chat was that has ended. What was answered can be changed, as long as the service takes it. */
export function Rating() {
  const { client, strings } = usePanel();
  const stored = useObservable(client.chat)?.rating;
  const [isAsking, ask] = useState(!stored);
  const [isOver, setOver] = useState(false);
  if (isAsking) {
    return (
      <Form
        score={stored?.score ?? 0}
        comment={stored?.comment ?? ''}
        onDone={(isTooLate) => {
          setOver(isTooLate);
          ask(false);
        }}
      />
    );
  }
  return (
    <p class="rated" role="status">
      {strings.thanks} {stored && fill(strings.rating, { count: stored.score })}{' '}
      {!isOver && (
        <button
          class="link"
          onClick={(event) => {
            focusPanel(event.currentTarget);
            ask(true);
          }}
        >
          {strings.change}
        </button>
      )}
    </p>
  );
}

interface FormProps {
  score: number;
  comment: string;
  /** @param isTooLate whether the rating can no longer be changed */
  onDone: (isTooLate: boolean) => void;
}

function Form({ score: before, comment: said, onDone }: FormProps) {
  const { client, strings } = usePanel();
  const [score, choose] = useState(before);
  const [comment, write] = useState(said);
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const submit = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLElement;
    setState('busy');
    const done = (isTooLate: boolean) => {
      focusPanel(form);
      onDone(isTooLate);
    };
    rate(client, client.chat.value!.id, score, comment.trim()).then(
      () => done(false),
      ({ code }: { code: string }) => (code === 'rating_over' ? done(true) : setState('failed')),
    );
  };
  return (
    <form class="form fields rating" onSubmit={submit}>
      <fieldset>
        <legend>{strings.rate}</legend>
        {SCORES.map((value) => (
          <label key={value}>
            <input
              type="radio"
              name="score"
              checked={value === score}
              aria-label={fill(strings.rating, { count: value })}
              onChange={() => choose(value)}
            />
            <span aria-hidden="true">{value <= score ? '★' : '☆'}</span>
          </label>
        ))}
      </fieldset>
      {score > 0 && (
        <>
          <textarea
            rows={2}
            dir="auto"
            maxLength={1_000}
            value={comment}
            placeholder={strings.comment}
            aria-label={strings.comment}
            onInput={(event) => write(event.currentTarget.value)}
          />
          {state === 'failed' && <p role="alert">{strings.failed}</p>}
          <button class="primary" disabled={state === 'busy'}>
            {strings.submit}
          </button>
        </>
      )}
    </form>
  );
}
