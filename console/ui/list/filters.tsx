import { useEffect } from 'preact/hooks';
import { strings } from '../../locales/strings.js';
import type { Place } from '../../state/inbox/views.js';
import { people, readPeople } from '../../state/people.js';
import { go, route } from '../../state/route.js';
import { me } from '../../state/session.js';

/** Shows another list, with the chat that is open. */
function show(place: Place): void {
  const { value: at } = route;
  go({ page: 'inbox', place, chatId: at.page === 'inbox' ? at.chatId : undefined });
}

export function showUnfiltered({ view, groupId }: Pick<Place, 'view' | 'groupId'>): void {
  show({ view, groupId });
}

/** The filters of a list: open and ended chats by person, one person's open chats by whether they wait for an answer. */
export function Filters({ place }: { place: Place }) {
  const { view, agentId } = place;
  const isByPerson = view === 'OPEN' || view === 'CLOSED';
  const isUnanswerable = view === 'MINE' || (view === 'OPEN' && agentId !== undefined);
  if (!isByPerson && !isUnanswerable) return null;
  return (
    <div class="list-filters" role="group" aria-label={strings.value.filters}>
      {isByPerson && <PersonFilter place={place} />}
      {isUnanswerable && <UnansweredFilter place={place} />}
    </div>
  );
}

function PersonFilter({ place: { view, groupId, agentId } }: { place: Place }) {
  const text = strings.value;
  // New colleagues aren't announced.
  useEffect(() => void readPeople().catch(() => undefined), []);
  const others = people.value
    .filter(({ id }) => id !== me().id)
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const isKnown = agentId === undefined || agentId === me().id || others.some(({ id }) => id === agentId);
  return (
    <select
      aria-label={text.person}
      value={agentId ?? ''}
      onChange={({ currentTarget: { value } }) => show({ view, groupId, agentId: value || undefined })}
    >
      <option value="">{text.everyone}</option>
      <option value={me().id}>{text.onlyMe}</option>
      {!isKnown && <option value={agentId}>{people.value.length === 0 ? '…' : text.formerColleague}</option>}
      {others.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function UnansweredFilter({ place: { isUnanswered, ...place } }: { place: Place }) {
  return (
    <button
      type="button"
      class="button small"
      aria-pressed={isUnanswered === true}
      onClick={() => show({ ...place, ...(!isUnanswered && { isUnanswered: true }) })}
    >
      {strings.value.unansweredOnly}
    </button>
  );
}
