import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { foldText } from '../../src/platform/locale/fold.js';
import { hasCode } from '../../headless/errors.js';
import { post, Refusal } from '../api/request.js';
import type { Offer, Search, SearchResult, UsedTag } from '../api/types.js';
import { fill } from '../../headless/text.js';
import { listNames } from '../lib/names.js';
import { ranked } from '../lib/ranking.js';
import {
  FILTERS,
  keyTyped,
  MAX_FILTERS,
  MAX_TYPED,
  readWords,
  type SearchBody,
  type SearchWords,
  tagTyped,
  withKey,
  withTag,
} from '../lib/search-words.js';
import { dialogStrings } from '../locales/dialog-strings.js';
import { strings } from '../locales/strings.js';
import { filterKeys, wantFilterKeys } from '../state/attribute-keys.js';
import { groups } from '../state/inbox/counts.js';
import { offers } from '../state/inbox/offers.js';
import { takeRow } from '../state/inbox/rows.js';
import { people } from '../state/people.js';
import { me } from '../state/session.js';
import { findTags } from '../state/tags.js';
import { Dialog } from './parts/dialog.js';
import { Icon } from './parts/icon.js';
import { Name } from './parts/rich.js';
import { onceDrawn, overlay, takeTypedAhead } from './screen.js';
import { chats, type Command, commands } from './palette-commands.js';
import { useViewCommands } from './view-commands.js';

/** Maximum commands, so that chats aren't below many of them. */
const MAX_COMMANDS = 14;
const MAX_COMMANDS_WITH_CHATS = 5;
/** The rank of commands that begin with what's typed, or have a word that does. */
const LAST_NEAR_RANK = 3;
/** The rank of commands that another word than their name's finds. */
const RANK_OF_WORDS = 3;
/** The delay after the last key before the service is asked. */
const SEARCH_DELAY_MS = 150;

/** The command palette: actions on the open chat, pages, and chats by all that was said in them. */
export function Palette() {
  const text = strings.value;
  const [typed, setTyped] = useState(takeTypedAhead);
  const words = readWords(typed, { agents: people.value, groups: groups.value, me: me().id });
  const search = useFound(words.body);
  const { found, actions } = useCommands(typed, words.body !== null, search.results);
  const { index, choose } = useChosen(found, typed);
  const run = (command: Command | undefined) => {
    if (!command || command.isDisabled) return;
    if (command.completion !== undefined) return setTyped(command.completion);
    overlay.value = null;
    // The dialog returns the focus first.
    onceDrawn(() => void command.run());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) choose(found.at((Math.max(index, step === 1 ? -1 : 0) + step) % found.length)?.key);
    else if (event.key === 'Enter' && !event.isComposing && !event.repeat) run(found[index]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={text.palette} form="palette" hidesTitle isLight onClose={() => (overlay.value = null)}>
      <input
        type="text"
        role="combobox"
        value={typed}
        maxLength={MAX_TYPED}
        placeholder={text.palettePlaceholder}
        aria-label={text.palette}
        aria-expanded={found.length > 0}
        aria-controls="commands"
        aria-activedescendant={found[index] && `command-${index}`}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autofocus
      />
      <CommandList commands={found} index={index} onChoose={choose} onRun={run} />
      <p class="hint small" role="status">
        {faultOf(words) ??
          (typed.trim() === ''
            ? fill(text.searchFilters, { filters: FILTERS.join(' ') })
            : sayOf(search, found.length - actions.length))}
      </p>
    </Dialog>
  );
}

/**
 * The highlighted command's place: -1 if the chosen one has left the list. Commands come and go by themselves, and Enter must run the one
 * that the person saw. Until they choose one, it's the first that what they typed finds.
 */
function useChosen(found: readonly Command[], typed: string) {
  const [chosen, choose] = useState<string>();
  useLayoutEffect(() => choose(typed === '' ? found[0]?.key : undefined), [typed]);
  return { index: chosen === undefined ? 0 : found.findIndex(({ key }) => key === chosen), choose };
}

/** What the palette shows, with the actions on what's typed at its end. */
function useCommands(typed: string, isSearch: boolean, results: FoundChats['results']) {
  const wanted = foldText(typed.trim());
  const shownChats = chats(wanted, results);
  // A new one would be the first, and take the key that was meant for another command.
  const offered = useMemo(() => offers.peek(), [typed]);
  const { near, far } = commandsFor(wanted, offered, shownChats.length > 0 ? MAX_COMMANDS_WITH_CHATS : MAX_COMMANDS);
  const { views, actions } = useViewCommands(typed, isSearch);
  const completions = [...useTagCommands(typed), ...useKeyCommands(typed)];
  return { found: [...completions, ...views, ...near, ...shownChats, ...far, ...actions], actions };
}

/** The commands that match. What only contains the letters is far: it comes after the chats. */
function commandsFor(wanted: string, offered: readonly Offer[], most: number): { near: Command[]; far: Command[] } {
  const matching = ranked(commands(offered), wanted).slice(0, most);
  return {
    near: matching.filter(({ rank }) => rank <= LAST_NEAR_RANK).map(toShown),
    far: matching.filter(({ rank }) => rank > LAST_NEAR_RANK).map(toShown),
  };
}

/** What's wrong with the filters; undefined: nothing. */
function faultOf({ unknown, hasTooMany }: SearchWords): string | undefined {
  if (hasTooMany) return fill(dialogStrings.value.tooManyFilters, { count: MAX_FILTERS });
  return unknown.length > 0 ? fill(strings.value.unknownFilter, { words: listNames(unknown) }) : undefined;
}

/** A command that's found by another word shows these. */
function toShown({ one, rank }: { one: Command; rank: number }): Command {
  return rank === RANK_OF_WORDS ? { ...one, more: one.words } : one;
}

function sayOf({ state, failure }: FoundChats, count: number): string {
  const text = strings.value;
  if (state === 'failed') return reasonOf(failure) ?? text.searchFailed;
  if (state === 'searching') return text.searching;
  if (state === 'partial') return text.searchPartial;
  return count === 0 ? text.paletteNothing : '';
}

/** Why the service refuses a filter by an attribute; undefined: another failure. */
function reasonOf(failure: unknown): string | undefined {
  const text = dialogStrings.value;
  if (hasCode(failure, 'not_ready')) return text.keyNotReady;
  const { errors = [] } = failure instanceof Refusal ? failure.members : {};
  const name = errors.map(({ pointer }) => /^\/(?:attr|verified)\.(.+)$/.exec(pointer)?.[1]).find(Boolean);
  return name && fill(text.keyUnknown, { name });
}

interface FoundChats {
  results: readonly SearchResult[];
  state: 'done' | 'searching' | 'failed' | 'partial';
  failure?: unknown;
}

const NONE: FoundChats = { results: [], state: 'done' };

/** What the service finds by the words and filters. An answer that comes after the next key is dropped. */
function useFound(body: SearchBody | null): FoundChats {
  const [found, setFound] = useState(NONE);
  const asked = JSON.stringify(body);
  useEffect(() => {
    if (!body) return setFound(NONE);
    let isCurrent = true;
    setFound(({ results }) => ({ results, state: 'searching' }));
    const take = (answer: Search) => {
      if (!isCurrent) return;
      for (const { chat } of answer.results) takeRow(chat);
      setFound({ results: answer.results, state: answer.partial ? 'partial' : 'done' });
    };
    const fail = (failure: unknown) => isCurrent && setFound({ results: [], state: 'failed', failure });
    const timer = setTimeout(() => void post<Search>('/search', body).then(take).catch(fail), SEARCH_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return found;
}

/** The keys that begin with what is typed after `attr.` or `verified.`. */
function useKeyCommands(typed: string): Command[] {
  const asked = keyTyped(typed);
  if (!asked) return [];
  wantFilterKeys();
  const text = dialogStrings.value;
  return filterKeys.value
    .filter(({ key }) => foldText(key).startsWith(foldText(asked.key)))
    .map(({ key, isReady }) => ({
      key: `attribute ${key}`,
      name: key,
      more: isReady ? undefined : text.keyFilling,
      icon: 'find',
      completion: withKey(typed, key),
      run: () => undefined,
    }));
}

/** The most tags that are suggested. */
const MAX_TAGS = 6;

/** The tags that begin with what is typed after `tag:`. */
function useTagCommands(typed: string): Command[] {
  const [tags, setTags] = useState<readonly UsedTag[]>([]);
  const prefix = tagTyped(typed);
  useEffect(() => {
    if (prefix === null) return setTags([]);
    let isCurrent = true;
    const ask = () => findTags(prefix).then((found) => isCurrent && setTags(found));
    const timer = setTimeout(() => void ask().catch(() => undefined), SEARCH_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [prefix]);
  if (prefix === null) return [];
  return tags.slice(0, MAX_TAGS).map(({ name, chats: count }) => ({
    key: `tag ${name}`,
    name,
    more: String(count || ''),
    icon: 'tag',
    completion: withTag(typed, name),
    run: () => undefined,
  }));
}

interface CommandListProps {
  commands: readonly Command[];
  index: number;
  onChoose: (key: string) => void;
  onRun: (command: Command) => void;
}

function CommandList({ commands: found, index: chosen, onChoose, onRun }: CommandListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current!.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <ul ref={list} id="commands" role="listbox" aria-label={strings.value.palette}>
      {found.map((command, index) => (
        <li
          class="command"
          key={command.key}
          id={`command-${index}`}
          role="option"
          aria-selected={index === chosen}
          aria-disabled={command.isDisabled}
          // A click without a pointer has detail 0. Any other was meant for what was under the pointer when it last moved.
          onClick={({ detail }) => (index === chosen || detail === 0 ? onRun(command) : onChoose(command.key))}
          onMouseMove={() => onChoose(command.key)}
        >
          <Icon name={command.icon} />
          <Name class="command-name" name={command.name} />
          {command.more && <Name class="hint small command-more" name={command.more} />}
          {command.pieces && (
            <bdi class="command-words small">
              {command.pieces.map((piece, at) => (at % 2 === 1 ? <mark>{piece}</mark> : piece))}
            </bdi>
          )}
        </li>
      ))}
    </ul>
  );
}
