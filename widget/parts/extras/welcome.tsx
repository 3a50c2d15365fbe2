import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { openingOf, openingWords } from '../../panel/lib/opening.js';
import { useAsked } from './asking.js';
import { Person } from './person.js';

/** What the organization says below the greeting: when people answer, and first questions. */
export function Welcome() {
  const { host, client, strings, formats } = usePanel();
  const isAsking = !!useAsked();
  const { officeHours, questions = [] } = host.chosen ?? {};
  const opening = openingOf(host);
  const ask = (question: string, button: HTMLElement) => {
    focusPanel(button);
    client.send(question).catch(() => undefined);
  };
  return (
    <div class="welcome">
      {opening !== undefined && (
        <p class="opening">
          <bdi>{openingWords(opening, strings, formats)}</bdi>
        </p>
      )}
      {officeHours && <p dir="auto">{officeHours}</p>}
      {!isAsking && questions.length > 0 && (
        <div class="questions">
          {questions.map((question) => (
            <button key={question} class="choice" onClick={(event) => ask(question, event.currentTarget)}>
              <bdi>{question}</bdi>
            </button>
          ))}
        </div>
      )}
      <Person />
    </div>
  );
}
