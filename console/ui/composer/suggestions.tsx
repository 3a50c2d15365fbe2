import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Reply } from '../../api/types.js';
import { fill } from '../../../headless/text.js';
import { languageName } from '../../lib/names.js';
import { groupOf } from '../../state/inbox/counts.js';
import { plural, strings } from '../../locales/strings.js';
import { go } from '../../state/route.js';
import { areRepliesRead, findReplies } from '../../state/chat/replies.js';

/** Longer text after a slash isn't a search. */
const MAX_SEARCH_LENGTH = 60;

const WORD = /^[\p{L}\p{M}\p{N}_-]*$/u;

const WORDS = /^(?:[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}_ -]*)?$/u;

interface ChoiceState<T> {
  chosen: number;
  isOpen: boolean;
  onKey: (key: Pick<KeyboardEvent, 'key' | 'shiftKey'>, insert: (choice: T) => void) => boolean;
}

/** What a shortcut says about itself while Enter doesn't send it. */
export type ShortcutFault = 'loading' | 'unknown';

export interface SuggestionState extends ChoiceState<Reply> {
  found: Reply[];
  /** How many more match. */
  more: number;
  /** Whether there are no replies at all. */
  isEmpty: boolean;
  /** What is typed after the slash. */
  typed: string;
  /** Why Enter inserted no reply, after it was pressed; null: it wasn't, or something else was typed since. */
  fault: ShortcutFault | null;
  /** Call this before Enter sends the draft. Returns false if it's a shortcut that no reply has, for the first Enter. */
  maySend: () => boolean;
}

/** The keys of a list of suggestions. @param typed null: nothing is searched */
export function useChoice<T>(draft: string, typed: string | null, found: readonly T[]): ChoiceState<T> {
  const [chosen, choose] = useState(0);
  const [closedFor, closeFor] = useState<string | null>(null);
  useEffect(() => choose(0), [typed]);
  const isOpen = typed !== null && closedFor !== draft && (found.length > 0 || typed === '');
  const onKey: ChoiceState<T>['onKey'] = ({ key, shiftKey }, insert) => {
    if (!isOpen) return false;
    const choice = found[chosen];
    if (key === 'Escape') closeFor(draft);
    else if (key === 'ArrowDown') choose((chosen + 1) % Math.max(1, found.length));
    else if (key === 'ArrowUp') choose((chosen - 1 + found.length) % Math.max(1, found.length));
    else if (choice && ((key === 'Enter' && !shiftKey) || key === 'Tab')) insert(choice);
    else return false;
    return true;
  };
  return { chosen, isOpen, onKey };
}

const NONE = { shown: [], more: 0, isEmpty: false };

/** The canned replies that match what is typed after a slash. */
export function useSuggestions(draft: string): SuggestionState {
  const typed = shortcutIn(draft);
  const { shown: found, more, isEmpty } = typed === null ? NONE : findReplies(typed);
  const [askedFor, askFor] = useState<string | null>(null);
  const isAsked = askedFor === draft && typed !== null && found.length === 0;
  const maySend = () => {
    if (typed === null || found.length > 0 || isAsked) return true;
    askFor(draft);
    return false;
  };
  const fault = isAsked ? (areRepliesRead() ? 'unknown' : 'loading') : null;
  return { found, more, isEmpty, typed: typed ?? '', fault, maySend, ...useChoice(draft, typed, found) };
}

/** The search text: words after a slash at the start of the draft, or one word after a later slash, up to the end. */
export function shortcutIn(draft: string): string | null {
  const slash = draft.lastIndexOf('/');
  if (slash === -1 || (slash > 0 && draft[slash - 1]!.trim() !== '')) return null;
  const typed = draft.slice(slash + 1);
  const isFit = typed.length <= MAX_SEARCH_LENGTH && (slash === 0 ? WORDS : WORD).test(typed);
  // As typed: `insert` removes it by its length, which lower case may change ("İ").
  return isFit ? typed : null;
}

/** What follows a message with this reply; empty: nothing. */
export function actionWords({ action, actionGroupId }: Pick<Reply, 'action' | 'actionGroupId'>): string {
  const { thenCloses, thenTransfers } = strings.value;
  if (action === 'CLOSE') return thenCloses;
  return actionGroupId ? fill(thenTransfers, { name: groupOf(actionGroupId)?.name ?? '…' }) : '';
}

/** The language of a reply, whether it is the agent's own, and what follows it. */
function Tags({ reply }: { reply: Reply }) {
  const tags = [
    reply.language && languageName(reply.language),
    reply.isOwn && strings.value.ownReply,
    actionWords(reply),
  ];
  return tags.filter(Boolean).map((tag) => <span class="hint small">{tag} · </span>);
}

interface SuggestionsProps extends SuggestionState {
  /** A reply as it would be inserted. */
  preview: (reply: Reply) => string;
  onChoose: (reply: Reply) => void;
}

export function Suggestions({ found, more, isEmpty, chosen, preview, onChoose }: SuggestionsProps) {
  const text = strings.value;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <div class="suggestions" tabIndex={0}>
      <p class="hint small">{text.cannedReplies}</p>
      {found.length === 0 && <p class="hint">{isEmpty ? text.noRepliesYet : text.noReplies}</p>}
      {isEmpty && (
        <button type="button" class="button small" onClick={() => go({ page: 'replies' })}>
          {text.ownReplies}
        </button>
      )}
      <ul id="replies" ref={list} role="listbox" aria-label={text.cannedReplies}>
        {found.map((reply, index) => (
          <li
            class="suggestion one-line"
            title={`/${reply.shortcut} ${preview(reply)}`}
            id={`reply-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseDown={(event) => {
              event.preventDefault();
              onChoose(reply);
            }}
          >
            <b>/{reply.shortcut}</b> <Tags reply={reply} />
            <bdi>{preview(reply)}</bdi>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="hint small">{plural(text.moreReplies, more)}</p>}
    </div>
  );
}
