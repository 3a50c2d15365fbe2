import { effect, untracked } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { strings } from '../locales/strings.js';
import { isConnected } from '../state/connection.js';
import { isSure } from '../state/live.js';
import { dismiss, notices, runAction } from '../state/notices.js';
import { loadFilesCode } from '../state/chat/draft-files.js';
import { openChat, show } from '../state/chat/open-chat.js';
import { readReplies } from '../state/chat/replies.js';
import { leaving, route } from '../state/route.js';
import { rowOf } from '../state/inbox/rows.js';
import { endSelecting } from '../state/inbox/selection.js';
import { isLocked, loadSession, session } from '../state/session.js';
import { watchSteadiness } from '../state/steady.js';
import { showPlace } from '../state/inbox/views.js';
import { ChatPane } from './chat/chat-pane.js';
import { leaveKind } from './composer/composer-kind.js';
import { Dialog } from './parts/dialog.js';
import { Icon } from './parts/icon.js';
import { listenToKeys } from './keys.js';
import { LazyDialog, loadDialogs } from './lazy-dialog.js';
import { LazyPage, LeavingDialog } from './lazy-page.js';
import { List } from './list/list.js';
import { Nav } from './nav/nav.js';
import { OFFLINE_AFTER_MS } from './nav/presence-panel.js';
import { useLate } from './parts/use-late.js';
import { OfferCards } from './offer-cards.js';
import { isOfChat, isSideShown, isWide, openDialogs, overlay } from './screen.js';
import { Splash } from './sign-in/splash.js';

/** When the dialogs are loaded, after the first view. */
const DIALOGS_AFTER_MS = 2_000;
/** The maximum delay between two attempts to load the session. */
const MAX_RETRY_DELAY_MS = 10_000;

/** Whether the service is a drill: it sends no webhooks, and removes nothing by itself. */
const isDrill = document.documentElement.hasAttribute('data-drill');

/** The console: the sign-in page, or the desk. In a drill, a line above says so. */
export function App() {
  return (
    <>
      {isDrill && (
        <p class="drill" role="status">
          {strings.value.drill}
        </p>
      )}
      <CurrentPage />
    </>
  );
}

function CurrentPage() {
  const [failures, setFailures] = useState(0);
  const load = () => {
    loadSession().catch(() => setFailures((count) => count + 1));
  };
  const isUnknown = session.value === undefined;
  useEffect(() => {
    if (failures === 0 || !isUnknown) return;
    const timer = setTimeout(load, Math.min(2 ** failures * 500, MAX_RETRY_DELAY_MS));
    return () => clearTimeout(timer);
  }, [failures, isUnknown]);
  const isLink = route.value.page === 'link';
  useEffect(() => {
    if (!isLink && isUnknown) load();
  }, [isLink]);
  if (isLink) return <Lazy key="link" load={() => import('./sign-in/link-page.js')} />;
  if (isUnknown) return <Splash failure={failures > 0} onRetry={load} />;
  return (
    <>
      {session.value && <Desk key={session.value.agent.id} />}
      {(!session.value || isLocked.value) && <Lazy key="sign-in" load={() => import('./sign-in/sign-in.js')} />}
    </>
  );
}

/** A page for agents who aren't signed in. Most are, so it isn't part of the first load. */
function Lazy({ load }: { load: () => Promise<{ Page: ComponentType }> }) {
  const [{ Page, hasFailed = false }, setLoaded] = useState<{ Page?: ComponentType; hasFailed?: boolean }>({});
  useEffect(() => {
    load().then(setLoaded, () => setLoaded({ hasFailed: true }));
  }, []);
  return Page ? <Page /> : <Splash failure={hasFailed} onRetry={() => location.reload()} />;
}

function Desk() {
  const at = route.value;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const ends = [listenToKeys(), followRoute(), watchSteadiness()];
    const timer = setTimeout(() => {
      loadDialogs().then(
        () => setLate(true),
        () => undefined,
      );
      loadFilesCode().catch(() => undefined);
      void readReplies();
    }, DIALOGS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      overlay.value = null;
      ends.forEach((end) => end());
    };
  }, []);
  if (at.page === 'link') return null;
  const isInbox = at.page === 'inbox';
  const isSide =
    isInbox &&
    isWide.value &&
    isSideShown.value &&
    Boolean(openChat.value?.detail.value) &&
    openChat.value?.state.value !== 'gone';
  const hasChat = isInbox && at.chatId !== undefined;
  return (
    <div
      class={`desk ${hasChat ? 'has-chat' : ''} ${isSide ? 'has-side' : ''} ${isInbox ? '' : 'has-page'} ${isLocked.value ? 'is-locked' : ''}`}
    >
      <Nav />
      {isInbox ? (
        <main class="panes">
          <List place={at.place} />
          <ChatPane />
        </main>
      ) : (
        <main class="page">
          <LazyPage at={at} />
        </main>
      )}
      {isSide && <LazyDialog name="side" />}
      <ConnectionLine>{isLate && <LazyDialog name="health" />}</ConnectionLine>
      {openDialogs.value === 0 && <OfferCards />}
      <Overlay />
      {leaving.value && <LeavingDialog goOn={leaving.value} />}
      <Notices />
    </div>
  );
}

/** Shows what the route names. */
function followRoute(): () => void {
  return effect(() => {
    const { value: at } = route;
    if (at.page !== 'inbox') return untracked(() => show(undefined));
    untracked(() => {
      // Only chats of the shown list can be selected.
      if (showPlace(at.place)) endSelecting();
      if (openChat.value?.id !== at.chatId) {
        if (openChat.value) leaveKind(openChat.value.id);
        // A dialog about one chat must not act on another.
        if (isOfChat(overlay.value)) overlay.value = null;
      }
      show(at.chatId);
    });
  });
}

function Overlay() {
  const chat = openChat.value;
  const row = chat ? rowOf(chat.id) : undefined;
  switch (overlay.value) {
    case 'transfer':
    case 'return':
    case 'snooze':
    case 'end':
    case 'mails':
      return row ? <LazyDialog key={overlay.value} name={overlay.value} row={row} /> : null;
    case 'deletion':
    case 'wholeMail':
    case 'note':
    case 'move':
    case 'endAll':
    case 'snoozeAll':
    case 'keys':
    case 'palette':
    case 'saveView':
    case 'profile':
    case 'unsent':
    case 'sessions':
    case 'push':
      return <LazyDialog key={overlay.value} name={overlay.value} />;
    case 'menu':
      return (
        <Dialog title={strings.value.menu} form="drawer start" onClose={() => (overlay.value = null)}>
          <Nav />
        </Dialog>
      );
    case 'details':
      return chat ? <LazyDialog name="details" /> : null;
    default:
      return null;
  }
}

/** Says that the page may be out of date, and what needs an administrator. */
function ConnectionLine({ children }: { children: ComponentChildren }) {
  const text = strings.value;
  const isUnsure = useLate(!isSure.value, OFFLINE_AFTER_MS);
  return (
    <div class="connection" role="status">
      {isUnsure && (
        <p>
          <Icon name="offline" />
          {!navigator.onLine ? text.offline : isConnected.value ? text.connecting : text.reconnecting}
        </p>
      )}
      {children}
    </div>
  );
}

function Notices() {
  const text = strings.value;
  return (
    <div class="notices" role="status">
      {notices.value
        .filter(({ isOver }) => !isOver?.())
        .map((notice) => (
          <p key={notice.id} class={`notice ${notice.kind}`}>
            <bdi>{notice.text}</bdi>
            {notice.action && (
              <button
                type="button"
                class="button quiet"
                aria-disabled={!notice.isSteady}
                onClick={() => runAction(notice)}
              >
                {notice.action.name}
              </button>
            )}
            <button
              type="button"
              class="button quiet round"
              aria-label={text.dismiss}
              onClick={() => dismiss(notice.id)}
            >
              <Icon name="close" />
            </button>
          </p>
        ))}
    </div>
  );
}
