import { useRef, useState } from 'preact/hooks';
import { formOf, wordsOf } from '../../../headless/form.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { answersIn, areTooLong, Fields } from '../../panel/lib/fields.js';
import type { ButtonsProps } from '../choices/buttons.js';
import { FORM } from '../extras/words.js';

/** The code points of a message's text. */
const MAX_WORDS = 5_000;

/** The form of a message. It's gray once it's over, and gone once it's answered: the answers are a message of the visitor. */
export function Questions({ message, choice, isOpen }: ButtonsProps) {
  const { client, strings } = usePanel();
  const form = useRef<HTMLFormElement>(null);
  const [isTooLong, setTooLong] = useState(false);
  const asked = formOf(message);
  if (!asked || choice !== undefined) return null;
  const [optional] = FORM[strings.language] ?? FORM.en!;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isOpen) return;
    const answers = answersIn(form.current!, asked.fields);
    // A form with only empty fields is an answer too.
    const words = wordsOf(asked.fields, answers) || '–';
    const isMuch = [...words].length > MAX_WORDS || areTooLong(answers);
    setTooLong(isMuch);
    if (isMuch) return;
    focusPanel(form.current!);
    const replyTo = { messageId: message.id, value: 'form' };
    // One id per form: a second click, or a click in another tab, sends no second answer.
    const clientMessageId = `reply_${message.id}`.slice(0, 64);
    client.send(words, { clientMessageId, replyTo, metadata: { answers } }).catch(() => undefined);
  };
  return (
    <form ref={form} class="questions-of-bot fields" onSubmit={submit} aria-label={asked.title}>
      <fieldset disabled={!isOpen}>
        {asked.title && <strong dir="auto">{asked.title}</strong>}
        <Fields fields={asked.fields} optional={optional} />
        {isTooLong && <p role="alert">{strings.tooLong}</p>}
        <button class="primary">{asked.submit ?? strings.submit}</button>
      </fieldset>
    </form>
  );
}
