import { fill } from '../../headless/text.js';
import { duration } from '../lib/times.js';
import { adminStrings } from '../locales/admin-strings.js';
import { plural } from '../locales/strings.js';
import { now } from '../state/clock.js';
import { groupOf, groups } from '../state/inbox/counts.js';
import { people } from '../state/people.js';
import type { Report, Row } from '../api/types.js';

/** The service stops counting a group's waiting chats here. */
const MAX_COUNTED = 1_000;

interface NowProps {
  groupId: string;
  /** The longest-waiting chat; undefined until it's loaded. */
  longest: Row | null | undefined;
  today: Report | undefined;
}

/** Waiting chats, the longest wait, agents online, and today's numbers. */
export function Now({ groupId, longest, today }: NowProps) {
  const text = adminStrings.value;
  const shown = groups.value.filter(({ id }) => groupId === '' || id === groupId);
  const waiting = shown.reduce((sum, { waitingChats }) => sum + waitingChats, 0);
  const isMore = shown.some(({ waitingChats }) => waitingChats >= MAX_COUNTED);
  const here = people.value.filter(({ groupIds }) => groupId === '' || groupIds.includes(groupId));
  const online = here.filter(({ presence }) => presence === 'ONLINE').length;
  const waited = longest?.queuedAt ? (now.value - Date.parse(longest.queuedAt)) / 1000 : 0;
  const most = groupOf(longest?.group?.id)?.maxWaitSeconds ?? 0;
  const day = today?.days.at(-1);
  return (
    <section aria-labelledby="now">
      <header class="section-head">
        <h2 id="now">{text.now}</h2>
      </header>
      <dl class="tiles">
        <Tile
          name={text.waitingNow}
          value={isMore ? `${fill('{value}', { value: waiting })}+` : waiting}
          isWarning={waiting > 0 && online === 0}
        />
        <Tile
          name={text.longestWait}
          value={longest === undefined ? '–' : longest ? duration(waited) : text.none}
          more={most > 0 && waited > most ? text.tooLong : undefined}
          isWarning={most > 0 && waited > most}
        />
        <Tile name={text.onlineNow} value={online} more={plural(text.onlineOf, here.length)} />
        <Tile name={text.takenToday} value={day?.assigned ?? '–'} />
        <Tile name={text.repliedToday} value={day?.replied ?? '–'} />
        <Tile name={text.unansweredToday} value={day?.unanswered ?? '–'} isWarning={(day?.unanswered ?? 0) > 0} />
      </dl>
    </section>
  );
}

interface TileProps {
  name: string;
  value: string | number;
  more?: string;
  isWarning?: boolean;
}

function Tile({ name, value, more, isWarning = false }: TileProps) {
  return (
    <div class={`tile ${isWarning ? 'warns' : ''}`}>
      <dt>{name}</dt>
      <dd>
        <b>{typeof value === 'number' ? fill('{value}', { value }) : value}</b>
        {more && <span class="hint small">{more}</span>}
      </dd>
    </div>
  );
}
