import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { request } from '../api/request.js';
import type { Reply } from '../api/types.js';
import { languageName, listNames } from '../lib/names.js';
import { unknownVariables, VARIABLES } from '../lib/variables.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { WIDGET_LANGUAGES } from './languages.js';
import { groupOf, groups } from '../state/inbox/counts.js';
import { notify } from '../state/notices.js';
import { isSupervisor } from '../state/session.js';
import { forgetReplies } from '../state/chat/replies.js';
import { actionWords } from '../ui/composer/suggestions.js';
import { Dialog } from '../ui/parts/dialog.js';
import { Icon } from '../ui/parts/icon.js';
import { PageHead } from '../ui/parts/page-head.js';
import { Name } from '../ui/parts/rich.js';
import { readPageOf } from './api.js';
import { DialogSaveLine } from './form/save-line.js';
import { ReadFirst } from './form/read-first.js';
import { useCreateForm } from './form/use-create-form.js';
import type { FormState } from './form/use-form.js';
import { TextArea, TextField } from './form/fields.js';
import { AddButton } from './parts/page-section.js';
import { Confirm } from './parts/confirm.js';
import { Empty, More, Loaded } from './parts/loaded.js';
import { Filter, fits, Select } from './parts/filter.js';
import { usePages } from './parts/reading.js';
import { useRecordForm } from './form/use-record-form.js';

/** Which replies a page shows. */
type Kind = 'everyones' | 'own';
const PATHS: Record<Kind, string> = { everyones: '/api/agent/replies', own: '/api/agent/own-replies' };

/** The organization's replies. */
export function RepliesPage() {
  return <Replies kind="everyones" />;
}

/** The agent's own replies. Supervisors can choose the organization's. */
export function OwnRepliesPage() {
  const text = strings.value;
  const [kind, choose] = useState<Kind>('own');
  const choices = [
    ['own', text.ownReplies],
    ['everyones', text.section.replies],
  ] as const;
  const choice = isSupervisor() && (
    <div class="filters">
      <Select label={adminStrings.value.replyFor} value={kind} choices={choices} onChange={choose} />
    </div>
  );
  return <Replies key={kind} kind={kind} choice={choice} />;
}

function wordsOf(kind: Kind): { title: string; lead: string } {
  const { ownReplies, ownRepliesLead, section } = strings.value;
  if (kind === 'own') return { title: ownReplies, lead: ownRepliesLead };
  return { title: section.replies, lead: adminStrings.value.repliesLead };
}

/** @param choice of other replies */
function Replies({ kind, choice }: { kind: Kind; choice?: ComponentChildren }) {
  const text = adminStrings.value;
  const { title, lead } = wordsOf(kind);
  const [typed, setTyped] = useState('');
  const [edited, edit] = useState<Reply | 'new' | null>(null);
  const [removed, remove] = useState<Reply | null>(null);
  const pages = usePages<Reply>((cursor) => readPageOf(PATHS[kind], 'replies', cursor));
  const onChanged = () => {
    forgetReplies();
    pages.again();
  };
  return (
    <>
      <PageHead title={title}>
        <AddButton name={text.newReply} onClick={() => edit('new')} />
      </PageHead>
      <div class="page-body">
        {choice}
        <p class="lead">{lead}</p>
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
      {edited === 'new' && <NewReply kind={kind} onDone={onChanged} onClose={() => edit(null)} />}
      {edited && edited !== 'new' && (
        <EditReply kind={kind} id={edited.id} onDone={onChanged} onClose={() => edit(null)} />
      )}
      {removed && <RemoveReply kind={kind} reply={removed} onDone={onChanged} onClose={() => remove(null)} />}
    </>
  );
}

function RemoveReply({ kind, reply: { id, shortcut }, onDone, onClose }: ReplyDialogProps & { reply: Reply }) {
  const text = adminStrings.value;
  const run = async () => {
    await request('DELETE', `${PATHS[kind]}/${id}`);
    notify(text.replyRemoved);
    onDone();
  };
  return (
    <Confirm
      title={fill(text.removeTitle, { name: `/${shortcut}` })}
      hint={text.removeReplyHint}
      name={text.removeReply}
      isDanger
      run={run}
      onClose={onClose}
    />
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
        <Name class="hint small" name={[...tagsOf(reply), reply.content].join(' · ')} />
      </button>
      <button type="button" class="button small quiet round" aria-label={remove} title={remove} onClick={onRemove}>
        <Icon name="trash" />
      </button>
    </>
  );
}

/** The language, group, and action of a reply, as words. */
function tagsOf({ language, groupId, ...reply }: Reply): string[] {
  return [language && languageName(language), groupId && groupOf(groupId)?.name, actionWords(reply)].filter(
    (tag): tag is string => Boolean(tag),
  );
}

interface ReplyDialogProps {
  kind: Kind;
  onDone: () => void;
  onClose: () => void;
}

const explains = (error: unknown) =>
  (error as { code?: string }).code === 'conflict' ? adminStrings.value.shortcutTaken : undefined;

/** The values of the form. `action`: empty, CLOSE, or the id of the group to transfer to. */
interface Values {
  shortcut: string;
  content: string;
  language: string;
  groupId: string;
  action: string;
}

const toValues = ({ shortcut, content, language, groupId, action, actionGroupId }: Reply): Values => ({
  shortcut,
  content,
  language: language ?? '',
  groupId: groupId ?? '',
  action: actionGroupId ?? action ?? '',
});

const toFields = (kind: Kind, { shortcut, content, language, groupId, action }: Values) => ({
  shortcut,
  content,
  language: language || null,
  action: action === '' ? null : action === 'CLOSE' ? 'CLOSE' : 'TRANSFER',
  actionGroupId: action === '' || action === 'CLOSE' ? null : action,
  ...(kind === 'everyones' && { groupId: groupId || null }),
});

function NewReply({ kind, onDone, onClose }: ReplyDialogProps) {
  const text = adminStrings.value;
  const form = useCreateForm(
    { shortcut: '', content: '', language: '', groupId: '', action: '' },
    {
      create: (values) => request<Reply>('POST', PATHS[kind], toFields(kind, values)),
      pathOf: ({ id }) => `${PATHS[kind]}/${id}`,
      toFields: (values) => toFields(kind, values),
      onDone: () => {
        notify(text.saved);
        onDone();
      },
      onClose,
      explains,
    },
  );
  return <ReplyDialog kind={kind} title={text.newReply} form={form} onClose={form.close} />;
}

function EditReply({ id, ...props }: ReplyDialogProps & { id: string }) {
  return (
    <ReadFirst
      read={() => request<Reply>('GET', `${PATHS[props.kind]}/${id}`)}
      title={adminStrings.value.editReply}
      form="wide"
      onClose={props.onClose}
    >
      {(reply) => <EditDialog {...props} reply={reply} />}
    </ReadFirst>
  );
}

function EditDialog({ kind, reply, onDone, onClose }: ReplyDialogProps & { reply: Reply }) {
  const text = adminStrings.value;
  const form = useRecordForm(reply, {
    path: `${PATHS[kind]}/${reply.id}`,
    toValues,
    toFields: (values: Values) => toFields(kind, values),
    guards: false,
    explains,
    onSaved: (_saved, isComplete) => {
      notify(text.saved);
      onDone();
      if (isComplete) onClose();
    },
  });
  return <ReplyDialog kind={kind} title={text.editReply} form={form} onClose={onClose} />;
}

interface ReplyFormProps {
  kind: Kind;
  title: string;
  form: FormState<Values>;
  onClose: () => void;
}

function ReplyDialog({ kind, title, form, onClose }: ReplyFormProps) {
  const text = adminStrings.value;
  const unknown = unknownVariables(form.values.content);
  return (
    <Dialog title={title} form="wide" onClose={onClose}>
      <form class="form" noValidate onSubmit={form.submit}>
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
        <UnknownVariables names={unknown} />
        <ReplyDetails kind={kind} form={form} />
        <DialogSaveLine form={form} name={unknown.length > 0 ? text.saveAnyway : text.save} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Who gets the reply, its language, and what follows it. */
function ReplyDetails({ kind, form: { values, set } }: Pick<ReplyFormProps, 'kind' | 'form'>) {
  const text = adminStrings.value;
  const names = groups.value.map(({ id, name }) => [id, name] as const);
  // Others are added with the API.
  const languages = [...new Set([...WIDGET_LANGUAGES, ...(values.language ? [values.language] : [])])];
  const transfers = names.map(([id, name]) => [id, fill(strings.value.thenTransfers, { name })] as const);
  return (
    <div class="selects">
      {kind === 'everyones' && (
        <Select
          label={text.replyFor}
          value={values.groupId}
          choices={[['', text.replyForAll], ...names]}
          onChange={(groupId) => set('groupId', groupId)}
        />
      )}
      <Select
        label={text.replyLanguage}
        value={values.language}
        choices={[['', text.replyAnyLanguage], ...languages.map((tag) => [tag, languageName(tag)] as const)]}
        onChange={(language) => set('language', language)}
      />
      <Select
        label={text.replyThen}
        value={values.action}
        choices={[['', text.replyThenNothing], ['CLOSE', strings.value.thenCloses], ...transfers]}
        onChange={(action) => set('action', action)}
      />
    </div>
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

function UnknownVariables({ names }: { names: readonly string[] }) {
  return (
    <div role="status">
      {names.length > 0 && (
        <p class="warning small">
          <Icon name="alert" />
          {fill(adminStrings.value.unknownVariables, { names: listNames(names) })}
        </p>
      )}
    </div>
  );
}
