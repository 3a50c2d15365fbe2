import { Icon } from '../../panel/icon.js';
import { usePanel } from '../../panel/lib/context.js';
import { recall, remember } from '../../panel/lib/tab-storage.js';

/** The greeting beside the closed button: once in a tab, and to who has no chat yet. */
export function Greeting() {
  const { host, client, strings } = usePanel();
  if (recall('greeted') || client.hasChat()) return null;
  const dismiss = () => {
    remember('greeted', '1');
    host.set({});
  };
  const open = () => {
    dismiss();
    void host.open();
  };
  return (
    <div class="hello" role="status">
      <button class="words" dir="auto" onClick={open}>
        {host.settings.greeting}
      </button>
      <button class="round close" aria-label={strings.dismiss} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
