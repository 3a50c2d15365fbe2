import { useState } from 'preact/hooks';
import { adminStrings } from '../../locales/admin-strings.js';
import { notify } from '../../state/notices.js';
import { go } from '../../state/route.js';
import { useIsShown } from '../../ui/parts/use-is-shown.js';
import { add, type Bot, type Connection, put, remove } from '../api.js';
import { notifyFailure } from '../parts/explain.js';

/** A button that makes a bot with the built-in script, and opens its page. */
export function SimpleBot() {
  const text = adminStrings.value.script;
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();
  const start = () => {
    if (isBusy) return;
    setBusy(true);
    makeSimpleBot(text.botName)
      .then(({ id }) => {
        notify(text.started);
        if (isShown.current) go({ page: 'admin', section: 'bots', id });
      }, notifyFailure)
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" class="button primary" aria-disabled={isBusy} onClick={start}>
      {text.start}
    </button>
  );
}

/** A bot without a connection would keep visitors waiting, so it's removed if it can't be connected. */
async function makeSimpleBot(name: string): Promise<Bot> {
  const bot = await add<Bot>('/bots', { name, onlyOwnChats: true, isAi: false });
  try {
    await put<Connection>(`/bots/${bot.id}/connection`, { kind: 'script' });
  } catch (error) {
    await remove(`/bots/${bot.id}`).catch(() => undefined);
    throw error;
  }
  return bot;
}
