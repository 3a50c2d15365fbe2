import { strings } from '../../locales/strings.js';
import { Icon } from '../parts/icon.js';

/** Shown until the session is loaded. */
export function Splash({ failure, onRetry }: { failure: boolean; onRetry: () => void }) {
  const text = strings.value;
  return (
    <main class="welcome" aria-busy={!failure}>
      {failure ? (
        <div class="card" role="alert">
          <p>
            <Icon name="offline" /> {text.serviceAway}
          </p>
          <button type="button" class="button primary" onClick={onRetry}>
            {text.tryAgain}
          </button>
        </div>
      ) : (
        <p class="hint">{text.loading}</p>
      )}
    </main>
  );
}
