import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../../locales/strings.js';
import { OfferCards } from '../offer-cards.js';
import { openDialogs } from '../screen.js';
import { Icon } from './icon.js';

interface DialogProps {
  title: string;
  /** A class for its shape: `drawer`, `palette`, `wide`. */
  form?: string;
  /** Shows no title; screen readers still announce it. */
  hidesTitle?: boolean;
  /** Only its own buttons close it: it shows something that can't be shown again. */
  isKept?: boolean;
  /** Escape closes it without a question: nothing in it is worth keeping. */
  isLight?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * A modal dialog. Escape and a click outside close it, after a question if something was typed, and return the focus.
 */
export function Dialog({ title, form = '', hidesTitle, isKept, isLight, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const [asks, ask] = useState(false);
  const hasChanges = useChanges(element);
  const [level, setLevel] = useState(0);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current!;
    dialog.showModal();
    setLevel((openDialogs.value += 1));
    return () => {
      openDialogs.value -= 1;
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const close = () => {
    if (isKept) return;
    if (!isLight && hasChanges()) ask(true);
    else onClose();
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    close();
  };
  // The browser may close a dialog without asking the page, as the second Back on Android does.
  const onNativeClose = () => {
    const dialog = element.current;
    if (!dialog?.isConnected || dialog.open) return;
    if (!isKept && (isLight || !hasChanges())) return onClose();
    dialog.showModal();
    close();
  };
  // A page can prevent Escape itself each time, but `cancel` only once: the browser closes the dialog at the second one.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) cancel(event);
    // An Enter that is held since before would press the button that has the focus now, or send the form.
    const isHeld = event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement);
    if (isHeld) event.preventDefault();
  };
  return (
    <dialog
      ref={element}
      class={`dialog ${form}`}
      aria-label={title}
      onCancel={cancel}
      onClose={onNativeClose}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => event.target === element.current && close()}
    >
      <div class={`dialog-body ${asks ? 'asks' : ''}`}>
        {!hidesTitle && <DialogHead title={title} onClose={isKept ? undefined : close} />}
        {children}
        {asks && <AskToDiscard onStay={() => ask(false)} onDiscard={onClose} />}
      </div>
      {/* The page below takes no clicks, and an offer runs out in seconds. */}
      {level === openDialogs.value && <OfferCards />}
    </dialog>
  );
}

function DialogHead({ title, onClose }: { title: string; onClose?: () => void }) {
  return (
    <header class="dialog-head">
      <h2>{title}</h2>
      {onClose && (
        <button type="button" class="button quiet round" aria-label={strings.value.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </header>
  );
}

/** Asks whether what was typed may be lost. */
function AskToDiscard({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const text = strings.value;
  const stay = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => stay.current!.focus(), []);
  return (
    <div class="dialog-ask" role="alertdialog" aria-label={text.discardTitle}>
      <p>{text.discardTitle}</p>
      <button type="button" class="button" onClick={onDiscard}>
        {text.discardTyped}
      </button>
      <button ref={stay} type="button" class="button primary" onClick={onStay}>
        {text.goOnWriting}
      </button>
    </div>
  );
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Whether a field changed since it was first focused. Searches and passwords don't count: they're easy to type again. */
function useChanges(dialog: { current: HTMLDialogElement | null }): () => boolean {
  const before = useRef(new Map<Field, string>());
  useLayoutEffect(() => {
    const note = ({ target }: Event) => {
      const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
      if (isField && !LIGHT.has(target.type) && !before.current.has(target))
        before.current.set(target, valueOf(target));
    };
    // Before a click changes a value.
    for (const event of ['focusin', 'pointerdown', 'beforeinput']) dialog.current!.addEventListener(event, note, true);
  }, []);
  return () => [...before.current].some(([field, value]) => field.isConnected && valueOf(field) !== value);
}

const LIGHT = new Set(['search', 'password', 'radio']);

function valueOf(field: Field): string {
  return field.type === 'checkbox' ? String((field as HTMLInputElement).checked) : field.value;
}
