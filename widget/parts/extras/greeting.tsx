import { useEffect } from 'preact/hooks';
import { Icon } from '../../panel/icon.js';
import { usePanel } from '../../panel/lib/context.js';
import { recall, remember } from '../../panel/lib/tab-storage.js';

/** The greeting or a proactive message beside the closed button, for a visitor who has no chat yet, and did nothing with one in this tab. */
export function Greeting() {
  const { host, client, strings } = usePanel();
  const { proactive } = host;
  const isShown = !recall('greeted') && !client.hasChat() && client.connection.value.state !== 'refused';
  useEffect(() => {
    if (isShown) proactive?.shown();
  }, [isShown, proactive]);
  if (!isShown) return null;
  const dismiss = () => {
    remember('greeted', '1');
    proactive?.dismissed();
    host.set({});
  };
  const open = () => {
    remember('greeted', '1');
    proactive?.opened();
    void host.open();
  };
  return (
    <div class="hello" role="status">
      <button class="words" dir="auto" onClick={open}>
        {proactive?.offered ?? host.settings.greeting}
      </button>
      <button class="round close" aria-label={strings.dismiss} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
