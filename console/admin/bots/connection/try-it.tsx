import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../../headless/text.js';
import { adminStrings } from '../../../locales/admin-strings.js';
import { Icon } from '../../../ui/parts/icon.js';
import type { Bot, Connection } from '../../api.js';
import { Badge } from '../../parts/page-section.js';
import { explainHere } from '../../parts/explain.js';
import { toDraft, type Values } from './connection-values.js';
import { testConnection, type TestResult } from './test-connection.js';

interface TryItProps {
  bot: Bot;
  values: Values;
  connection: Connection | null;
}

/** Sends a message to the address that's typed, before it's saved, and shows the answer as it comes. */
export function TryIt(props: TryItProps) {
  const text = adminStrings.value.connection;
  const [message, setMessage] = useState('');
  const { isBusy, answer, result, failure, run } = useTest(props, message);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    void run();
  };
  return (
    <fieldset class="field try-it">
      <legend class="field-name">{text.tryTitle}</legend>
      <span class="try-line">
        <input
          aria-label={text.tryMessage}
          placeholder={text.tryMessage}
          value={message}
          maxLength={5_000}
          dir="auto"
          onInput={({ currentTarget }) => setMessage(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void run()}>
          <Icon name="play" />
          {isBusy ? text.trying : text.tryNow}
        </button>
      </span>
      {answer && (
        <blockquote class="try-answer" dir="auto">
          {answer}
        </blockquote>
      )}
      {result?.choices && result.choices.length > 0 && (
        <p class="try-choices">
          {result.choices.map((label) => (
            <Badge key={label}>{label}</Badge>
          ))}
        </p>
      )}
      <div role="status">
        {result && <Outcome result={result} />}
        {failure && <p class="fault small">{failure}</p>}
      </div>
    </fieldset>
  );
}

const IDLE = { isBusy: false, answer: '', result: null as TestResult | null, failure: '' };

/** The state of a test. It ends with the dialog. */
function useTest({ bot, values, connection }: TryItProps, message: string) {
  const [state, setState] = useState(IDLE);
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);
  const run = async () => {
    if (state.isBusy) return;
    setState({ ...IDLE, isBusy: true });
    const { signal } = ending.current;
    const body = { message: message.trim() || undefined, connection: toDraft(values, connection) };
    const onText = (answer: string) => setState((before) => ({ ...before, answer }));
    try {
      const result = await testConnection(bot.id, body, signal, onText);
      setState({ ...IDLE, result, answer: result.text });
    } catch (error) {
      if (!signal.aborted) setState({ ...IDLE, failure: explainHere(error) });
    }
  };
  return { ...state, run };
}

function Outcome({ result: { ok, error, firstTokenMs, durationMs, warnings } }: { result: TestResult }) {
  const { took, connection: text } = adminStrings.value;
  const times = [
    firstTokenMs !== null && fill(text.firstWord, { time: firstTokenMs }),
    fill(took, { time: durationMs }),
  ];
  return (
    <p class={`outcome ${ok ? 'good' : 'bad'}`}>
      <Icon name={ok ? 'done' : 'alert'} />
      <span>
        <b>{ok ? text.tryWorked : error && text.code[error.code]}</b> {times.filter(Boolean).join(' · ')}
        {[error?.detail, ...warnings].map(
          (more) =>
            more && (
              <bdi key={more} class="hint small">
                {more}
              </bdi>
            ),
        )}
      </span>
    </p>
  );
}
