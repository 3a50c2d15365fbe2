import { useEffect, useState } from 'preact/hooks';
import { useKit } from './kit.js';
import { useObservable } from './observable.js';

const PATIENCE_MS = 1_000;

/** Says that the connection is lost, once that has lasted: most blips are over before anybody could read it. */
export function Banner() {
  const { client, strings } = useKit();
  const isOffline = useObservable(client.connection).state === 'offline';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isOffline) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return (
    <div role="status">
      {isOffline && isShown && (
        <p class="banner">
          <span class="spinner" />
          {strings.reconnecting}
        </p>
      )}
    </div>
  );
}
