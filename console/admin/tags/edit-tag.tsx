import { adminStrings } from '../../locales/admin-strings.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { adminPath, read, type Tag } from '../api.js';
import { TextField } from '../form/fields.js';
import { ReadFirst } from '../form/read-first.js';
import { DialogSaveLine } from '../form/save-line.js';
import type { FormState } from '../form/use-form.js';
import { useRecordForm } from '../form/use-record-form.js';

/** The color that the field of colors shows for none. */
const PLAIN = '#808080';

const explains = (error: unknown) =>
  (error as { code?: string }).code === 'conflict' ? adminStrings.value.tagTaken : undefined;

interface EditTagProps {
  tag: Tag;
  onDone: () => void;
  onClose: () => void;
}

/** Renames and colors a tag. */
export function EditTag({ tag: { id }, onClose, ...props }: EditTagProps) {
  return (
    <ReadFirst read={() => read<Tag>(`/tags/${id}`)} title={adminStrings.value.editTag} onClose={onClose}>
      {(tag) => <EditDialog tag={tag} onClose={onClose} {...props} />}
    </ReadFirst>
  );
}

function EditDialog({ tag, onDone, onClose }: EditTagProps) {
  const text = adminStrings.value;
  const form = useRecordForm(tag, {
    path: adminPath(`/tags/${tag.id}`),
    toValues: ({ name, color }) => ({ name, color: color ?? '' }),
    toFields: ({ name, color }) => ({ name, color: color || null }),
    guards: false,
    explains,
    onSaved: (_saved, isComplete) => {
      onDone();
      if (isComplete) onClose();
    },
  });
  return (
    <Dialog title={text.editTag} onClose={onClose}>
      <form class="form" noValidate onSubmit={form.submit}>
        <TextField
          form={form}
          name="name"
          label={text.name}
          hint={text.renameTagHint}
          rule={text.textRule}
          input={{ required: true, maxLength: 50, autofocus: true }}
        />
        <ColorField form={form} />
        <DialogSaveLine form={form} name={text.save} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function ColorField({ form: { values, set } }: { form: FormState<{ name: string; color: string }> }) {
  const text = adminStrings.value;
  return (
    <div class="tag-color">
      <label class="select">
        <span>{text.tagColor}</span>
        <input
          type="color"
          value={values.color || PLAIN}
          onInput={({ currentTarget }) => set('color', currentTarget.value)}
        />
      </label>
      {values.color && (
        <button type="button" class="button small" onClick={() => set('color', '')}>
          {text.noColor}
        </button>
      )}
    </div>
  );
}
