import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import type { Colleague, Group, Row } from '../../api/types.js';
import { plural, pluralOfChats, strings } from '../../locales/strings.js';
import { type Target, transfer } from '../../state/actions.js';
import { groups, readGroups } from '../../state/inbox/counts.js';
import { notify } from '../../state/notices.js';
import { colleagues, readPeople } from '../../state/people.js';
import { isMine } from '../../state/inbox/views.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { PersonLine } from '../nav/presence-panel.js';
import { Name } from '../parts/rich.js';
import { overlay } from '../screen.js';

export const MAX_NOTE = 2_000;

const ORDER = { ONLINE: 0, PAUSED: 1, OFFLINE: 2 };

interface Candidate {
  key: string;
  name: string;
  target: Target;
}

/** On lower screens, in pixels, the note makes room for those who may get the chat. */
const LOW_SCREEN = 600;

const groupCandidate = ({ id, name }: Group): Candidate => ({ key: id, name, target: { groupId: id } });

const personCandidate = ({ id, name }: Colleague): Candidate => ({ key: id, name, target: { agentId: id } });

export const hide = () => (overlay.value = null);

/** Chooses to whom a chat goes: a group with how it stands there, or a colleague with presence and load. */
export function TransferDialog({ row }: { row: Row }) {
  const text = strings.value;
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState<Candidate | null>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    void Promise.allSettled([readPeople(), readGroups()]);
  }, []);
  const fits = ({ name }: { name: string }) => name.toLowerCase().includes(typed.trim().toLowerCase());
  const shownGroups = groups.value.filter(fits);
  const shownPeople = colleagues.value
    .filter(fits)
    .filter(({ id }) => id !== row.assignedTo?.id)
    .toSorted((one, other) => ORDER[one.presence] - ORDER[other.presence] || one.openChats - other.openChats);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!chosen || isBusy) return;
    setBusy(true);
    const isDone = await transfer(row.id, chosen.target, note.current?.value.trim() ?? '', isMine(row));
    setBusy(false);
    if (!isDone) return;
    notify(fill(text.transferred, { name: chosen.name }));
    hide();
  };
  const first = [...shownGroups.map(groupCandidate), ...shownPeople.map(personCandidate)][0];
  // The first one that fits; once more, and the chat goes there.
  const takeFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || !first || chosen || typed.trim() === '') return;
    event.preventDefault();
    choose(first);
  };
  const isAway = shownPeople.some(({ id, presence }) => id === chosen?.key && presence === 'OFFLINE');
  const item = (candidate: Candidate, content: preact.ComponentChildren) => (
    <li key={candidate.key}>
      <label class="target">
        <input type="radio" name="target" checked={chosen?.key === candidate.key} onChange={() => choose(candidate)} />
        {content}
      </label>
    </li>
  );
  return (
    <Dialog title={text.transferTitle} onClose={hide}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <p class="hint">{text.transferHint}</p>
        <input
          type="search"
          value={typed}
          placeholder={text.searchTarget}
          aria-label={text.searchTarget}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            choose(null);
          }}
          onKeyDown={takeFirst}
          autofocus
        />
        <div class="targets">
          {shownGroups.length > 0 && <h3>{text.toGroup}</h3>}
          <ul>{shownGroups.map((group) => item(groupCandidate(group), <GroupLine group={group} />))}</ul>
          {shownPeople.length > 0 && <h3>{text.toColleague}</h3>}
          <ul>{shownPeople.map((person) => item(personCandidate(person), <PersonLine person={person} />))}</ul>
          {shownGroups.length + shownPeople.length === 0 && <p class="hint">{text.noTarget}</p>}
        </div>
        {isAway && (
          <p class="warning" role="status">
            <Icon name="alert" />
            {fill(text.targetOffline, { name: chosen!.name })}
          </p>
        )}
        <details class="fold" open={innerHeight >= LOW_SCREEN}>
          <summary>{text.noteForNext}</summary>
          <textarea ref={note} rows={2} maxLength={MAX_NOTE} aria-label={text.noteForNext} />
        </details>
        <footer>
          <button type="button" class="button" onClick={hide}>
            {text.cancel}
          </button>
          <button type="submit" class="button primary" disabled={!chosen || isBusy}>
            {chosen ? <Name name={fill(text.transferTo, { name: chosen.name })} /> : text.transferNow}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function GroupLine({ group: { name, availability, onlineAgents, waitingChats } }: { group: Group }) {
  const text = strings.value;
  const state = { AVAILABLE: text.available, BUSY: text.busy, OFFLINE: text.away }[availability];
  const details = [
    state,
    ...(onlineAgents > 0 ? [plural(text.onlineCount, onlineAgents)] : []),
    ...(waitingChats > 0 ? [pluralOfChats(text.waitingCount, waitingChats)] : []),
  ];
  return (
    <span class="person">
      <span class="avatar group" aria-hidden="true">
        <Icon name="users" />
        <i class={`dot ${{ AVAILABLE: 'online', BUSY: 'paused', OFFLINE: 'offline' }[availability]}`} />
      </span>
      <span class="person-words">
        <Name class="person-name" name={name} />
        <span class="hint small">{details.join(' · ')}</span>
      </span>
    </span>
  );
}
