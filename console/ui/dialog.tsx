import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { strings } from '../locales/strings.js';
import { Icon } from './icon.js';

interface DialogProps {
  title: string;
  /** A class for the form of it: `drawer`, `palette`, `wide`. */
  form?: string;
  /** Leaves the line with the title out; it is still said. */
  hidesTitle?: boolean;
  /** A click beside it does not close it: it has what cannot be shown again. */
  staysOnClick?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog over the page. Escape and a click beside it close it, and the focus goes back to where it was. */
export function Dialog({ title, form = '', hidesTitle = false, staysOnClick = false, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // What is typed from now on is meant for it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current!;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const closeBeside = (event: MouseEvent) => {
    if (event.target === element.current && !staysOnClick) onClose();
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={element} class={`dialog ${form}`} aria-label={title} onCancel={cancel} onMouseDown={closeBeside}>
      <div class="dialog-body">
        {!hidesTitle && (
          <header class="dialog-head">
            <h2>{title}</h2>
            <button type="button" class="button quiet round" aria-label={strings.value.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
