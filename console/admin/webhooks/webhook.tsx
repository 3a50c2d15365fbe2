import { useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { fullTime } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural, strings } from '../../locales/strings.js';
import { notify } from '../../state/notices.js';
import { Icon } from '../../ui/parts/icon.js';
import { PageHead } from '../../ui/parts/page-head.js';
import { useSteadyAction } from '../../ui/parts/use-steady-action.js';
import { notifyFailure } from '../parts/explain.js';
import { add, adminPath, change, type Outcome, read, type Webhook } from '../api.js';
import { Deliveries } from './deliveries.js';
import { isSuccess, outcomeWords } from './outcome.js';
import { SavePageLine } from '../form/save-line.js';
import { Confirm } from '../parts/confirm.js';
import { ActionRow, PageSection } from '../parts/page-section.js';
import { type Secret, SecretDialog } from '../parts/copy-field.js';
import { Loaded } from '../parts/loaded.js';
import { type Reading, useReading } from '../parts/reading.js';
import { useRecordForm } from '../form/use-record-form.js';
import { Removal } from '../parts/removal.js';
import { readFailed, WebhookBadge, WebhookFields, webhookSecret, type WebhookValues } from './webhooks.js';

const WEBHOOKS = { page: 'admin', section: 'webhooks' } as const;
const TEST_TIMEOUT_MS = 60_000;

export function WebhookPage({ id }: { id: string }) {
  const title = strings.value.section.webhooks;
  const webhook = useReading(() => read<Webhook>(`/webhooks/${id}`));
  return (
    <>
      <PageHead title={webhook.value?.url ?? title} back={{ target: WEBHOOKS, name: title }}>
        {webhook.value && <WebhookBadge isEnabled={webhook.value.isEnabled} />}
      </PageHead>
      <div class="page-body">
        <Loaded of={webhook}>
          {(value) => (
            <>
              {!value.isEnabled && value.disabledReason && (
                <p class="warning">
                  <Icon name="alert" />
                  <bdi>{fill(adminStrings.value.disabledWhy, { reason: value.disabledReason })}</bdi>
                </p>
              )}
              {value.isEnabled && <Failing id={value.id} />}
              <Test webhook={value} />
              <Deliveries webhookId={id} />
              <Settings webhook={value} reading={webhook} />
              <Actions webhook={value} reading={webhook} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

/** Says that the receiver lacks events. */
function Failing({ id }: { id: string }) {
  const text = adminStrings.value;
  const { value } = useReading(() => readFailed(id));
  const [last] = value?.rows ?? [];
  if (!value || !last) return null;
  const outcome = last.attempts.at(-1);
  const count = plural(text.failedCount, value.rows.length);
  return (
    <p class="warning" role="status">
      <Icon name="alert" />
      <bdi>
        {fill(value.hasMore ? text.failedMore : text.failedSince, {
          count,
          time: fullTime(value.rows.at(-1)!.createdAt),
          outcome: outcome ? outcomeWords(outcome) : text.noAttempt,
        })}
      </bdi>
    </p>
  );
}

/** Sends a test event and shows the response. */
function Test({ webhook }: { webhook: Webhook }) {
  const text = adminStrings.value;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isBusy, setBusy] = useState(false);
  const test = () => {
    setBusy(true);
    setOutcome(null);
    add<Outcome>(`/webhooks/${webhook.id}/ping`, {}, TEST_TIMEOUT_MS)
      .then(setOutcome, notifyFailure)
      .finally(() => setBusy(false));
  };
  return (
    <PageSection
      title={text.test}
      hint={text.testHint}
      action={
        <button type="button" class="button small" disabled={isBusy} onClick={test}>
          <Icon name="play" />
          {isBusy ? text.testing : text.testNow}
        </button>
      }
    >
      <div role="status">{outcome && <TestOutcome outcome={outcome} />}</div>
    </PageSection>
  );
}

function TestOutcome({ outcome }: { outcome: Outcome }) {
  const text = adminStrings.value;
  const isGood = isSuccess(outcome);
  return (
    <p class={`outcome ${isGood ? 'good' : 'bad'}`}>
      <Icon name={isGood ? 'done' : 'alert'} />
      <span>
        <b>{isGood ? text.testWorked : text.testFailed}</b> <bdi>{outcomeWords(outcome)}</bdi>
      </span>
    </p>
  );
}

function Settings({ webhook, reading }: { webhook: Webhook; reading: Reading<Webhook> }) {
  const text = adminStrings.value;
  const form = useRecordForm<Webhook, WebhookValues>(webhook, {
    path: adminPath(`/webhooks/${webhook.id}`),
    toValues: ({ url, events, senderTypes }) => ({ url, events, senderTypes }),
    toFields: (values) => ({ ...values, url: values.url.trim() }),
    onSaved: (saved) => {
      reading.set(saved);
      notify(text.saved);
    },
  });
  return (
    <PageSection title={text.settings}>
      <form class="form" noValidate onSubmit={form.submit}>
        <WebhookFields form={form} />
        <SavePageLine form={form} />
      </form>
    </PageSection>
  );
}

function Actions({ webhook, reading }: { webhook: Webhook; reading: Reading<Webhook> }) {
  const text = adminStrings.value;
  const path = `/webhooks/${webhook.id}`;
  const [asks, ask] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const { isBusy, act } = useSteadyAction();
  const { isEnabled, previousSecretExpiresAt } = webhook;
  const enable = () => {
    void act(() => change<Webhook>(path, { isEnabled: !isEnabled }).then(reading.set, notifyFailure));
  };
  const rotate = async () => {
    const { secret: made } = await add<{ secret: string }>(`${path}/rotate-secret`);
    setSecret(webhookSecret(made));
    reading.again();
  };
  return (
    <PageSection title={text.moreActions}>
      <ActionRow title={isEnabled ? text.turnOff : text.turnOn} hint={isEnabled ? text.turnOffHint : text.turnOnHint}>
        <button type="button" class="button" aria-disabled={isBusy} onClick={enable}>
          {isEnabled ? text.turnOff : text.turnOn}
        </button>
      </ActionRow>
      <ActionRow
        title={text.newSecret}
        hint={
          previousSecretExpiresAt
            ? fill(text.secretRotating, { time: fullTime(previousSecretExpiresAt) })
            : text.newSecretHint
        }
      >
        <button type="button" class="button" onClick={() => ask(true)}>
          <Icon name="key" />
          {text.newSecret}
        </button>
      </ActionRow>
      <Removal
        name={webhook.url}
        title={text.removeWebhook}
        hint={text.removeWebhookHint}
        path={path}
        list={WEBHOOKS}
        question={text.removeWebhookTitle}
        told={text.webhookRemoved}
      />
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
      {asks && (
        <Confirm
          title={text.newSecret}
          hint={text.newSecretHint}
          name={text.newSecret}
          run={rotate}
          onClose={() => ask(false)}
        />
      )}
    </PageSection>
  );
}
