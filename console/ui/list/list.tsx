import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { ViewName } from '../../api/types.js';
import { strings } from '../../locales/strings.js';
import { counts } from '../../state/inbox/counts.js';
import { bulkRun, endSelecting, isSelecting } from '../../state/inbox/selection.js';
import { go } from '../../state/route.js';
import {
  hasMore,
  isLoaded,
  listVersion,
  type Place,
  readAgain,
  readMore,
  viewFailure,
  visibleRows,
} from '../../state/inbox/views.js';
import { isAdmin } from '../../state/session.js';
import { Icon } from '../parts/icon.js';
import { nameOfPlace } from '../nav/nav.js';
import { LazyDialog } from '../lazy-dialog.js';
import { openPalette, overlay } from '../screen.js';
import { useSize } from '../parts/use-size.js';
import { useVirtual } from '../parts/use-virtual.js';
import { Filters, showUnfiltered } from './filters.js';
import { RowLine } from './row-line.js';

/** The height of a row at the default text size. */
const ROW_HEIGHT_PX = 84;

const EMPTY = {
  MINE: ['nothingMine', 'nothingMineHint'],
  SNOOZED: ['nothingSnoozed', 'nothingSnoozedHint'],
  WAITING: ['nothingWaiting', 'nothingWaitingHint'],
  BOT: ['nothingBot', 'nothingBotHint'],
  OPEN: ['nothingOpen', 'nothingOpenHint'],
  CLOSED: ['nothingClosed', 'nothingClosedHint'],
} as const satisfies Record<ViewName, readonly [string, string]>;

const GROUP_VIEWS = [
  { view: 'WAITING', name: 'waiting' },
  { view: 'MINE', name: 'mine' },
  { view: 'OPEN', name: 'allOpen' },
] as const;

/** The chats of the current view. */
export function List({ place }: { place: Place }) {
  const text = strings.value;
  const name = nameOfPlace(place);
  return (
    <section class="list" aria-label={fill(text.chatsOf, { view: name })}>
      <header class="pane-head">
        <button
          type="button"
          class="button quiet round only-narrow"
          aria-label={text.menu}
          onClick={() => (overlay.value = 'menu')}
        >
          <Icon name="menu" />
        </button>
        <h1 class="one-line" title={name}>
          <bdi>{name}</bdi>
        </h1>
        <button
          type="button"
          class="button quiet round"
          aria-label={text.selectChats}
          title={`${text.selectChats} (X)`}
          aria-pressed={isSelecting.value}
          onClick={() => (isSelecting.value ? endSelecting() : (isSelecting.value = true))}
        >
          <Icon name="done" />
        </button>
        <button
          type="button"
          class="button quiet round"
          aria-label={text.palette}
          title={`${text.palette} (Ctrl K)`}
          onClick={openPalette}
        >
          <Icon name="search" />
        </button>
      </header>
      {place.groupId !== undefined && <GroupViews place={place} />}
      <Filters place={place} />
      {(isSelecting.value || bulkRun.value) && <LazyDialog name="selection" />}
      <Rows place={place} />
    </section>
  );
}

/** The views of a group; waiting chats come first. */
function GroupViews({ place }: { place: Place }) {
  const text = strings.value;
  return (
    <div class="switch list-switch" role="group" aria-label={text.views}>
      {GROUP_VIEWS.map(({ view, name }) => (
        <button
          key={view}
          type="button"
          class="button small"
          aria-pressed={place.view === view}
          onClick={() => go({ page: 'inbox', place: { view, groupId: place.groupId } })}
        >
          {text[name]}
        </button>
      ))}
    </div>
  );
}

function Rows({ place }: { place: Place }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = visibleRows.value;
  const sample = useRef<HTMLElement>(null);
  const { height } = useSize(sample, 'row', { width: 1, height: ROW_HEIGHT_PX });
  const virtual = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: useCallback((index) => rows[index]?.id ?? index, [rows, height]),
    overscan: 6,
  });
  const measured = useRef(height);
  // Larger text makes taller rows: keep the same ones in view.
  useLayoutEffect(() => {
    if (measured.current === height) return;
    scroller.current!.scrollTop *= height / measured.current;
    measured.current = height;
  }, [height]);
  const readNext = () => {
    // Scroll events arrive with the next frame, when the list may already be unmounted.
    if (!scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    if (hasMore.value && scrollHeight - scrollTop - clientHeight < 6 * height) void readMore();
  };
  // The loaded rows may not fill the page, and a requested page may have been outdated.
  const version = listVersion.value;
  useEffect(readNext, [version]);
  const items = virtual.getVirtualItems();
  return (
    <div class="rows" ref={scroller} onScroll={readNext} tabIndex={-1} aria-busy={!isLoaded.value}>
      <i class="row-size" ref={sample} />
      {rows.length === 0 ? (
        <NoRows place={place} />
      ) : (
        <ul class="row-list" style={{ height: `${virtual.getTotalSize()}px` }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && <RowLine key={key} row={row} start={start} place={place} position={index + 1} size={rows.length} />
            );
          })}
        </ul>
      )}
    </div>
  );
}

function NoRows({ place: { view, groupId, agentId, isUnanswered } }: { place: Place }) {
  const text = strings.value;
  if (!isLoaded.value && (viewFailure.value === 'not_found' || viewFailure.value === 'forbidden')) {
    return (
      <div class="empty" role="alert">
        <p class="empty-title">{text.groupGone}</p>
        <p class="hint">{text.groupGoneHint}</p>
      </div>
    );
  }
  if (viewFailure.value && !isLoaded.value) {
    return (
      <div class="empty" role="alert">
        <p>{text.listFailed}</p>
        <button type="button" class="button" onClick={() => void readAgain().catch(() => undefined)}>
          {text.tryAgain}
        </button>
      </div>
    );
  }
  if (!isLoaded.value) {
    return (
      <div class="skeletons" role="status">
        <span class="hidden">{text.loading}</span>
        {[0, 1, 2, 3].map((key) => (
          <i key={key} />
        ))}
      </div>
    );
  }
  if (agentId !== undefined || isUnanswered) {
    return (
      <div class="empty">
        <p class="empty-title">{text.noFiltered}</p>
        <button type="button" class="button" onClick={() => showUnfiltered({ view, groupId })}>
          {text.showAll}
        </button>
      </div>
    );
  }
  const [title, hint] = EMPTY[view];
  return (
    <div class="empty">
      <p class="empty-title">{text[title]}</p>
      <p class="hint">{text[hint]}</p>
      {view === 'MINE' && <FirstSteps />}
    </div>
  );
}

/** Leads the administrator of an organization without open chats to its first steps. */
function FirstSteps() {
  const { waiting, bot } = counts.value ?? {};
  if (!isAdmin() || waiting !== 0 || bot !== 0) return null;
  return (
    <button type="button" class="button" onClick={() => go({ page: 'admin', section: 'setup' })}>
      {strings.value.section.setup}
    </button>
  );
}
