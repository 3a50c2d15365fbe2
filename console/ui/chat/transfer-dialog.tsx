import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../headless/text.js';
import { foldText } from '../../../src/platform/locale/fold.js';
import type { Colleague, Group, Row } from '../../api/types.js';
import { visitorName } from '../../lib/names.js';
import { dayAndTime } from '../../lib/times.js';
import { plural, pluralOfChats, strings } from '../../locales/strings.js';
import { type Target, transferChat } from '../../state/actions.js';
import { allows, moveAll } from '../../state/bulk.js';
import { groups, readGroups } from '../../state/inbox/counts.js';
import { hasDraft } from '../../state/chat/draft-files.js';
import { colleagues, readPeople } from '../../state/people.js';
import { isChatSteady } from '../../state/steady.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { PersonLine } from '../nav/presence-panel.js';
import { Name } from '../parts/rich.js';
import { useIsShown } from '../parts/use-is-shown.js';
import { hideOverlay } from '../screen.js';

/** The longest note of a transfer or a return, in characters. */
export const MAX_NOTE_LENGTH = 2_000;
const ORDER = { ONLINE: 0, PAUSED: 1, OFFLINE: 2 };

interface Candidate {
  key: string;
  name: string;
  target: Target;
}

/** Below this height, in pixels, the note is folded to make room for the targets. */
const LOW_SCREEN_PX = 600;

const groupCandidate = ({ id, name }: Group): Candidate => ({ key: id, name, target: { groupId: id } });

const personCandidate = ({ id, name }: Colleague): Candidate => ({ key: id, name, target: { agentId: id } });

interface TransferDialogProps {
  row: Row;
  /** Why it can no longer be transferred. */
  problem?: string;
  onClose?: () => void;
}

/** Transfers a chat to a group, shown with its availability, or to a colleague, shown with presence and load. */
export function TransferDialog({ row, problem, onClose = hideOverlay }: TransferDialogProps) {
  const isShown = useIsShown();
  return (
    <TargetDialog
      title={fill(strings.value.transferTitle, { name: visitorName(row) })}
      problem={problem}
      hint={[plural(strings.value.transferHint, 1), hasDraft(row.id) && strings.value.draftStays]
        .filter(Boolean)
        .join(' ')}
      assignedTo={row.assignedTo?.id}
      isReady={isChatSteady() && !problem}
      onChosen={async ({ target, name }, note) => {
        if ((await transferChat(row, target, name, note)) && isShown.current) onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Transfers the selected chats. */
export function MoveDialog({ rows }: { rows: readonly Row[] }) {
  const movable = rows.filter((row) => allows('move', row));
  return (
    <TargetDialog
      title={plural(strings.value.moveTitle, movable.length)}
      hint={plural(strings.value.transferHint, movable.length)}
      onChosen={({ target }, note) => {
        hideOverlay();
        return moveAll(movable, target, note);
      }}
      onClose={hideOverlay}
    />
  );
}

interface TargetDialogProps {
  title: string;
  hint: string;
  problem?: string;
  /** The agent who has the chat. */
  assignedTo?: string;
  /** Whether it may be submitted now. */
  isReady?: boolean;
  onChosen: (candidate: Candidate, note: string) => Promise<void>;
  onClose: () => void;
}

/** Chooses a group or a colleague, and a note for them. */
function TargetDialog({ title, hint, problem, assignedTo, isReady = true, onChosen, onClose }: TargetDialogProps) {
  const text = strings.value;
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState<Candidate | null>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => void Promise.allSettled([readPeople(), readGroups()]), []);
  const { shownGroups, shownPeople } = candidates(typed, assignedTo);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!chosen || isBusy || !isReady) return;
    setBusy(true);
    await onChosen(chosen, note.current?.value.trim() ?? '');
    setBusy(false);
  };
  const first = [...shownGroups.map(groupCandidate), ...shownPeople.map(personCandidate)][0];
  // Enter picks the first match, and a second Enter transfers.
  const takeFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing || !first || chosen || typed.trim() === '') return;
    event.preventDefault();
    choose(first);
  };
  const isOffline = shownPeople.some(({ id, presence }) => id === chosen?.key && presence === 'OFFLINE');
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        <p class="hint">{hint}</p>
        <input
          type="search"
          value={typed}
          placeholder={text.searchTarget}
          aria-label={text.searchTarget}
          onInput={(event) => (setTyped(event.currentTarget.value), choose(null))}
          onKeyDown={takeFirst}
          autofocus
        />
        <Targets groups={shownGroups} people={shownPeople} chosen={chosen} onChoose={choose} />
        {isOffline && <Warning>{fill(text.targetOffline, { name: chosen!.name })}</Warning>}
        {problem && !isBusy && <Warning>{problem}</Warning>}
        <details class="fold" open={innerHeight >= LOW_SCREEN_PX}>
          <summary>{text.noteForNext}</summary>
          <textarea ref={note} rows={2} maxLength={MAX_NOTE_LENGTH} aria-label={text.noteForNext} />
        </details>
        <DialogButtons isDisabled={!chosen || isBusy} isReady={isReady}>
          {chosen ? <Name name={fill(text.transferTo, { name: chosen.name })} /> : text.transferNow}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function Warning({ children }: { children: string }) {
  return (
    <p class="warning" role="status">
      <Icon name="alert" />
      {children}
    </p>
  );
}

/** The groups and colleagues whose names match, the most available colleagues first. */
function candidates(typed: string, assignedTo: string | undefined): { shownGroups: Group[]; shownPeople: Colleague[] } {
  const wanted = foldText(typed.trim());
  const fits = ({ name }: { name: string }) => foldText(name).includes(wanted);
  const shownPeople = colleagues.value
    .filter(fits)
    .filter(({ id }) => id !== assignedTo)
    .toSorted((one, other) => ORDER[one.presence] - ORDER[other.presence] || one.openChats - other.openChats);
  return { shownGroups: groups.value.filter(fits), shownPeople };
}

interface TargetsProps {
  groups: readonly Group[];
  people: readonly Colleague[];
  chosen: Candidate | null;
  onChoose: (candidate: Candidate) => void;
}

function Targets({ groups: shownGroups, people, chosen, onChoose }: TargetsProps) {
  const text = strings.value;
  const item = (candidate: Candidate, content: preact.ComponentChildren) => (
    <li key={candidate.key}>
      <label class="target">
        <input
          type="radio"
          name="target"
          checked={chosen?.key === candidate.key}
          onChange={() => onChoose(candidate)}
        />
        {content}
      </label>
    </li>
  );
  return (
    <div class="targets">
      {shownGroups.length > 0 && <h3>{text.toGroup}</h3>}
      <ul>{shownGroups.map((group) => item(groupCandidate(group), <GroupLine group={group} />))}</ul>
      {people.length > 0 && <h3>{text.toColleague}</h3>}
      <ul>{people.map((person) => item(personCandidate(person), <PersonLine person={person} />))}</ul>
      {shownGroups.length + people.length === 0 && <p class="hint">{text.noTarget}</p>}
    </div>
  );
}

/** Outside its office hours, a group is OFFLINE even if agents are online. */
function stateOf({ availability, isOpen, nextOpening }: Group): string {
  const text = strings.value;
  if (isOpen) return { AVAILABLE: text.available, BUSY: text.busy, OFFLINE: text.away }[availability];
  return nextOpening ? fill(text.closedUntil, { time: dayAndTime(nextOpening) }) : text.closedNoTime;
}

function GroupLine({ group }: { group: Group }) {
  const text = strings.value;
  const { name, availability, onlineAgents, waitingChats } = group;
  const details = [
    stateOf(group),
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
