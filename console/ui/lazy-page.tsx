import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { strings } from '../locales/strings.js';
import { leaving, type Route } from '../state/route.js';
import { isAdmin, isSupervisor, session } from '../state/session.js';
import { Dialog } from './parts/dialog.js';
import { Icon } from './parts/icon.js';
import { PageHead } from './parts/page-head.js';

type PageRoute = Extract<Route, { page: 'overview' | 'team' | 'reports' | 'mentions' | 'replies' | 'admin' }>;
type View = ComponentType<{ at: PageRoute }>;

// Most agents never open these pages, so they aren't part of the first load.
const LOADS: Record<PageRoute['page'], () => Promise<View>> = {
  overview: async () => (await import('../overview/start.js')).start() as Promise<View>,
  team: async () => (await import('../team/start.js')).start() as Promise<View>,
  reports: async () => (await import('../reports/start.js')).start() as Promise<View>,
  mentions: async () => (await import('../mentions/start.js')).start() as Promise<View>,
  replies: async () => (await import('../replies/start.js')).start() as Promise<View>,
  admin: async () => (await import('../admin/start.js')).start() as Promise<View>,
};

/** A page whose code is loaded when it's opened, with a check of the agent's role. */
export function LazyPage({ at }: { at: PageRoute }) {
  const text = strings.value;
  if (at.page === 'admin' && !isAdmin()) return <NoAccess title={text.needsAdmin} hint={text.needsAdminHint} />;
  if (at.page !== 'mentions' && at.page !== 'replies' && !isSupervisor())
    return <NoAccess title={text.needsSupervisor} hint={text.needsSupervisorHint} />;
  return <LazyView key={at.page} at={at} />;
}

function LazyView({ at }: { at: PageRoute }) {
  const text = strings.value;
  const [loaded, setLoaded] = useState<{ View?: View; hasFailed?: boolean }>({});
  useEffect(() => {
    LOADS[at.page]().then(
      (View) => setLoaded({ View }),
      () => setLoaded({ hasFailed: true }),
    );
  }, []);
  const { View, hasFailed } = loaded;
  if (View) return <View at={at} />;
  const title =
    at.page === 'admin' ? text.section[at.section] : at.page === 'replies' ? text.ownReplies : text[at.page];
  return (
    <>
      <PageHead title={title} />
      <div class="page-body" aria-busy={!hasFailed}>
        {hasFailed ? (
          <div class="empty-state" role="alert">
            <Icon name="offline" />
            <p>{text.pageFailed}</p>
            <button type="button" class="button" onClick={() => location.reload()}>
              {text.tryAgain}
            </button>
          </div>
        ) : (
          <p class="hint">{text.loading}</p>
        )}
      </div>
    </>
  );
}

function NoAccess({ title, hint }: { title: string; hint: string }) {
  return (
    <>
      <PageHead title={title} />
      <div class="page-body">
        <div class="empty-state">
          <Icon name="settings" />
          <p class="hint">{fill(hint, { organization: session.value!.organization.name })}</p>
        </div>
      </div>
    </>
  );
}

/** Asks before unsaved changes are lost. */
export function LeavingDialog({ goOn }: { goOn: () => void }) {
  const text = strings.value;
  const stay = () => (leaving.value = null);
  const leave = () => {
    leaving.value = null;
    goOn();
  };
  return (
    <Dialog title={text.unsaved} onClose={stay}>
      <div class="dialog-form">
        <p>{text.unsavedHint}</p>
        <footer>
          <button type="button" class="button" onClick={leave}>
            {text.leave}
          </button>
          <button type="button" class="button primary" onClick={stay} autofocus>
            {text.stay}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
