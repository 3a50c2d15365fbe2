import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Row } from '../api/types.js';
import { strings } from '../locales/strings.js';
import { notify } from '../state/notices.js';
import { hideOverlay, type Overlay } from './screen.js';

type Dialogs = typeof import('./dialogs.js');
type LazyName = (Overlay | 'selection' | 'side') & keyof Dialogs;

let loading: Promise<void> | undefined;
let dialogs: Dialogs | undefined;

/** Loads the dialogs, so that they open immediately. */
export function loadDialogs(): Promise<void> {
  loading ??= import('./dialogs.js').then((loaded) => void (dialogs = loaded));
  return loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
}

/** A dialog, the bar of the selected chats, or the details beside a chat: its code isn't part of the first load. @param row the open chat, for a dialog about it */
export function LazyDialog({ name, row }: { name: LazyName; row?: Row }) {
  const [isLoaded, setLoaded] = useState(dialogs !== undefined);
  useEffect(() => {
    if (isLoaded) return;
    loadDialogs().then(
      () => setLoaded(true),
      () => {
        hideOverlay();
        notify(strings.value.pageFailed, 'trouble');
      },
    );
  }, []);
  const View = dialogs?.[name] as ComponentType<{ row?: Row }> | undefined;
  return View ? <View row={row} /> : null;
}
