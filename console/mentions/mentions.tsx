import { useEffect } from 'preact/hooks';
import { readPageOf } from '../admin/api.js';
import { Ago, Badge, PageSection } from '../admin/parts/page-section.js';
import { Empty, Loaded, More } from '../admin/parts/loaded.js';
import { usePages } from '../admin/parts/reading.js';
import type { Mention, Row } from '../api/types.js';
import { fill } from '../../headless/text.js';
import { lastWords, visitorName } from '../lib/names.js';
import { strings } from '../locales/strings.js';
import { counts } from '../state/inbox/counts.js';
import { followed } from '../state/inbox/followed.js';
import { rowOf } from '../state/inbox/rows.js';
import { ChatLink } from '../ui/parts/chat-link.js';
import { PageHead } from '../ui/parts/page-head.js';
import { Name } from '../ui/parts/rich.js';

/** The most characters of an author, so that the visitor's name has room beside it. */
const MAX_AUTHOR = 20;

type Listed = Mention & { seenAt: string | null };

/** The notes that mention this agent, newest first. */
export function Mentions() {
  const text = strings.value;
  const pages = usePages<Listed>((cursor) => readPageOf('/api/agent/mentions', 'mentions', cursor));
  const unseen = counts.value?.mentions;
  // A new mention, or one that was seen in another tab.
  useEffect(() => {
    if (pages.value) pages.again();
  }, [unseen]);
  return (
    <>
      <PageHead title={text.mentions} />
      <div class="page-body">
        <FollowedChats />
        <div class="page-section">
          <p class="lead">{text.mentionsLead}</p>
          <Loaded of={pages}>
            {(rows) => (
              <>
                {rows.length === 0 && <Empty icon="at" title={text.noMentions} hint={text.noMentionsHint} />}
                <ul class="lines">
                  {rows.map((mention) => (
                    <li key={mention.note.id}>
                      <MentionLink mention={mention} />
                    </li>
                  ))}
                </ul>
                <More pages={pages} />
              </>
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}

/** The chats that this agent follows; nothing if there are none. */
function FollowedChats() {
  const text = strings.value;
  const rows = followed.value.flatMap((id) => rowOf(id) ?? []);
  if (rows.length === 0) return null;
  return (
    <PageSection title={text.followedChats}>
      <ul class="lines">
        {rows.map((row) => (
          <li key={row.id}>
            <ChatLink chatId={row.id} view={viewOf(row)} class="line-link">
              <span class="line-words">
                <Name class="line-name" name={visitorName(row)} />
                <Name class="hint small" name={lastWords(row)} />
              </span>
              <span class="line-more hint small">{row.lastMessageAt && <Ago at={row.lastMessageAt} />}</span>
              <span class="line-badges" />
            </ChatLink>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

const viewOf = ({ owner }: Row) => (owner === 'NOBODY' ? 'CLOSED' : 'OPEN');

function MentionLink({ mention: { note, chat, seenAt } }: { mention: Listed }) {
  const text = strings.value;
  const { name } = note.author;
  const words = (author: string) => fill(text.mentionIn, { author, visitor: visitorName(chat) });
  const short = [...name].length > MAX_AUTHOR ? `${[...name].slice(0, MAX_AUTHOR).join('')}…` : name;
  return (
    <ChatLink chatId={chat.id} view={viewOf(chat)} class="line-link">
      <span class="line-words">
        <Name class="line-name" name={words(short)} title={words(name)} />
        <Name class="hint small" name={note.content} />
      </span>
      <span class="line-more hint small">
        <Ago at={note.createdAt} />
      </span>
      <span class="line-badges">{seenAt === null && <Badge kind="good">{text.mentionNew}</Badge>}</span>
    </ChatLink>
  );
}
