import { adminStrings } from '../../locales/admin-strings.js';
import { plural } from '../../locales/strings.js';
import { now } from '../../state/clock.js';
import { Icon } from '../../ui/parts/icon.js';
import {
  type Bot,
  type Delivery,
  type Page,
  read,
  readAll,
  readPage,
  type Subscription,
  type Webhook,
} from '../api.js';
import { Loaded } from '../parts/loaded.js';
import { Ago, PageSection } from '../parts/page-section.js';
import { useEvery, useReading } from '../parts/reading.js';
import { isSuccess, outcomeWords } from '../webhooks/outcome.js';

/** An event that waits for longer than this marks its bot as silent. */
const SILENT_AFTER_SECONDS = 60;
/** How often the section is read again, while it's visible. */
const AGAIN_EVERY_MS = 10_000;
/** The most webhooks whose last answers are shown. */
const MAX_WEBHOOKS = 10;

/** Whether the bot takes its events: since when it hasn't polled, or what the webhooks answer. */
export function Fetching({ bot }: { bot: Bot }) {
  return (
    <PageSection title={adminStrings.value.fetching}>
      {bot.hasSubscription ? <Polling bot={bot} /> : <Answers />}
    </PageSection>
  );
}

function Polling({ bot }: { bot: Bot }) {
  const found = useReading(() => read<Subscription>(`/bots/${bot.id}/subscription`));
  useEvery(AGAIN_EVERY_MS, found.again, []);
  return <Loaded of={found}>{(subscription) => <SubscriptionState subscription={subscription} />}</Loaded>;
}

function SubscriptionState({ subscription: { pending, oldestAt, lastPolledAt } }: { subscription: Subscription }) {
  const text = adminStrings.value;
  const isSilent = oldestAt !== null && (now.value - Date.parse(oldestAt)) / 1000 > SILENT_AFTER_SECONDS;
  const words = (
    <>
      {plural(text.pendingEvents, pending)}
      {oldestAt && (
        <>
          {' '}
          ({text.oldest} <Ago at={oldestAt} />)
        </>
      )}
      {' · '}
      {lastPolledAt ? (
        <>
          {text.lastFetched} <Ago at={lastPolledAt} />
        </>
      ) : (
        text.neverFetched
      )}
    </>
  );
  if (!isSilent) return <p>{words}</p>;
  return (
    <p class="outcome bad" role="status">
      <Icon name="alert" />
      <span>
        <b>{text.botIsSilent}</b> {words}
      </span>
    </p>
  );
}

interface LastAnswer {
  webhook: Webhook;
  delivery: Delivery | undefined;
}

/** A bot without a subscription may get its events from any webhook of the organization. */
async function readAnswers(): Promise<LastAnswer[]> {
  const webhooks = (await readAll<Webhook>('/webhooks', 'webhooks')).slice(0, MAX_WEBHOOKS);
  const pages: Page<Delivery>[] = await Promise.all(
    webhooks.map(({ id }) => readPage<Delivery>(`/webhooks/${id}/deliveries`, 'deliveries', null, { limit: '1' })),
  );
  return webhooks.map((webhook, index) => ({ webhook, delivery: pages[index]!.rows[0] }));
}

function Answers() {
  const text = adminStrings.value;
  const found = useReading(readAnswers);
  useEvery(AGAIN_EVERY_MS, found.again, []);
  return (
    <Loaded of={found}>
      {(answers) =>
        answers.length === 0 ? (
          <p class="hint">{text.notFetching}</p>
        ) : (
          <>
            <p class="hint">{text.webhookAnswers}</p>
            {answers.map((answer) => (
              <Answer key={answer.webhook.id} {...answer} />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

function Answer({ webhook: { url, isEnabled, disabledReason }, delivery }: LastAnswer) {
  const text = adminStrings.value;
  const last = delivery?.attempts.at(-1);
  const isBad = !isEnabled || (last !== undefined && !isSuccess(last));
  const words = isEnabled ? (last ? outcomeWords(last) : text.noAttempt) : (disabledReason ?? text.isOff);
  return (
    <p class={`outcome ${isBad ? 'bad' : 'good'}`}>
      <Icon name={isBad ? 'alert' : 'done'} />
      <span>
        <b>
          <bdi>{url}</bdi>
        </b>{' '}
        <bdi>{words}</bdi>
      </span>
    </p>
  );
}
