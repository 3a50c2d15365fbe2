import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { ago, fullTime } from '../lib/times.js';
import { adminStrings } from '../locales/admin-strings.js';
import { strings } from '../locales/strings.js';
import { slowNow } from '../state/clock.js';
import { go, pathOf, type Route, type Section } from '../state/route.js';
import { Dialog } from '../ui/dialog.js';
import { Icon, type IconName } from '../ui/icon.js';
import { explainHere } from './explain.js';
import type { Pages, Reading } from './reading.js';

/** What is read, or that it is being read, or why it cannot be. */
export function Shown<T>({ of, children }: { of: Reading<T>; children: (value: T) => ComponentChildren }) {
  if (of.value !== undefined)
    return (
      <>
        {of.failure ? <Failure error={of.failure} again={of.again} isLine /> : null}
        {children(of.value)}
      </>
    );
  if (of.failure) return <Failure error={of.failure} again={of.again} />;
  return (
    <div class="bones" role="status">
      <span class="hidden">{strings.value.loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Why something cannot be read, and another try. */
export function Failure({ error, again, isLine }: { error: unknown; again: () => void; isLine?: boolean }) {
  return (
    <div class={isLine ? 'failure-line' : 'vacancy'} role="alert">
      <Icon name="alert" />
      <p>{explainHere(error)}</p>
      <button type="button" class="button small" onClick={again}>
        {strings.value.tryAgain}
      </button>
    </div>
  );
}

/** A list in which there is nothing yet, and what to do about it. */
export function Empty({ icon, title, hint }: { icon: IconName; title: string; hint?: string }) {
  return (
    <div class="vacancy">
      <Icon name={icon} />
      <h2>{title}</h2>
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}

/** The end of a list that goes on. */
export function More<T>({ pages }: { pages: Pages<T> }) {
  if (!pages.hasMore) return null;
  return (
    <button type="button" class="button more" disabled={pages.isReadingMore} onClick={pages.more}>
      {pages.isReadingMore ? strings.value.loading : adminStrings.value.showMore}
    </button>
  );
}

interface RowLinkProps {
  section: Section;
  id: string;
  class?: string;
  children: ComponentChildren;
}

/** A link to one of the things that a part of the administration lists. */
export function RowLink({ section, id, children, class: name = 'line-link' }: RowLinkProps) {
  const target: Route = { page: 'admin', section, id };
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(target);
  };
  return (
    <a class={name} href={pathOf(target)} onClick={follow}>
      {children}
    </a>
  );
}

/** A short mark. */
export function Badge({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'warn' | 'bad';
  children: ComponentChildren;
}) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** A moment, as long ago as it is. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {Date.parse(at) > slowNow.value - 60_000 && Date.parse(at) <= slowNow.value + 60_000
        ? adminStrings.value.justNow
        : ago(at, slowNow.value)}
    </time>
  );
}

/** A part of a page, with its own heading. */
export function Part({
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
    <section class="part" aria-labelledby={id}>
      <header class="part-head">
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** Something to copy: the value in a field, and a button. Where the browser forbids copying the value is selected. */
export function CopyField({ label, value, isLong = false }: { label: string; value: string; isLong?: boolean }) {
  const text = strings.value;
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [said, say] = useState('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(''), 3_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () => {
    field.current!.select();
    const copied = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => say(text.copied),
      () => say(adminStrings.value.copyByHand),
    );
  };
  return (
    <div class="field">
      <label for={id} class="field-name">
        {label}
      </label>
      <span class={`copy-field ${isLong ? 'long' : ''}`}>
        {isLong ? (
          <textarea
            ref={field}
            id={id}
            class="code"
            rows={Math.min(value.split('\n').length + 1, 14)}
            readOnly
            value={value}
            spellcheck={false}
            dir="ltr"
          />
        ) : (
          <input ref={field} id={id} class="code" readOnly value={value} spellcheck={false} dir="ltr" />
        )}
        <button type="button" class="button" onClick={copy}>
          <Icon name={said === text.copied ? 'check' : 'copy'} />
          {text.copy}
        </button>
      </span>
      <span class="small said" role="status">
        {said}
      </span>
    </div>
  );
}

/** What is shown this once. */
export interface Secret {
  title: string;
  /** What to do with it. */
  hint: string;
  label: string;
  value: string;
}

/** Shows a secret, which the service does not know any more. Its button alone closes it. */
export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { title, hint, label, value } = secret;
  const text = adminStrings.value;
  return (
    <Dialog title={title} form="wide" isKept onClose={onClose}>
      <div class="dialog-form">
        <p>{hint}</p>
        <CopyField label={label} value={value} />
        <p class="warning">
          <Icon name="alert" />
          {text.shownOnce}
        </p>
        <footer>
          <button type="button" class="button primary" onClick={onClose}>
            {text.kept}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

interface ConfirmProps {
  title: string;
  hint: ComponentChildren;
  /** What the button says. */
  name: string;
  /** What cannot be taken back is red. */
  isDanger?: boolean;
  /** A word that must be typed before. */
  typed?: string;
  run: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is done, does it, and says why when it does not work. */
export function Confirm({ title, hint, name, isDanger = false, typed, run, onClose }: ConfirmProps) {
  const text = adminStrings.value;
  const id = useId();
  const [word, setWord] = useState('');
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure('');
    run().then(onClose, (error: unknown) => {
      setFailure(explainHere(error));
      setBusy(false);
    });
  };
  const isReady = typed === undefined || word.trim() === typed;
  return (
    <Dialog title={title} isLight onClose={onClose}>
      <form class="dialog-form" onSubmit={submit}>
        <p>{hint}</p>
        {typed !== undefined && (
          <div class="field">
            <label for={id} class="field-name">
              {fill(text.typeWord, { word: typed })}
            </label>
            <input
              id={id}
              value={word}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              autofocus
              onInput={(event) => setWord(event.currentTarget.value)}
            />
          </div>
        )}
        <p class="failure" role="alert">
          {failure}
        </p>
        <footer>
          <button type="button" class="button" onClick={onClose} autofocus={typed === undefined && isDanger}>
            {strings.value.cancel}
          </button>
          <button
            type="submit"
            class={`button ${isDanger ? 'danger' : 'primary'}`}
            disabled={isBusy || !isReady}
            autofocus={!isDanger}
          >
            {isBusy ? text.working : name}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The field above a list that leaves only what fits. */
export function Filter({ value, onInput, label }: { value: string; onInput: (value: string) => void; label: string }) {
  return (
    <span class="filter">
      <Icon name="search" />
      <input
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </span>
  );
}

/** Whether one of the texts has what was typed in it. */
export function fits(typed: string, ...texts: (string | null)[]): boolean {
  const wanted = typed.trim().toLocaleLowerCase();
  return texts.some((one) => one?.toLocaleLowerCase().includes(wanted));
}

interface ChoiceFilterProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (readonly [value: T, name: string])[];
  onChange: (value: T) => void;
}

/** One of few, as a list that opens. */
export function Select<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  return (
    <label class="select">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {choices.map(([one, name]) => (
          <option key={one} value={one} selected={one === value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A button that adds something to the list of the page; the key n presses it. */
export function AddButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" class="button primary add" data-key="n" aria-keyshortcuts="n" onClick={onClick}>
      <Icon name="plus" />
      {name}
    </button>
  );
}

/** Something that can be done, with what it means. */
export function Deed({
  title,
  hint,
  children,
}: {
  title: string;
  hint: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class="deed">
      <div>
        <h3>{title}</h3>
        <p class="hint">{hint}</p>
      </div>
      {children}
    </div>
  );
}
