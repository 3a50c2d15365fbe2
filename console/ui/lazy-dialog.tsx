import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Message } from '../../headless/types.js';
import type { Row } from '../api/types.js';
import { strings } from '../locales/strings.js';
import { notify } from '../state/notices.js';
import { hideOverlay, overlay, type Overlay } from './screen.js';

type Dialogs = typeof import('./dialogs.js');
type LazyName = (Overlay | 'selection' | 'side' | 'messageMenu' | 'presence' | 'health') & keyof Dialogs;

let loading: Promise<void> | undefined;
let dialogs: Dialogs | undefined;

/** Loads the dialogs, so that they open immediately. */
export function loadDialogs(): Promise<void> {
  loading ??= import('./dialogs.js').then(async (loaded) => {
    await loaded.loadDialogStrings();
    dialogs = loaded;
  });
  return loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
}

/**
 * Gives up a dialog that's still loading when the agent continues elsewhere: it would take what's typed there. Returns a function that ends
 * it.
 */
function hideWhenBusy(name: LazyName): () => void {
  const hide = ({ type, target }: Event) => {
    if (overlay.value === name && (type === 'pointerdown' || (target as Element).matches('input, textarea')))
      hideOverlay();
  };
  for (const type of EVENTS) addEventListener(type, hide, true);
  return () => EVENTS.forEach((type) => removeEventListener(type, hide, true));
}

const EVENTS = ['pointerdown', 'focusin'] as const;

interface LazyProps {
  /** The open chat, for a dialog about it. */
  row?: Row;
  /** For its menu. */
  message?: Message;
}

/** A dialog, the bar of the selected chats, the details beside a chat, a menu, or what needs an administrator: its code isn't part of the first load. */
export function LazyDialog({ name, ...props }: LazyProps & { name: LazyName }) {
  const [isLoaded, setLoaded] = useState(dialogs !== undefined);
  // Before the next event: an effect after the paint would miss what the agent does until then.
  useLayoutEffect(() => {
    if (isLoaded) return;
    const end = hideWhenBusy(name);
    loadDialogs().then(
      () => {
        end();
        setLoaded(true);
      },
      () => {
        hideOverlay();
        notify(strings.value.pageFailed, 'trouble');
      },
    );
    return end;
  }, []);
  const View = dialogs?.[name] as ComponentType<LazyProps> | undefined;
  return View ? <View {...props} /> : null;
}
