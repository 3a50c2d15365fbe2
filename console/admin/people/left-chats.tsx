import { fill } from '../../../headless/text.js';
import type { Row } from '../../api/types.js';
import { listNames } from '../../lib/names.js';
import { adminStrings } from '../../locales/admin-strings.js';
import { plural } from '../../locales/strings.js';
import { groupOf } from '../../state/inbox/counts.js';
import { readPageOf } from '../api.js';
import { useReading } from '../parts/reading.js';

/** The most chats that are read. */
const MAX_READ = 100;

/** How many open chats a person leaves, also snoozed ones, and the groups that get them. */
export function LeftChats({ agentId }: { agentId: string }) {
  const query = { view: 'OPEN', agentId, limit: String(MAX_READ) };
  const { value } = useReading(() => readPageOf<Row>('/api/agent/chats', 'chats', null, query));
  const groups = new Set(value?.rows.map(({ group }) => groupOf(group.id)?.name ?? ''));
  const words = value && value.rows.length > 0 && plural(adminStrings.value.leftChats, value.rows.length);
  // The number may be larger.
  const counted = words && (value.cursor ? words.replace(String(MAX_READ), '$&+') : words);
  return <b role="status">{counted && fill(counted, { groups: listNames([...groups]) })}</b>;
}
