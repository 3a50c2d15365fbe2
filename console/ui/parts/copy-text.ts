import { strings } from '../../locales/strings.js';
import { notify } from '../../state/notices.js';

/** Copies a text, and says so. */
export function copyText(content: string): void {
  const copied = navigator.clipboard?.writeText(content) ?? Promise.reject(new Error('no clipboard'));
  const { copied: done, copyFailed } = strings.value;
  copied.then(
    () => notify(done),
    () => notify(copyFailed, 'trouble'),
  );
}
