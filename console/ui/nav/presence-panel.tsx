import type { Break, Colleague, PauseReason } from '../../api/types.js';
import { plural, strings } from '../../locales/strings.js';
import { accepts } from '../../state/actions.js';
import { ALERT_KINDS } from '../../lib/alert.js';
import {
  askForNotifications,
  notificationPermission,
  setAlert,
  testAlert,
  wantedAlerts,
} from '../../state/alerts/alerts.js';
import { isConnected } from '../../state/connection.js';
import { isSoundAllowed, setSound, wantsSound } from '../../state/alerts/sound.js';
import { colleagues, readPeople } from '../../state/people.js';
import { me } from '../../state/session.js';
import { useEffect, useState } from 'preact/hooks';
import { Avatar } from '../parts/avatar.js';
import { Popover } from '../parts/popover.js';
import { useLate } from '../parts/use-late.js';
import { Name } from '../parts/rich.js';

/** A lost connection is shown after this delay: most interruptions are shorter. */
export const OFFLINE_AFTER_MS = 700;
const ORDER = { ONLINE: 0, PAUSED: 1, OFFLINE: 2 };

/** This agent's presence and alerts, and the colleagues' presence. */
export function PresencePanel() {
  const text = strings.value;
  const { id, name, isAccepting, pauseReason } = me();
  const isPaused = !isAccepting || pauseReason !== null;
  // Without a connection, no chat is offered, and colleagues see that.
  const isOffline = useLate(!isConnected.value, OFFLINE_AFTER_MS);
  const state = isOffline ? text.isOffline : isPaused ? pauseWords(pauseReason) : text.accepting;
  return (
    <Popover
      label={text.presence}
      isNamed
      buttonClass="me"
      button={
        <>
          <span class="hidden">{text.presence}: </span>
          <Avatar id={id} name={name} presence={isOffline ? 'OFFLINE' : isPaused ? 'PAUSED' : 'ONLINE'} />
          <span class="me-words">
            <Name class="me-name" name={name} />
            <span class="me-state one-line" title={state}>
              {state}
            </span>
          </span>
        </>
      }
    >
      {() => <Content />}
    </Popover>
  );
}

function Content() {
  const text = strings.value;
  const { isAccepting, pauseReason } = me();
  useEffect(() => void readPeople().catch(() => undefined), []);
  const others = colleagues.value.toSorted(
    (one, other) => ORDER[one.presence] - ORDER[other.presence] || one.name.localeCompare(other.name),
  );
  return (
    <>
      <fieldset class="presence">
        <legend class="hidden">{text.presence}</legend>
        <Choice isChosen={isAccepting} isAccepting name={text.accepting} hint={text.acceptingHint} />
        <Choice isChosen={!isAccepting && !isBreak(pauseReason)} name={text.paused} hint={text.pausedHint} />
        {BREAKS.map((reason) => (
          <Choice
            key={reason}
            isChosen={!isAccepting && pauseReason === reason}
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

const BREAKS = ['BREAK', 'LUNCH', 'MEETING'] as const;
const isBreak = (reason: PauseReason | null) => BREAKS.some((known) => known === reason);

/** Why an agent is paused, in words. */
const pauseWords = (reason: PauseReason | null) => {
  const { paused, pausedFor } = strings.value;
  return reason ? pausedFor[reason] : paused;
};

interface ChoiceProps {
  isChosen: boolean;
  isAccepting?: boolean;
  reason?: Break;
  name: string;
  hint?: string;
}

function Choice({ isChosen, isAccepting = false, reason, name, hint }: ChoiceProps) {
  return (
    <label class="choice-line">
      <input type="radio" name="presence" checked={isChosen} onChange={() => void accepts(isAccepting, reason)} />
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

export function PersonLine({ person: { id, name, presence, pauseReason, openChats } }: { person: Colleague }) {
  const text = strings.value;
  const state = { ONLINE: text.online, PAUSED: pauseWords(pauseReason), OFFLINE: text.isOffline }[presence];
  return (
    <span class="person">
      <Avatar id={id} name={name} presence={presence} />
      <span class="person-words">
        <Name class="person-name" name={name} />
        <span class="hint small">
          {state} · {plural(text.loadCount, openChats)}
        </span>
      </span>
    </span>
  );
}
