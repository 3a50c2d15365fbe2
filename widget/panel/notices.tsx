import type { VisitorError } from '../client/types.js';
import { focusPanel } from './focus.js';
import { Icon } from './icon.js';
import { useKit } from './kit.js';

/** Shown in the place of the conversation when the chat cannot be opened. Without `onRetry` there is no button. */
export function Failed({ error, onRetry }: { error?: VisitorError; onRetry?: () => void }) {
  const { strings } = useKit();
  return (
    <div class="intro" role="alert">
      <span class="failure">
        <Icon name="alert" />
      </span>
      <p class="greeting">{strings.failed}</p>
      {error && (
        <p class="detail" dir="auto">
          {error.detail}
        </p>
      )}
      {onRetry && (
        <button class="primary" onClick={onRetry}>
          {strings.retry}
        </button>
      )}
    </div>
  );
}

/** Shown in the place of the composer when the chat is closed. */
export function Ended({ onStart }: { onStart: () => void }) {
  const { strings } = useKit();
  return (
    <div class="ended">
      <p role="status">{strings.ended}</p>
      <button
        class="primary"
        onClick={(event) => {
          focusPanel(event.currentTarget);
          onStart();
        }}
      >
        {strings.startAgain}
      </button>
    </div>
  );
}
