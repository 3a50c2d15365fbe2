import { useRef, useState } from 'preact/hooks';
import { adminStrings } from '../../../locales/admin-strings.js';
import { notify } from '../../../state/notices.js';
import { Dialog } from '../../../ui/parts/dialog.js';
import { adminPath, type Bot, type Connection, putNew, read } from '../../api.js';
import { Checks, Choices, TextArea, TextField } from '../../form/fields.js';
import { DialogSaveLine } from '../../form/save-line.js';
import { type FormState, useForm } from '../../form/use-form.js';
import { useRecordForm } from '../../form/use-record-form.js';
import { ScriptFields } from '../script/script-fields.js';
import { SHARES, toFields, toValues, type Values } from './connection-values.js';
import { TryIt } from './try-it.js';

/** The bot whose page opens with this dialog. */
export const connectNext = (() => {
  let next: { botId: string; kind: Connection['kind'] } | null = null;
  return {
    set: (botId: string, kind: Connection['kind'] = 'openai'): void => void (next = { botId, kind }),
    /** The kind to begin with, if it's this bot. Returns it once. */
    take: (botId: string): Connection['kind'] | null => {
      if (next?.botId !== botId) return null;
      const { kind } = next;
      next = null;
      return kind;
    },
  };
})();

/** A connection as it's saved: a new one of a kind with signatures has the secret that signs. */
export type NewConnection = Connection & { secret?: string };

interface DialogProps {
  bot: Bot;
  onSaved: (connection: NewConnection) => void;
  onClose: () => void;
}

interface ConnectProps extends DialogProps {
  /** Of a new connection. */
  kind: Connection['kind'];
}

/** Connects a bot to an address or a script, or changes its connection. */
export function ConnectDialog({ connection, ...props }: ConnectProps & { connection: Connection | null }) {
  return connection ? <Edit {...props} connection={connection} /> : <Connect {...props} />;
}

function Connect({ bot, kind, onSaved, onClose }: ConnectProps) {
  const text = adminStrings.value.connection;
  /** The connection that someone else made since. The page shows it once this dialog is closed. */
  const theirs = useRef<Connection | null>(null);
  const close = () => {
    if (theirs.current) onSaved(theirs.current);
    onClose();
  };
  const form = useForm(toValues(null, kind), async (values) => {
    const path = `/bots/${bot.id}/connection`;
    try {
      onSaved(await putNew<NewConnection>(path, toFields(values, null)));
    } catch (error) {
      if ((error as { code?: string }).code === 'precondition_failed') theirs.current = await read<Connection>(path);
      throw error;
    }
    notify(text.connected);
    if (form.isShown.current) onClose();
  });
  return (
    <Dialog title={text.connectTitle} form="wide" onClose={close}>
      <form class="form" noValidate onSubmit={form.submit}>
        <Fields form={form} connection={null} />
        <TryIt bot={bot} values={form.values} connection={null} />
        <DialogSaveLine form={form} name={text.save} onClose={close} />
      </form>
    </Dialog>
  );
}

function Edit({ bot, connection, onSaved, onClose }: DialogProps & { connection: Connection }) {
  const text = adminStrings.value;
  const form = useRecordForm<Connection, Values>(connection, {
    path: adminPath(`/bots/${bot.id}/connection`),
    toValues,
    toFields: (values) => toFields(values, connection),
    guards: false,
    onSaved: (saved, isComplete) => {
      notify(text.saved);
      onSaved(saved);
      if (isComplete) onClose();
    },
  });
  return (
    <Dialog title={text.connection.editTitle} form="wide" onClose={onClose}>
      <form class="form" noValidate onSubmit={form.submit}>
        <Fields form={form} connection={connection} />
        <TryIt bot={bot} values={form.values} connection={connection} />
        <DialogSaveLine form={form} name={text.save} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** The kinds, in the order of how often teams have one. */
const KINDS = ['openai', 'agui', 'dify', 'n8n', 'script'] as const satisfies readonly Connection['kind'][];

function Fields({ form, connection }: { form: FormState<Values>; connection: Connection | null }) {
  const text = adminStrings.value.connection;
  return (
    <>
      {!connection && (
        <Choices
          form={form}
          name="kind"
          label={text.kindName}
          choices={KINDS.map((value) => ({ value, name: text.kind[value], hint: text.kindHint[value] }))}
        />
      )}
      {form.values.kind === 'script' ? (
        <ScriptFields
          script={form.values.script}
          faults={form.faults}
          onChange={(script) => form.set('script', script)}
        />
      ) : (
        <AddressFields form={form} connection={connection} />
      )}
    </>
  );
}

function AddressFields({ form, connection }: { form: FormState<Values>; connection: Connection | null }) {
  const { connection: text, textRule } = adminStrings.value;
  const { kind } = form.values;
  const isOpenai = kind === 'openai';
  return (
    <>
      <TextField
        form={form}
        name="url"
        label={text.url}
        hint={kind === 'script' ? undefined : text.urlHint[kind]}
        input={{ required: true, maxLength: 2_000, inputMode: 'url', spellcheck: false, dir: 'ltr', autofocus: true }}
      />
      {isOpenai && (
        <TextField
          form={form}
          name="model"
          label={text.model}
          hint={text.modelHint}
          rule={textRule}
          input={{ required: true, maxLength: 200, spellcheck: false, dir: 'ltr' }}
        />
      )}
      {HAS_KEY.has(kind) && (
        <TextField
          form={form}
          name="key"
          label={text.key}
          hint={connection?.hasKey ? text.keyKept : text.keyHint}
          input={{ type: 'password', autocomplete: 'new-password', spellcheck: false, dir: 'ltr' }}
        />
      )}
      {isOpenai && (
        <TextArea
          form={form}
          name="instructions"
          label={text.instructions}
          hint={text.instructionsHint}
          rule={textRule}
          area={{ rows: 6, maxLength: 20_000 }}
        />
      )}
      <More form={form} connection={connection} />
    </>
  );
}

const HAS_KEY: ReadonlySet<string> = new Set(['openai', 'dify']);

function More({ form, connection }: { form: FormState<Values>; connection: Connection | null }) {
  const text = adminStrings.value.connection;
  const names = connection?.headerNames ?? [];
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="choice-more"
      open={isOpen || Boolean(form.faults.headers ?? form.faults.share)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{text.moreSettings}</summary>
      <Checks
        form={form}
        name="share"
        label={text.share}
        hint={text.shareHint}
        choices={SHARES.map((value) => ({ value, name: text.shares[value] }))}
      />
      <TextArea
        form={form}
        name="headers"
        label={text.headers}
        hint={names.length > 0 ? `${text.headersKept} ${names.join(', ')}` : text.headersHint}
        area={{ rows: 3, spellcheck: false, dir: 'ltr', placeholder: 'X-Api-Key: …' }}
      />
    </details>
  );
}
