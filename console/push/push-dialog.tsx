import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { PushKind, PushSettings } from '../api/types.js';
import { dialogStrings } from '../locales/dialog-strings.js';
import type { DialogStrings } from '../locales/dialogs-en.js';
import { notificationPermission } from '../state/alerts/alerts.js';
import { explain } from '../state/explain.js';
import { me } from '../state/session.js';
import { Dialog } from '../ui/parts/dialog.js';
import { hideOverlay } from '../ui/screen.js';
import { useAttempt } from '../ui/sign-in/use-attempt.js';
import {
  changePushSettings,
  isSupported,
  loadPushSettings,
  needsHomeScreen,
  pushAgent,
  pushSettings,
  turnOff,
  turnOn,
} from './browser.js';

const KINDS = ['offer', 'assignment', 'mention', 'message'] as const satisfies readonly PushKind[];
const USUAL = { from: '22:00', to: '07:00' };

type PushWords = DialogStrings['push'];
type Attempt = (work: () => Promise<void>) => Promise<void>;
type Change = Parameters<typeof changePushSettings>[0];

/** What this agent is notified about while no page is visible, and whether this browser shows it. Each change is saved immediately. */
export function PushDialog() {
  const words = dialogStrings.value.push;
  const { failure, setFailure, isBusy, attempt } = useAttempt(explain);
  // The settings that were read last may have been changed on another device, or be another agent's.
  useLayoutEffect(() => {
    pushSettings.value = null;
    void attempt(loadPushSettings);
  }, []);
  const settings = pushSettings.value;
  const save = (change: Change) => {
    setFailure('');
    changePushSettings(change).catch((error: unknown) => setFailure(explain(error)));
  };
  return (
    <Dialog title={words.title} onClose={hideOverlay} isLight>
      <div class="dialog-form push">
        <p class="hint">{words.hint}</p>
        <ThisBrowser words={words} isBusy={isBusy} attempt={attempt} />
        {settings && <Kinds words={words} settings={settings} save={save} />}
        {settings && (
          <Quiet words={words} settings={settings} save={save} onFault={() => setFailure(words.sameTimes)} />
        )}
        <p class="hint small">{words.allDevices}</p>
        <p class="failure" role="alert">
          {failure}
        </p>
      </div>
    </Dialog>
  );
}

function ThisBrowser({ words, isBusy, attempt }: { words: PushWords; isBusy: boolean; attempt: Attempt }) {
  if (!isSupported) return <p class="warning">{needsHomeScreen ? words.addToHome : words.unsupported}</p>;
  const isOn = pushAgent.value === me().id;
  return (
    <>
      <p role="status">{isOn ? words.isOn : notificationPermission.value === 'denied' && words.denied}</p>
      <button
        type="button"
        class={`button ${isOn ? '' : 'primary'}`}
        disabled={isBusy}
        onClick={() => void attempt(isOn ? turnOff : allow)}
      >
        {isOn ? words.turnOff : words.turnOn}
      </button>
    </>
  );
}

async function allow(): Promise<void> {
  try {
    await turnOn();
  } finally {
    notificationPermission.value = Notification.permission;
  }
}

interface PartProps {
  words: PushWords;
  settings: PushSettings;
  save: (change: Change) => void;
}

function Kinds({ words, settings: { kinds, isSilent }, save }: PartProps) {
  const toggle = (kind: PushKind, isWanted: boolean) =>
    save({ kinds: KINDS.filter((one) => (one === kind ? isWanted : kinds.includes(one))) });
  return (
    <fieldset>
      <legend>{words.kinds}</legend>
      {KINDS.map((kind) => (
        <label key={kind} class="choice-line">
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={({ currentTarget }) => toggle(kind, currentTarget.checked)}
          />
          <span>{words.kind[kind]}</span>
        </label>
      ))}
      <label class="choice-line">
        <input
          type="checkbox"
          checked={!isSilent}
          onChange={({ currentTarget }) => save({ isSilent: !currentTarget.checked })}
        />
        <span>{words.sound}</span>
      </label>
    </fieldset>
  );
}

function Quiet({ words, settings: { quietHours }, save, onFault }: PartProps & { onFault: () => void }) {
  const [times, setTimes] = useState(quietHours ?? USUAL);
  // What couldn't be saved is taken back.
  useEffect(() => void (quietHours && setTimes(quietHours)), [quietHours?.from, quietHours?.to]);
  const set = (next: typeof USUAL | null) => {
    if (next && next.from === next.to) return onFault();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    save({ quietHours: next && { from: next.from, to: next.to, timeZone } });
  };
  const change = (part: Partial<typeof USUAL>) => {
    const next = { ...times, ...part };
    setTimes(next);
    // A time that's being typed is empty.
    if (next.from && next.to) set(next);
  };
  return (
    <fieldset>
      <legend class="hidden">{words.quiet}</legend>
      <label class="choice-line">
        <input
          type="checkbox"
          checked={quietHours !== null}
          onChange={({ currentTarget }) => set(currentTarget.checked ? times : null)}
        />
        <span>{words.quiet}</span>
      </label>
      {quietHours && (
        <div class="quiet-times">
          <label>
            {words.from}
            <input
              type="time"
              value={times.from}
              onChange={({ currentTarget }) => change({ from: currentTarget.value })}
            />
          </label>
          <label>
            {words.to}
            <input type="time" value={times.to} onChange={({ currentTarget }) => change({ to: currentTarget.value })} />
          </label>
        </div>
      )}
    </fieldset>
  );
}
