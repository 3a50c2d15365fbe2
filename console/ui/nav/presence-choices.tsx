import { useEffect, useState } from 'preact/hooks';
import type { Break } from '../../api/types.js';
import { ALERT_KINDS } from '../../lib/alert.js';
import { strings } from '../../locales/strings.js';
import { accepts } from '../../state/actions.js';
import {
  askForNotifications,
  notificationPermission,
  setAlert,
  testAlert,
  wantedAlerts,
} from '../../state/alerts/alerts.js';
import { isSoundAllowed, setSound, wantsSound } from '../../state/alerts/sound.js';
import { isConnected } from '../../state/connection.js';
import { colleagues, readPeople } from '../../state/people.js';
import { me } from '../../state/session.js';
import { inFlight } from '../../state/steady.js';
import { PersonLine } from './presence-panel.js';

const ORDER = { ONLINE: 0, PAUSED: 1, OFFLINE: 2 };
const BREAKS = ['BREAK', 'LUNCH', 'MEETING'] as const;

/** What this agent chooses: their presence, and their alerts. Below are the colleagues. */
export function PresenceChoices() {
  const text = strings.value;
  const { isAccepting, pauseReason } = me();
  useEffect(() => void readPeople().catch(() => undefined), []);
  const others = colleagues.value.toSorted(
    (one, other) => ORDER[one.presence] - ORDER[other.presence] || one.name.localeCompare(other.name),
  );
  return (
    <>
      <fieldset class="presence" disabled={!isConnected.value}>
        <legend class="hidden">{text.presence}</legend>
        <Choice isChosen={isAccepting} isAccepting name={text.accepting} hint={text.acceptingHint} />
        <Choice
          isChosen={!isAccepting && BREAKS.every((reason) => reason !== pauseReason)}
          name={text.paused}
          hint={text.pausedHint}
        />
        {BREAKS.map((reason) => (
          <Choice
            key={reason}
            isChosen={!isAccepting && reason === pauseReason}
            reason={reason}
            name={text.pausedFor[reason]}
          />
        ))}
      </fieldset>
      <Alerts />
      <p class="popover-title">{text.colleagues}</p>
      {others.length === 0 && <p class="hint">{text.noColleagues}</p>}
      <ul class="colleagues">
        {others.map((one) => (
          <li>
            <PersonLine person={one} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  isAccepting?: boolean;
  reason?: Break;
  name: string;
  hint?: string;
}

function Choice({ isChosen, isAccepting = false, reason, name, hint }: ChoiceProps) {
  // Once the answer arrives, it shows what's stored, even when that didn't change.
  const checked = inFlight.value.has(me().id) ? undefined : isChosen;
  return (
    <label class="choice-line">
      <input type="radio" name="presence" checked={checked} onChange={() => void accepts(isAccepting, reason)} />
      <span>
        <b>{name}</b>
        {hint && <span class="hint small">{hint}</span>}
      </span>
    </label>
  );
}

function Alerts() {
  const text = strings.value;
  const [isTried, setTried] = useState(false);
  const permission = notificationPermission.value;
  const isDenied = permission === 'denied';
  return (
    <div class="alerts">
      <p class="popover-title">{text.alerts}</p>
      {ALERT_KINDS.map((kind) => (
        <label key={kind} class="choice-line">
          <input
            type="checkbox"
            checked={wantedAlerts.value[kind]}
            onChange={(event) => setAlert(kind, event.currentTarget.checked)}
          />
          <span>{text.alertOn[kind]}</span>
        </label>
      ))}
      <label class="choice-line">
        <input type="checkbox" checked={wantsSound.value} onChange={(event) => setSound(event.currentTarget.checked)} />
        <span>
          {text.soundIsOn}
          {wantsSound.value && !isSoundAllowed.value && <span class="hint small">{text.soundOff}</span>}
        </span>
      </label>
      <div class="alert-buttons">
        {permission === 'default' && (
          <button type="button" class="button small" onClick={() => void askForNotifications()}>
            {text.notificationsOn}
          </button>
        )}
        <button type="button" class="button small" onClick={() => void testAlert().then(() => setTried(true))}>
          {text.tryAlert}
        </button>
      </div>
      <p class={`small ${isTried && permission !== 'granted' ? 'warning' : 'hint'}`} role="status">
        {isTried && text.alertTried[permission]} {isDenied && text.notificationsDenied}
      </p>
    </div>
  );
}
