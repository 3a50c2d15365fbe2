import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { clockTime, fullTime, shortDate } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural } from '../../locales/strings.js';
import { serverNow } from '../../state/clock.js';
import { notify } from '../../state/notices.js';
import { Dialog } from '../../ui/parts/dialog.js';
import { ChatLink } from '../../ui/parts/chat-link.js';
import { Icon } from '../../ui/parts/icon.js';
import { notifyFailure } from '../parts/explain.js';
import { add, type Delivery, EVENTS, read, readPage, STATUSES } from '../api.js';
import { Choices } from '../form/fields.js';
import { DialogSaveLine } from '../form/save-line.js';
import { useForm } from '../form/use-form.js';
import { Ago, Badge, PageSection } from '../parts/page-section.js';
import { CopyField } from '../parts/copy-field.js';
import { More, Loaded } from '../parts/loaded.js';
import { Select } from '../parts/filter.js';
import { usePages, useReading } from '../parts/reading.js';
import { isSuccess, outcomeWords } from './outcome.js';

const KINDS = { pending: 'warn', in_flight: 'plain', delivered: 'good', dead: 'bad' } as const;

/** The deliveries of a webhook, newest first, with their attempts. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const text = adminStrings.value;
  const path = `/webhooks/${webhookId}/deliveries`;
  const [status, setStatus] = useState('');
  const [type, setType] = useState('');
  const [isAsking, setAsking] = useState(false);
  const pages = usePages<Delivery>(
    (cursor) => readPage(path, 'deliveries', cursor, { status, type, limit: '25' }),
    [status, type],
  );
  const statuses = STATUSES.map((value) => [value, text.deliveryStatus[value]] as const);
  const put = (changed: Delivery) => pages.update((rows) => rows.map((one) => (one.id === changed.id ? changed : one)));
  return (
    <PageSection
      title={text.deliveries}
      hint={text.deliveriesHint}
      action={
        <button type="button" class="button small" onClick={pages.again}>
          <Icon name="refresh" />
          {text.refresh}
        </button>
      }
    >
      <div class="filters">
        <Select label={text.statusName} value={status} choices={[['', text.all], ...statuses]} onChange={setStatus} />
        <Select
          label={text.eventName}
          value={type}
          choices={[['', text.all], ...EVENTS.map((one) => [one, one] as const)]}
          onChange={setType}
        />
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {text.resendAll}
        </button>
      </div>
      <Loaded of={pages}>
        {(rows) => (
          <>
            {rows.length === 0 && <p class="hint">{status || type ? text.noneFits : text.noDeliveries}</p>}
            <ul class="lines">
              {rows.map((delivery) => (
                <li key={delivery.id}>
                  <DeliveryLine path={path} delivery={delivery} onChange={put} />
                </li>
              ))}
            </ul>
            <More pages={pages} />
          </>
        )}
      </Loaded>
      {isAsking && <ResendAll path={path} onDone={pages.again} onClose={() => setAsking(false)} />}
    </PageSection>
  );
}

interface DeliveryLineProps {
  path: string;
  delivery: Delivery;
  onChange: (changed: Delivery) => void;
}

function DeliveryLine({ path, delivery, onChange }: DeliveryLineProps) {
  const text = adminStrings.value;
  const [isOpen, setOpen] = useState(false);
  const { type, status, createdAt, attempts } = delivery;
  const last = attempts.at(-1);
  return (
    <details class="delivery" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Badge kind={KINDS[status]}>{text.deliveryStatus[status]}</Badge>
        <span class="line-words">
          <code class="line-name">{type}</code>
          <bdi class="hint small">{last ? outcomeWords(last) : text.noAttempt}</bdi>
        </span>
        <span class="line-more hint small">
          <Ago at={createdAt} />
          <span>{plural(text.attemptCount, attempts.length)}</span>
        </span>
      </summary>
      {isOpen && <DeliveryDetails path={path} delivery={delivery} onChange={onChange} />}
    </details>
  );
}

function DeliveryDetails({ path, delivery, onChange }: DeliveryLineProps) {
  const text = adminStrings.value;
  const { id, eventId, chatId, status, nextAttemptAt, attempts } = delivery;
  const sent = useReading(() => read<Delivery & { payload: string }>(`${path}/${id}`));
  const [isBusy, setBusy] = useState(false);
  const resend = () => {
    setBusy(true);
    add<Delivery>(`${path}/${id}/redeliver`)
      .then((changed) => {
        onChange(changed);
        notify(text.resentNow);
      }, notifyFailure)
      .finally(() => setBusy(false));
  };
  return (
    <div class="delivery-more">
      <p class="small hint">
        {text.eventId} <code>{eventId}</code>
        {nextAttemptAt && ` · ${fill(text.nextAttempt, { time: fullTime(nextAttemptAt) })}`}
        {chatId && (
          <>
            {' · '}
            <ChatLink chatId={chatId} view="OPEN">
              {text.mail.openChat}
            </ChatLink>
          </>
        )}
      </p>
      {attempts.length > 0 && <Attempts attempts={attempts} />}
      <Loaded of={sent}>{({ payload }) => <CopyField label={text.payload} value={pretty(payload)} isLong />}</Loaded>
      {(status === 'dead' || status === 'delivered') && (
        <button type="button" class="button small" disabled={isBusy} onClick={resend}>
          <Icon name="refresh" />
          {text.resend}
        </button>
      )}
    </div>
  );
}

function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  const text = adminStrings.value;
  return (
    <div class="table-wrap" tabIndex={0} role="group" aria-label={text.attempts}>
      <table class="table">
        <caption class="hidden">{text.attempts}</caption>
        <thead>
          <tr>
            <th scope="col">{text.when}</th>
            <th scope="col">{text.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <tr key={attempt.at}>
              <td>
                <time dateTime={attempt.at} title={fullTime(attempt.at)}>
                  {shortDate(attempt.at)}, {clockTime(attempt.at)}
                </time>
              </td>
              <td class={isSuccess(attempt) ? 'good' : 'bad'}>
                <bdi>{outcomeWords(attempt)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function pretty(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

const HOURS = ['1', '24', '72', '168'] as const;
const HOUR_MS = 3_600_000;

/** Resends the deliveries that failed since a chosen time. */
function ResendAll({ path, onDone, onClose }: { path: string; onDone: () => void; onClose: () => void }) {
  const text = adminStrings.value;
  const form = useForm({ hours: '24' as (typeof HOURS)[number] }, async ({ hours }) => {
    const since = new Date(serverNow() - Number(hours) * HOUR_MS).toISOString();
    const { count } = await add<{ count: number }>(`${path}/redeliver`, { since });
    notify(plural(text.resentCount, count));
    onDone();
    if (form.isShown.current) onClose();
  });
  return (
    <Dialog title={text.resendAllTitle} onClose={onClose}>
      <form class="form" noValidate onSubmit={form.submit}>
        <p class="hint">{text.resendAllHint}</p>
        <Choices
          form={form}
          name="hours"
          label={text.givenUpSince}
          choices={HOURS.map((value) => ({ value, name: text.sinceChoice[value] }))}
        />
        <DialogSaveLine form={form} name={text.resendNow} onClose={onClose} />
      </form>
    </Dialog>
  );
}
