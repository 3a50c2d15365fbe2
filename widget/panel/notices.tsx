import type { VisitorError } from '../client/types.js';
import { Icon } from './icon.js';
import { useKit } from './kit.js';

/** Instead of the conversation, when there can be none. `onRetry` is missing where another try is no use. */
export function Failed({ error, onRetry }: { error?: VisitorError; onRetry?: () => void }) {
  const { strings } = useKit();
  return (
    <div class="notice" role="alert">
      <Icon name="alert" />
      <strong>{strings.failed}</strong>
      {error && <p dir="auto">{error.detail}</p>}
      {onRetry && (
        <button type="button" class="primary" onClick={onRetry}>
          {strings.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Instead of the composer, when the chat was closed. */
export function Ended({ onStart }: { onStart: () => void }) {
  const { strings } = useKit();
  return (
    <div class="ended">
      <p role="status">{strings.ended}</p>
      <button type="button" class="primary" onClick={onStart}>
        {strings.startAgain}
      </button>
    </div>
  );
}
