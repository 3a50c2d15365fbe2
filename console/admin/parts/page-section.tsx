import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ago, fullTime } from '../../lib/times.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { slowNow } from '../../state/clock.js';
import { linkTo, type Section } from '../../state/route.js';
import { Icon } from '../../ui/parts/icon.js';

interface RowLinkProps {
  section: Section;
  id: string;
  class?: string;
  children: ComponentChildren;
}

/** A link from a list to a detail page. */
export function RowLink({ section, id, children, class: name = 'line-link' }: RowLinkProps) {
  return (
    <a class={name} {...linkTo({ page: 'admin', section, id })}>
      {children}
    </a>
  );
}

export function Badge({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'warn' | 'bad';
  children: ComponentChildren;
}) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** A relative time, such as "5 minutes ago". */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {agoWords(at)}
    </time>
  );
}

/** "just now" or "5 minutes ago". */
export function agoWords(at: string): string {
  const isNow = Math.abs(Date.parse(at) - slowNow.value) <= 60_000;
  return isNow ? adminStrings.value.justNow : ago(at, slowNow.value);
}

export function PageSection({
  title,
  hint,
  action,
  children,
}: {
  title: string;
  hint?: ComponentChildren;
  action?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="page-section" aria-labelledby={id}>
      <header class="section-head">
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** The button that adds to the page's list; the key `n` presses it. */
export function AddButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" class="button primary add" data-key="n" aria-keyshortcuts="n" onClick={onClick}>
      <Icon name="plus" />
      {name}
    </button>
  );
}

/** An action with an explanation. */
export function ActionRow({
  title,
  hint,
  children,
}: {
  title: string;
  hint: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class="action-row">
      <div>
        <h3>{title}</h3>
        <p class="hint">{hint}</p>
      </div>
      {children}
    </div>
  );
}
