import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Colleague, Row } from '../../api/types.js';
import { fitsMention, mentionTyped } from '../../lib/mentions.js';
import { strings } from '../../locales/strings.js';
import { colleagues, readPeople } from '../../state/people.js';
import { PersonLine } from '../nav/presence-panel.js';
import { useChoice } from './suggestions.js';

/** The longest list of colleagues. */
const MAX_SHOWN = 8;

/** The colleagues who may see a chat. */
function seersOf({ group, assignedTo }: Row): Colleague[] {
  return colleagues.value.filter(
    ({ id, role, groupIds }) => role !== 'AGENT' || groupIds.includes(group.id) || id === assignedTo?.id,
  );
}

/** The colleagues who match what is typed after `@` in a note. */
export function useMentions(draft: string, row: Row) {
  const typed = mentionTyped(draft);
  const isSearched = typed !== null;
  // New colleagues aren't announced.
  useEffect(() => {
    if (isSearched) readPeople().catch(() => undefined);
  }, [isSearched]);
  const found = typed === null ? [] : fitsMention(typed, seersOf(row)).slice(0, MAX_SHOWN);
  const choice = useChoice(draft, found.length > 0 ? typed : null, found);
  return { found, typed: typed ?? '', ...choice };
}

type MentionState = ReturnType<typeof useMentions>;

export function MentionSuggestions({
  found,
  chosen,
  onChoose,
}: MentionState & { onChoose: (person: Colleague) => void }) {
  const text = strings.value;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <div class="suggestions" tabIndex={0}>
      <p class="hint small">{text.mentionWhom}</p>
      <ul id="mentions" ref={list} role="listbox" aria-label={text.mentionWhom}>
        {found.map((person, index) => (
          <li
            key={person.id}
            class="suggestion"
            id={`mention-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(person);
            }}
          >
            <PersonLine person={person} />
          </li>
        ))}
      </ul>
    </div>
  );
}
