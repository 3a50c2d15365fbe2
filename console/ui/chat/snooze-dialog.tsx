import { useState } from 'preact/hooks';
import type { Row } from '../../api/types.js';
import { SNOOZE_CHOICES, snoozeTimes, toLocalValue } from '../../lib/snooze-times.js';
import { dayAndTime } from '../../lib/times.js';
import { dialogStrings } from '../../locales/dialog-strings.js';
import { plural, strings } from '../../locales/strings.js';
import { snooze } from '../../state/actions.js';
import { snoozeAll } from '../../state/bulk.js';
import { serverNow } from '../../state/clock.js';
import { isChatSteady } from '../../state/steady.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { type CheckedField, useFaults } from '../parts/use-faults.js';
import { hideOverlay } from '../screen.js';

/** Asks until when to snooze a chat, or several. */
export function SnoozeDialog({ rows }: { rows: readonly Row[] }) {
  const text = strings.value;
  const words = dialogStrings.value;
  const [now] = useState(serverNow);
  const [typed, setTyped] = useState('');
  const times = snoozeTimes(now);
  const choose = (until: Date | null) => {
    if (rows.length === 1 && !isChatSteady()) return;
    hideOverlay();
    if (rows.length === 1) void snooze(rows[0]!, until);
    else void snoozeAll(rows, until);
  };
  const { check, of } = useFaults();
  const submit = (event: preact.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (check(event.currentTarget)) choose(new Date(typed));
  };
  return (
    <Dialog title={plural(words.snoozeTitle, rows.length)} isLight onClose={hideOverlay}>
      <form class="dialog-form" noValidate onSubmit={submit}>
        <p class="hint">{words.snoozeHint}</p>
        <ul class="snooze-choices">
          {SNOOZE_CHOICES.map((choice, index) => (
            <li key={choice}>
              <button type="button" class="button" autofocus={index === 0} onClick={() => choose(times[choice])}>
                <span>{words.snoozeTo[choice]}</span>
                <time class="hint small">{dayAndTime(times[choice].toISOString())}</time>
              </button>
            </li>
          ))}
          <li>
            <button type="button" class="button" onClick={() => choose(null)}>
              <span>{words.snoozeToAnswer}</span>
            </button>
          </li>
        </ul>
        <OwnTime now={now} field={of('time', words.snoozeTimeRule)} onInput={setTyped} />
        <footer>
          <button type="button" class="button" onClick={hideOverlay}>
            {text.cancel}
          </button>
          <button type="submit" class="button primary">
            <Icon name="snooze" />
            {words.snoozeNow}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** A year: a chat can't be snoozed longer. */
const MAX_SNOOZE_MS = 365 * 86_400_000;

interface OwnTimeProps {
  now: number;
  field: CheckedField;
  onInput: (typed: string) => void;
}

function OwnTime({ now, field: { attributes, fault }, onInput }: OwnTimeProps) {
  return (
    <>
      <label>
        {dialogStrings.value.snoozeToTime}
        <input
          type="datetime-local"
          required
          min={toLocalValue(new Date(now + 60_000))}
          max={toLocalValue(new Date(now + MAX_SNOOZE_MS))}
          {...attributes}
          onInput={({ currentTarget }) => {
            attributes.onInput();
            onInput(currentTarget.value);
          }}
        />
      </label>
      {fault}
    </>
  );
}
