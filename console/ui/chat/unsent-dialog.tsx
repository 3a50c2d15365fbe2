import { useEffect, useState } from 'preact/hooks';
import type { KeptMessage } from '../../../headless/outbox-store.js';
import { fill } from '../../../headless/text.js';
import { get } from '../../api/request.js';
import type { Row } from '../../api/types.js';
import { visitorName } from '../../lib/names.js';
import { strings } from '../../locales/strings.js';
import { explainUnsent } from '../../state/explain.js';
import { discardMessage, isElsewhere, retryMessage, unsent } from '../../state/chat/outbox.js';
import { rowOf } from '../../state/inbox/rows.js';
import { go } from '../../state/route.js';
import { copyText } from '../parts/copy-text.js';
import { Dialog } from '../parts/dialog.js';
import { Files } from '../parts/files.js';
import { Icon } from '../parts/icon.js';
import { Name } from '../parts/rich.js';
import { hideOverlay } from '../screen.js';

/** The agent's answers that weren't sent, of all chats, until each is sent or deleted. */
export function UnsentDialog() {
  const text = strings.value;
  return (
    <Dialog title={text.unsentTitle} onClose={hideOverlay}>
      <p class="hint">{unsent.value.length === 0 ? text.noUnsent : text.unsentHint}</p>
      <ul class="unsent-list">
        {unsent.value.map((kept) => (
          <UnsentLine key={kept.clientMessageId} kept={kept} />
        ))}
      </ul>
    </Dialog>
  );
}

function UnsentLine({ kept }: { kept: KeptMessage }) {
  const text = strings.value;
  const { clientMessageId: id, chatId = '', content, files } = kept;
  const row = useRow(chatId);
  const open = () => {
    hideOverlay();
    go({ page: 'inbox', place: { view: 'MINE' }, chatId });
  };
  return (
    <li>
      <p class="unsent-who">
        <Name name={row ? visitorName(row) : '…'} />
      </p>
      <p class="words" dir="auto">
        {content}
      </p>
      <Files files={files} />
      <p class="receipt failed">
        <span>
          <Icon name="alert" /> {fill(text.notSent, { reason: explainUnsent(kept) })}
        </span>
      </p>
      <p class="unsent-actions">
        <button type="button" class="button small" onClick={open}>
          {text.openChat}
        </button>
        {content && (
          <button type="button" class="button small" onClick={() => copyText(content)}>
            {text.copy}
          </button>
        )}
        {isElsewhere(kept) ? (
          <span class="hint small">{text.unsentElsewhere}</span>
        ) : (
          <>
            <button type="button" class="button small" onClick={() => retryMessage(id)}>
              {text.retry}
            </button>
            <button type="button" class="button small" onClick={() => discardMessage(id)}>
              {text.discard}
            </button>
          </>
        )}
      </p>
    </li>
  );
}

/** The chat's row, which is read if no list has it. */
function useRow(chatId: string): Row | undefined {
  const [read, setRead] = useState<Row>();
  const known = rowOf(chatId);
  useEffect(() => {
    if (!known) get<Row>(`/chats/${chatId}`).then(setRead, () => undefined);
  }, [chatId]);
  return known ?? read;
}
