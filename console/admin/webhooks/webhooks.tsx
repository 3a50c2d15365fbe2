import { useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { basePath } from '../../lib/service.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural, strings } from '../../locales/strings.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { add, adminPath, type Delivery, EVENTS, readAll, readPage, SENDERS, type Webhook } from '../api.js';
import { Checks, TextField } from '../form/fields.js';
import { DialogSaveLine } from '../form/save-line.js';
import { useCreateForm } from '../form/use-create-form.js';
import type { FormState } from '../form/use-form.js';
import { AddButton, Badge, RowLink } from '../parts/page-section.js';
import { Empty, Loaded } from '../parts/loaded.js';
import { type Secret, SecretDialog } from '../parts/copy-field.js';
import { useReading } from '../parts/reading.js';

export function WebhooksPage() {
  const text = adminStrings.value;
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const webhooks = useReading(() => readAll<Webhook>('/webhooks', 'webhooks'));
  const onAdded = (made: Secret) => {
    setSecret(made);
    webhooks.again();
  };
  return (
    <>
      <PageHead title={strings.value.section.webhooks}>
        <AddButton name={text.newWebhook} onClick={() => setAdding(true)} />
      </PageHead>
      <div class="page-body">
        <p class="lead">{text.webhooksLead}</p>
        <Loaded of={webhooks}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="webhook" title={text.noWebhooks} hint={text.noWebhooksHint} />
            ) : (
              <ul class="lines">
                {rows.map((webhook) => (
                  <li key={webhook.id}>
                    <WebhookRow webhook={webhook} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {isAdding && <NewWebhook onDone={onAdded} onClose={() => setAdding(false)} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

function WebhookRow({ webhook: { id, url, events, disabledReason, isEnabled } }: { webhook: Webhook }) {
  const text = adminStrings.value;
  const isAll = events.length === EVENTS.length;
  return (
    <RowLink section="webhooks" id={id}>
      <Icon name="webhook" />
      <span class="line-words">
        <bdi class="line-name" dir="ltr">
          {url}
        </bdi>
        <bdi class="hint small">
          {disabledReason ?? (isAll ? text.allEvents : plural(text.eventCount, events.length))}
        </bdi>
      </span>
      <span class="line-badges">
        {isEnabled && <FailingBadge id={id} />}
        <WebhookBadge isEnabled={isEnabled} />
      </span>
    </RowLink>
  );
}

/** How many failed deliveries are read, at most. */
const MAX_FAILED = 50;

/** The deliveries that the service gave up, newest first: until they're resent, their receiver lacks them. @throws RequestError */
export async function readFailed(id: string): Promise<{ rows: Delivery[]; hasMore: boolean }> {
  const query = { status: 'dead', limit: String(MAX_FAILED) };
  const { rows, cursor } = await readPage<Delivery>(`/webhooks/${id}/deliveries`, 'deliveries', null, query);
  return { rows, hasMore: cursor !== null };
}

function FailingBadge({ id }: { id: string }) {
  const failed = useReading(() => readFailed(id));
  return failed.value?.rows.length ? <Badge kind="bad">{adminStrings.value.isFailing}</Badge> : null;
}

export function WebhookBadge({ isEnabled }: { isEnabled: boolean }) {
  const text = adminStrings.value;
  return isEnabled ? <Badge kind="good">{text.isOn}</Badge> : <Badge kind="bad">{text.isOff}</Badge>;
}

export interface WebhookValues {
  url: string;
  events: string[];
  senderTypes: string[];
}

export function WebhookFields<V extends WebhookValues>({ form, isNew }: { form: FormState<V>; isNew?: boolean }) {
  const text = adminStrings.value;
  return (
    <>
      <TextField
        form={form}
        name="url"
        label={text.url}
        hint={text.urlHint}
        rule={(detail) => <UrlRule detail={detail} url={form.values.url} />}
        input={{ type: 'url', required: true, maxLength: 2_048, dir: 'ltr', placeholder: 'https://', autofocus: isNew }}
      />
      <Checks
        form={form}
        name="events"
        label={text.events}
        rule={text.oneNeeded}
        choices={EVENTS.map((value) => ({ value, name: value, hint: text.eventHint[value] }))}
      />
      {form.values.events.includes('message.created') && (
        <Checks
          form={form}
          name="senderTypes"
          label={text.senders}
          hint={text.sendersHint}
          rule={text.oneNeeded}
          choices={SENDERS.map((value) => ({ value, name: text.sender[value] }))}
        />
      )}
    </>
  );
}

/** Why a URL is refused: its form, or because only a setting of the service allows its host. */
function UrlRule({ detail, url }: { detail: string; url: string }) {
  const text = adminStrings.value;
  if (!detail.includes('WEBHOOK_ALLOWED_HOSTS') || !URL.canParse(url)) return <>{text.urlRule}</>;
  return (
    <>
      {fill(text.urlNotAllowed, { host: new URL(url).host })}{' '}
      <a href={`${basePath}/docs/reference/webhooks#addresses`} target="_blank" rel="noreferrer">
        {text.urlDocs}
      </a>
    </>
  );
}

/** Omits filters that match everything, so that event types of later releases are included. */
function toFilters({ events, senderTypes }: WebhookValues) {
  return {
    ...(events.length < EVENTS.length && { events }),
    ...(senderTypes.length < SENDERS.length && { senderTypes }),
  };
}

export function webhookSecret(value: string): Secret {
  const text = adminStrings.value;
  return { title: text.secretTitle, hint: text.secretHint, label: text.secret, value };
}

function NewWebhook({ onDone, onClose }: { onDone: (secret: Secret) => void; onClose: () => void }) {
  const text = adminStrings.value;
  const secret = useRef('');
  const form = useCreateForm<Webhook, WebhookValues>(
    { url: '', events: [...EVENTS], senderTypes: [...SENDERS] },
    {
      create: async (values) => {
        const made = await add<Webhook & { secret: string }>('/webhooks', {
          url: values.url.trim(),
          ...toFilters(values),
        });
        secret.current = made.secret;
        return made;
      },
      pathOf: ({ id }) => adminPath(`/webhooks/${id}`),
      toFields: (values) => ({ ...values, url: values.url.trim() }),
      onDone: () => onDone(webhookSecret(secret.current)),
      onClose,
    },
  );
  return (
    <Dialog title={text.newWebhook} form="wide" onClose={form.close}>
      <form class="form" noValidate onSubmit={form.submit}>
        <WebhookFields form={form} isNew />
        <DialogSaveLine form={form} name={text.addWebhook} onClose={form.close} />
      </form>
    </Dialog>
  );
}
