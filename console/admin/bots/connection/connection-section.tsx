import { useState } from 'preact/hooks';
import { fill } from '../../../../headless/text.js';
import { fullTime } from '../../../lib/times.js';
import { adminStrings } from '../../../locales/admin-strings.js';
import { plural } from '../../../locales/strings.js';
import { notify } from '../../../state/notices.js';
import { Icon } from '../../../ui/parts/icon.js';
import { useSteadyAction } from '../../../ui/parts/use-steady-action.js';
import { type Bot, change, type Connection, read, remove } from '../../api.js';
import { Confirm } from '../../parts/confirm.js';
import { notifyFailure } from '../../parts/explain.js';
import { type Secret, SecretDialog } from '../../parts/copy-field.js';
import { Loaded } from '../../parts/loaded.js';
import { ActionRow, Ago, Badge, PageSection } from '../../parts/page-section.js';
import { type Reading, useReading } from '../../parts/reading.js';
import { ConnectDialog, connectNext, type NewConnection } from './connect-dialog.js';
import { PreviewRow } from './preview.js';
import { connectionSecret, SecretRow } from './secret-row.js';
import { Turns } from './turns.js';
import { Usage } from './usage.js';

/** The kinds whose requests are signed. */
const SIGNED: ReadonlySet<Connection['kind']> = new Set(['agui', 'n8n']);

/** A bot's connection; null without one. */
interface Found {
  connection: Connection | null;
}

async function find({ id, hasConnection }: Bot): Promise<Found> {
  return { connection: hasConnection ? await read<Connection>(`/bots/${id}/connection`) : null };
}

/** The address that answers for a bot, and what became of its turns (CONTRACT: Bots by address). */
export function ConnectionSection({ bot }: { bot: Bot }) {
  const text = adminStrings.value.connection;
  const found = useReading(() => find(bot));
  const [kind] = useState(() => connectNext.take(bot.id));
  const [isEditing, edit] = useState(kind !== null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const connection = found.value?.connection;
  const isConnected = Boolean(connection);
  const onSaved = (saved: NewConnection) => {
    found.set({ connection: saved });
    if (saved.secret) setSecret(connectionSecret(saved.secret));
  };
  return (
    <>
      <PageSection
        title={text.title}
        hint={isConnected ? undefined : text.hint}
        action={
          found.value && (
            <button type="button" class={`button small ${isConnected ? '' : 'primary'}`} onClick={() => edit(true)}>
              <Icon name={isConnected ? 'settings' : 'link'} />
              {isConnected ? text.edit : text.connect}
            </button>
          )
        }
      >
        <Loaded of={found}>
          {({ connection: one }) => one && <Connected bot={bot} connection={one} of={found} />}
        </Loaded>
      </PageSection>
      {isConnected && <Turns bot={bot} />}
      {isConnected && <Usage bot={bot} />}
      {isEditing && found.value && (
        <ConnectDialog
          bot={bot}
          kind={kind ?? 'openai'}
          connection={connection ?? null}
          onSaved={onSaved}
          onClose={() => edit(false)}
        />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

function Connected({ bot, connection, of }: { bot: Bot; connection: Connection; of: Reading<Found> }) {
  const text = adminStrings.value.connection;
  const { kind, url, model, script, isEnabled } = connection;
  const scriptText = adminStrings.value.script;
  return (
    <>
      <p class="line-words">
        <span>
          <Badge kind={isEnabled ? 'good' : 'warn'}>{isEnabled ? text.isOn : text.isPaused}</Badge> {text.kind[kind]}
          {model && (
            <>
              {' · '}
              <bdi>{model}</bdi>
            </>
          )}
        </span>
        {kind === 'script' ? (
          <span class="hint">
            {script ? plural(scriptText.stepCount, script.steps.length) : scriptText.modes.builtIn}
          </span>
        ) : (
          <bdi class="hint connection-url" title={url}>
            {url}
          </bdi>
        )}
      </p>
      <Health connection={connection} />
      <Actions bot={bot} connection={connection} of={of} />
    </>
  );
}

function Health({ connection: { health } }: { connection: Connection }) {
  const text = adminStrings.value.connection;
  const { lastSuccessAt, lastFailure } = health;
  const isFailing = lastFailure !== null && (lastSuccessAt === null || lastFailure.at > lastSuccessAt);
  if (!isFailing)
    return (
      <p class="hint">
        {lastSuccessAt ? (
          <>
            {text.answered} <Ago at={lastSuccessAt} />
          </>
        ) : (
          text.neverAnswered
        )}
      </p>
    );
  return (
    <p class="outcome bad" role="status">
      <Icon name="alert" />
      <span>
        <b>{fill(text.failing, { time: fullTime(lastFailure.at) })}</b> {text.code[lastFailure.code]}
      </span>
    </p>
  );
}

function Actions({ bot, connection, of }: { bot: Bot; connection: Connection; of: Reading<Found> }) {
  const text = adminStrings.value.connection;
  const [asks, ask] = useState(false);
  const path = `/bots/${bot.id}/connection`;
  const { isBusy, act } = useSteadyAction();
  const { isEnabled, kind } = connection;
  const pause = () => {
    void act(() =>
      change<Connection>(path, { isEnabled: !isEnabled }).then((saved) => of.set({ connection: saved }), notifyFailure),
    );
  };
  const disconnect = async () => {
    await remove(path);
    of.set({ connection: null });
    notify(text.disconnected);
  };
  return (
    <>
      {kind !== 'script' && <PreviewRow bot={bot} />}
      {SIGNED.has(kind) && <SecretRow bot={bot} />}
      <ActionRow title={isEnabled ? text.pause : text.resume} hint={isEnabled ? text.pauseHint : text.resumeHint}>
        <button type="button" class="button" aria-disabled={isBusy} onClick={pause}>
          {isEnabled ? text.pause : text.resume}
        </button>
      </ActionRow>
      <ActionRow title={text.disconnect} hint={text.disconnectHint}>
        <button type="button" class="button danger-line" onClick={() => ask(true)}>
          {text.disconnect}
        </button>
      </ActionRow>
      {asks && (
        <Confirm
          title={fill(text.disconnectTitle, { name: bot.name })}
          hint={text.disconnectHint}
          name={text.disconnect}
          isDanger
          run={disconnect}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}
