import type { Colleague, PauseReason } from '../../api/types.js';
import { plural, strings } from '../../locales/strings.js';
import { isConnected } from '../../state/connection.js';
import { me } from '../../state/session.js';
import { LazyDialog } from '../lazy-dialog.js';
import { Avatar } from '../parts/avatar.js';
import { Popover } from '../parts/popover.js';
import { useLate } from '../parts/use-late.js';
import { Name } from '../parts/rich.js';

/** A lost connection is shown after this delay: most interruptions are shorter. */
export const OFFLINE_AFTER_MS = 700;

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
      {() => <LazyDialog name="presence" />}
    </Popover>
  );
}

/** Why an agent is paused, in words. */
const pauseWords = (reason: PauseReason | null) => {
  const { paused, pausedFor } = strings.value;
  return reason ? pausedFor[reason] : paused;
};

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
