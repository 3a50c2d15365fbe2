import type { ComponentChildren } from 'preact';
import { strings } from '../../locales/strings.js';
import { Icon, type IconName } from '../../ui/parts/icon.js';
import { explainHere } from './explain.js';
import type { Pages, Reading } from './reading.js';

/** The loaded value, its skeleton, or the error. */
export function Loaded<T>({
  of,
  children,
}: {
  of: Omit<Reading<T>, 'set'>;
  children: (value: T) => ComponentChildren;
}) {
  if (of.value !== undefined)
    return (
      <>
        {of.failure ? <Failure error={of.failure} again={of.again} isLine /> : null}
        {children(of.value)}
      </>
    );
  if (of.failure) return <Failure error={of.failure} again={of.again} />;
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{strings.value.loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** An error of loading, with a retry button. */
export function Failure({ error, again, isLine }: { error: unknown; again: () => void; isLine?: boolean }) {
  return (
    <div class={isLine ? 'failure-line' : 'empty-state'} role="alert">
      <Icon name="alert" />
      <p>{explainHere(error)}</p>
      <button type="button" class="button small" onClick={again}>
        {strings.value.tryAgain}
      </button>
    </div>
  );
}

/** An empty list, with a hint. */
export function Empty({ icon, title, hint, children }: EmptyProps) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
      <h2>{title}</h2>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </div>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  hint?: string;
  children?: ComponentChildren;
}

/** Loads the next page of a list. */
export function More<T>({ pages }: { pages: Pages<T> }) {
  if (!pages.hasMore) return null;
  return (
    <button type="button" class="button more" disabled={pages.isReadingMore} onClick={pages.more}>
      {pages.isReadingMore ? strings.value.loading : strings.value.showMore}
    </button>
  );
}
