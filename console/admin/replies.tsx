import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { request } from '../api/request.js';
import type { Reply } from '../api/types.js';
import { listNames } from '../lib/names.js';
import { unknownVariables, VARIABLES } from '../lib/variables.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { notify } from '../state/notices.js';
import { forgetReplies } from '../state/chat/replies.js';
import { Dialog } from '../ui/parts/dialog.js';
import { Icon } from '../ui/parts/icon.js';
import { PageHead } from '../ui/parts/page-head.js';
import { Name } from '../ui/parts/rich.js';
import { readPageOf } from './api.js';
import { DialogSaveLine } from './form/save-line.js';
import { useCreateForm } from './form/use-create-form.js';
import type { FormState } from './form/use-form.js';
import { TextArea, TextField } from './form/fields.js';
import { AddButton } from './parts/page-section.js';
import { Confirm } from './parts/confirm.js';
import { Empty, More, Loaded } from './parts/loaded.js';
import { Filter, fits } from './parts/filter.js';
import { usePages, useReading } from './parts/reading.js';
import { useRecordForm } from './form/use-record-form.js';

const PATH = '/api/agent/replies';

export function RepliesPage() {
  const text = adminStrings.value;
  const [typed, setTyped] = useState('');
  const [edited, edit] = useState<Reply | 'new' | null>(null);
  const [removed, remove] = useState<Reply | null>(null);
  const pages = usePages<Reply>((cursor) => readPageOf(PATH, 'replies', cursor));
  const onChanged = (isComplete = true) => {
    forgetReplies();
    pages.again();
    if (isComplete) edit(null);
  };
  const removeIt = async ({ id }: Reply) => {
    await request('DELETE', `${PATH}/${id}`);
    notify(text.replyRemoved);
    onChanged();
  };
  return (
    <>
      <PageHead title={strings.value.section.replies}>
        <AddButton name={text.newReply} onClick={() => edit('new')} />
      </PageHead>
      <div class="page-body">
        <p class="lead">{text.repliesLead}</p>
        <Loaded of={pages}>
          {(rows) => (
            <>
              {rows.length > 5 && <Filter value={typed} onInput={setTyped} label={text.findReply} />}
              {rows.length === 0 && <Empty icon="quote" title={text.noReplies} hint={text.noRepliesHint} />}
              <ul class="lines">
                {rows
                  .filter(({ shortcut, content }) => fits(typed, shortcut, content))
                  .map((reply) => (
                    <li key={reply.id} class="line">
                      <ReplyRow reply={reply} onEdit={() => edit(reply)} onRemove={() => remove(reply)} />
                    </li>
                  ))}
              </ul>
              <More pages={pages} />
            </>
          )}
        </Loaded>
      </div>
      {edited === 'new' && <NewReply onDone={onChanged} onClose={() => edit(null)} />}
      {edited && edited !== 'new' && <EditReply id={edited.id} onDone={onChanged} onClose={() => edit(null)} />}
      {removed && (
        <Confirm
          title={fill(text.removeTitle, { name: `/${removed.shortcut}` })}
          hint={text.removeReplyHint}
          name={text.removeReply}
          isDanger
          run={() => removeIt(removed)}
          onClose={() => remove(null)}
        />
      )}
    </>
  );
}

interface ReplyRowProps {
  reply: Reply;
  onEdit: () => void;
  onRemove: () => void;
}

function ReplyRow({ reply, onEdit, onRemove }: ReplyRowProps) {
  const remove = fill(adminStrings.value.removeNamed, { name: `/${reply.shortcut}` });
  return (
    <>
      <button type="button" class="line-words plain" onClick={onEdit}>
        <code class="line-name">/{reply.shortcut}</code>
        <Name class="hint small" name={reply.content} />
      </button>
      <button type="button" class="button small quiet round" aria-label={remove} title={remove} onClick={onRemove}>
        <Icon name="trash" />
      </button>
    </>
  );
}

interface ReplyDialogProps {
  /** @param isComplete false when there is more to save */
  onDone: (isComplete?: boolean) => void;
  onClose: () => void;
}

const explains = (error: unknown) =>
  (error as { code?: string }).code === 'conflict' ? adminStrings.value.shortcutTaken : undefined;

function NewReply({ onDone, onClose }: ReplyDialogProps) {
  const text = adminStrings.value;
  const form = useCreateForm(
    { shortcut: '', content: '' },
    {
      create: (values) => request<Reply>('POST', PATH, values),
      update: ({ id }, values) => request<Reply>('PATCH', `${PATH}/${id}`, values),
      onDone: () => {
        notify(text.saved);
        onDone();
      },
      onClose,
      explains,
    },
  );
  return <ReplyDialog title={text.newReply} form={form} onClose={form.close} />;
}

/** Reads the reply first, because rows of the list have no version. */
function EditReply({ id, onDone, onClose }: ReplyDialogProps & { id: string }) {
  const reply = useReading(() => request<Reply>('GET', `${PATH}/${id}`));
  if (reply.value) return <EditDialog reply={reply.value} onDone={onDone} onClose={onClose} />;
  return (
    <Dialog title={adminStrings.value.editReply} form="wide" onClose={onClose}>
      <Loaded of={reply}>{() => null}</Loaded>
    </Dialog>
  );
}

function EditDialog({ reply, onDone, onClose }: ReplyDialogProps & { reply: Reply }) {
  const text = adminStrings.value;
  const form = useRecordForm(reply, {
    path: `${PATH}/${reply.id}`,
    toValues: ({ shortcut, content }) => ({ shortcut, content }),
    toFields: (values) => ({ ...values }),
    guards: false,
    explains,
    onSaved: (_saved, isComplete) => {
      notify(text.saved);
      onDone(isComplete);
    },
  });
  return <ReplyDialog title={text.editReply} form={form} onClose={onClose} />;
}

interface ReplyFormProps {
  title: string;
  form: FormState<{ shortcut: string; content: string }>;
  onClose: () => void;
}

function ReplyDialog({ title, form, onClose }: ReplyFormProps) {
  const text = adminStrings.value;
  return (
    <Dialog title={title} form="wide" onClose={onClose}>
      <form class="form" onSubmit={form.submit}>
        <TextField
          form={form}
          name="shortcut"
          label={text.shortcut}
          hint={text.shortcutHint}
          rule={text.shortcutHint}
          input={{ required: true, maxLength: 40, autocapitalize: 'off', autofocus: true }}
        />
        <TextArea
          form={form}
          name="content"
          label={text.content}
          hint={<VariablesHint />}
          rule={text.textRule}
          area={{ required: true, maxLength: 5_000, rows: 6 }}
        />
        <UnknownVariables content={form.values.content} />
        <DialogSaveLine form={form} name={text.save} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** The variables that a reply can contain. */
function VariablesHint() {
  return (
    <>
      {adminStrings.value.variablesHint}{' '}
      {VARIABLES.map((name) => (
        <>
          <code key={name}>{`{{${name}}}`}</code>{' '}
        </>
      ))}
    </>
  );
}

function UnknownVariables({ content }: { content: string }) {
  const names = unknownVariables(content);
  return (
    <div role="status">
      {names.length > 0 && (
        <p class="warning small">{fill(adminStrings.value.unknownVariables, { names: listNames(names) })}</p>
      )}
    </div>
  );
}
