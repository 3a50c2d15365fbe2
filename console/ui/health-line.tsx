import { useEffect } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import type { Trouble } from '../admin/api.js';
import { dayAndTime } from '../lib/times.js';
import { dialogStrings } from '../locales/dialog-strings.js';
import { plural, strings } from '../locales/strings.js';
import { dismissTroubles, news, troubles, watchHealth } from '../state/health.js';
import { linkTo, route, type Route } from '../state/route.js';
import { isAdmin } from '../state/session.js';
import { Icon } from './parts/icon.js';
import '../styles/health.css';

/** What needs an administrator, in one line at the top of the page. The overview lists all of it. */
export function HealthLine() {
  return isAdmin() ? <Line /> : null;
}

function Line() {
  useEffect(watchHealth, []);
  const [first, ...others] = news.value;
  if (!first || route.value.page === 'overview') return null;
  return (
    <p class="health">
      <Icon name="alert" />
      <bdi class="health-words" title={wordsOf(first)}>
        {wordsOf(shortened(first))}
      </bdi>
      <a {...linkTo(targetOf(first))}>{strings.value.show}</a>
      {others.length > 0 && (
        <a {...linkTo({ page: 'overview' })}>{plural(dialogStrings.value.health.more, others.length)}</a>
      )}
      <button
        type="button"
        class="button quiet round"
        aria-label={strings.value.dismiss}
        title={dialogStrings.value.health.dismissHint}
        onClick={dismissTroubles}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}

/** All that needs an administrator, even what was dismissed. */
export function HealthList() {
  const all = troubles.value;
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="health">
      <header class="section-head">
        <h2 id="health">{dialogStrings.value.health.title}</h2>
      </header>
      <ul class="health-list">
        {all.map((trouble) => (
          <li key={`${trouble.kind} ${trouble.id}`} class="warning">
            <Icon name="alert" />
            <span>
              <bdi>{wordsOf(trouble)}</bdi> <a {...linkTo(targetOf(trouble))}>{strings.value.show}</a>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function targetOf({ kind, id }: Trouble): Route {
  if (kind === 'mail_failing') return { page: 'admin', section: 'mail' };
  if (kind === 'mail_to_check') return { page: 'inbox', place: { view: 'OPEN' }, chatId: id ?? undefined };
  if (kind === 'nobody_online') return { page: 'inbox', place: { view: 'WAITING', groupId: id ?? undefined } };
  const section = kind.startsWith('webhook') ? 'webhooks' : 'bots';
  return { page: 'admin', section, id: id ?? undefined };
}

function wordsOf({ kind, name, since, count }: Trouble): string {
  const { health } = dialogStrings.value;
  const time = since ? dayAndTime(since) : '';
  const amount = count ?? 0;
  switch (kind) {
    case 'webhook_failing': {
      const lost = amount > 0 ? ` ${plural(health.givenUp, amount)}` : '';
      return fill(health.webhookFailing, { name: hostOf(name), time }) + lost;
    }
    case 'webhook_disabled':
      return fill(health.webhookDisabled, { name: hostOf(name) });
    case 'bot_silent':
      return name ? fill(health.botSilent, { name, time }) : fill(health.botsSilent, { time });
    case 'connection_failing':
      return fill(plural(health.connectionFailing, amount), { name: name ?? '' });
    case 'connection_paused':
      return fill(health.connectionPaused, { name: name ?? '' });
    case 'nobody_online':
      return fill(plural(health.nobodyOnline, amount), { name: name ?? '' });
    case 'mail_failing':
      return fill(health.mailFailing, { time });
    case 'mail_to_check':
      return fill(plural(health.mailToCheck, amount), { time });
  }
}

/** The most characters of a name in the line, so that what happened is seen. */
const MAX_NAME = 40;

function shortened(trouble: Trouble): Trouble {
  const letters = [...(trouble.name ?? '')];
  if (trouble.kind.startsWith('webhook') || letters.length <= MAX_NAME) return trouble;
  return { ...trouble, name: `${letters.slice(0, MAX_NAME - 1).join('')}…` };
}

function hostOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).host : (url ?? '');
}
