import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { Refusal } from '../../api/request.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Icon } from '../../ui/parts/icon.js';
import { type AttributeKey, put, read, retryChange } from '../api.js';
import { TextField } from '../form/fields.js';
import { DialogSaveLine } from '../form/save-line.js';
import { useForm } from '../form/use-form.js';
import { Confirm } from '../parts/confirm.js';
import { Loaded } from '../parts/loaded.js';
import { Badge, PageSection } from '../parts/page-section.js';
import { useEvery, useReading } from '../parts/reading.js';

const PATH = '/attribute-keys';
/** The most keys of an organization. */
const MAX_KEYS = 20;
const KEY = '[a-zA-Z0-9_.\\-]+';
/** How often keys are read that aren't ready, in milliseconds. */
const FILLING_EVERY_MS = 2_000;

interface Keys {
  keys: AttributeKey[];
}

const readKeys = async () => (await read<Keys>(PATH)).keys;

/** Changes the keys as they are now, and retries when another administrator changed them at the same time. @throws RequestError */
function changeKeys(toNext: (keys: string[]) => string[]): Promise<AttributeKey[]> {
  return retryChange(async () => {
    const before = await read<Keys>(PATH);
    return (await put<Keys>(PATH, { keys: toNext(before.keys.map(({ key }) => key)) }, before)).keys;
  });
}

const explains = (error: unknown) =>
  (error as { code?: string }).code === 'conflict' ? adminStrings.value.attributeKeys.stillRemoving : undefined;

/** The attributes that agents can search by, and lists and reports can be filtered by. */
export function AttributeKeys() {
  const text = adminStrings.value.attributeKeys;
  const [isAdding, setAdding] = useState(false);
  const [leaving, remove] = useState<string | null>(null);
  const keys = useReading(readKeys);
  const isFilling = keys.value?.some(({ isReady }) => !isReady) ?? false;
  useEvery(FILLING_EVERY_MS, () => isFilling && keys.again(), [isFilling]);
  const isFull = (keys.value?.length ?? 0) >= MAX_KEYS;
  const onDone = (changed: AttributeKey[]) => {
    notify(adminStrings.value.saved);
    keys.set(changed);
  };
  return (
    <PageSection
      title={text.title}
      hint={isFull ? fill(text.full, { count: MAX_KEYS }) : fill(text.lead, { count: MAX_KEYS })}
      action={
        !isFull && (
          <button type="button" class="button small" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {text.add}
          </button>
        )
      }
    >
      <Loaded of={keys}>
        {(all) => (
          <ul class="lines">
            {all.map(({ key, isReady }) => (
              <KeyLine key={key} name={key} isReady={isReady} onRemove={() => remove(key)} />
            ))}
          </ul>
        )}
      </Loaded>
      {isAdding && <AddKey keys={keys.value ?? []} onDone={onDone} onClose={() => setAdding(false)} />}
      {leaving !== null && <RemoveKey name={leaving} onDone={onDone} onClose={() => remove(null)} />}
    </PageSection>
  );
}

function KeyLine({ name, isReady, onRemove }: { name: string; isReady: boolean; onRemove: () => void }) {
  const text = adminStrings.value;
  const words = fill(text.removeNamed, { name });
  return (
    <li class="line">
      <span class="line-words">
        <bdi class="line-name">{name}</bdi>
        <code class="hint small one-line">attr.{name}:…</code>
      </span>
      <span class="line-badges" role="status">
        <Badge kind={isReady ? 'good' : 'warn'}>
          {isReady ? text.attributeKeys.isReady : text.attributeKeys.isFilling}
        </Badge>
      </span>
      <button type="button" class="button small quiet round" aria-label={words} title={words} onClick={onRemove}>
        <Icon name="trash" />
      </button>
    </li>
  );
}

interface AddProps {
  keys: readonly AttributeKey[];
  onDone: (keys: AttributeKey[]) => void;
  onClose: () => void;
}

function AddKey({ keys, onDone, onClose }: AddProps) {
  const text = adminStrings.value.attributeKeys;
  const form = useForm(
    { key: '' },
    async ({ key }) => {
      onDone(await changeKeys((before) => [...new Set([...before, key])]));
      if (form.isShown.current) onClose();
    },
    { explains },
  );
  const isKnown = keys.some(({ key }) => key === form.values.key);
  return (
    <Dialog title={text.add} onClose={onClose}>
      <form class="form" noValidate onSubmit={form.submit}>
        <TextField
          form={form}
          name="key"
          label={text.key}
          hint={isKnown ? text.isKnown : text.keyHint}
          rule={text.keyRule}
          input={{ required: true, pattern: KEY, maxLength: 64, dir: 'ltr', spellcheck: false, autofocus: true }}
        />
        <DialogSaveLine form={form} name={text.addNow} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function RemoveKey({ name, onDone, onClose }: { name: string } & Omit<AddProps, 'keys'>) {
  const text = adminStrings.value;
  const run = async () => {
    try {
      onDone(await changeKeys((before) => before.filter((key) => key !== name)));
    } catch (error) {
      const reason = explains(error);
      throw reason ? new Refusal('conflict', reason, 409, {}, null) : error;
    }
  };
  return (
    <Confirm
      title={fill(text.removeTitle, { name })}
      hint={text.attributeKeys.removeHint}
      name={text.attributeKeys.remove}
      isDanger
      run={run}
      onClose={onClose}
    />
  );
}
