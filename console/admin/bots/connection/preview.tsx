import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../../../headless/text.js';
import { nameOfVisitor } from '../../../lib/names.js';
import { adminStrings } from '../../../locales/admin-strings.js';
import { strings } from '../../../locales/strings.js';
import { Dialog } from '../../../ui/parts/dialog.js';
import { add, type Bot, type Chat, type ConnectionPreview, readPage } from '../../api.js';
import { CopyField } from '../../parts/copy-field.js';
import { Select } from '../../parts/filter.js';
import { Loaded } from '../../parts/loaded.js';
import { ActionRow, agoWords } from '../../parts/page-section.js';
import { useReading } from '../../parts/reading.js';

/** How many chats there are to choose from. */
const CHATS = '25';

/** Shows what leaves with the next request of a chat. */
export function PreviewRow({ bot }: { bot: Bot }) {
  const text = adminStrings.value.connection;
  const [isOpen, open] = useState(false);
  return (
    <ActionRow title={text.preview} hint={text.previewHint}>
      <button type="button" class="button" onClick={() => open(true)}>
        {text.previewShow}
      </button>
      {isOpen && <PreviewDialog bot={bot} onClose={() => open(false)} />}
    </ActionRow>
  );
}

function PreviewDialog({ bot, onClose }: { bot: Bot; onClose: () => void }) {
  const text = adminStrings.value.connection;
  const chats = useReading(() => readPage<Chat>('/chats', 'chats', null, { limit: CHATS }));
  const [chosen, choose] = useState('');
  const chatId = chosen || chats.value?.rows[0]?.id;
  return (
    <Dialog title={text.preview} form="wide" isLight onClose={onClose}>
      <div class="dialog-form">
        <p class="hint">{text.previewHint}</p>
        <Loaded of={chats}>
          {({ rows }) =>
            rows.length === 0 ? (
              <p class="hint">{text.previewNoChat}</p>
            ) : (
              <Select
                label={text.previewChat}
                value={chatId ?? ''}
                choices={rows.map((chat) => [chat.id, chatWords(chat)] as const)}
                onChange={choose}
              />
            )
          }
        </Loaded>
        {chatId && <Request bot={bot} chatId={chatId} />}
        <footer>
          <button type="button" class="button" onClick={onClose}>
            {strings.value.close}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function chatWords({ visitor, lastMessageAt, createdAt }: Chat): string {
  return `${nameOfVisitor(visitor)} · ${agoWords(lastMessageAt ?? createdAt)}`;
}

function Request({ bot, chatId }: { bot: Bot; chatId: string }) {
  const text = adminStrings.value.connection;
  const preview = useReading(() => add<ConnectionPreview>(`/bots/${bot.id}/connection/preview`, { chatId }), [chatId]);
  const [said, say] = useState('');
  const { value } = preview;
  // Screen readers announce that it's shown, and not its text.
  useEffect(() => say(value ? fill(text.previewShown, { url: value.url }) : ''), [value]);
  return (
    <>
      <p class="hidden" role="status">
        {said}
      </p>
      <Loaded of={preview}>
        {({ url, headers, body }) => (
          <>
            <CopyField label={text.url} value={url} />
            <CopyField
              label={text.headers}
              value={Object.entries(headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
              isLong
            />
            <CopyField label={text.previewBody} value={JSON.stringify(body, null, 2)} isLong />
          </>
        )}
      </Loaded>
    </>
  );
}
