import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { strings } from '../locales/strings.js';
import { notify } from '../state/notices.js';
import { overlay } from './screen.js';

/** A dialog of the account menu. Its code is loaded when it's opened, because agents rarely do. */
export function AccountDialog({ name }: { name: 'profile' | 'sessions' }) {
  const [View, setView] = useState<ComponentType>();
  useEffect(() => {
    import('./sign-in/account-dialogs.js').then(
      (dialogs) => setView(() => dialogs[name]),
      () => {
        overlay.value = null;
        notify(strings.value.pageFailed, 'trouble');
      },
    );
  }, []);
  return View ? <View /> : null;
}
