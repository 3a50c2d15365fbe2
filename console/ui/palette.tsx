import { useEffect, useRef, useState } from 'preact/hooks';
import { foldText } from '../../src/platform/locale/fold.js';
import { get } from '../api/request.js';
import type { Row } from '../api/types.js';
import { strings } from '../locales/strings.js';
import { takeRow } from '../state/inbox/rows.js';
import { Dialog } from './parts/dialog.js';
import { Icon } from './parts/icon.js';
import { Name } from './parts/rich.js';
import { onceDrawn, overlay } from './screen.js';
import { chats, type Command, commands } from './palette-commands.js';

/** Maximum commands, so that chats aren't below many of them. */
const MAX_COMMANDS = 14;
const MAX_COMMANDS_WITH_CHATS = 5;
/** The delay after the last key before the service is asked. */
const SEARCH_DELAY_MS = 200;
const MAX_LENGTH = 200;

/** The command palette: actions on the open chat, pages, and chats by their visitor. */
export function Palette() {
  const text = strings.value;
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState(0);
  const wanted = foldText(typed.trim());
  const fits = ({ name, more = '' }: Command) => foldText(`${name} ${more}`).includes(wanted);
  const search = useFoundChats(typed.trim());
  const shownChats = chats(wanted, search.ids);
  const most = shownChats.length > 0 ? MAX_COMMANDS_WITH_CHATS : MAX_COMMANDS;
  const found = [...commands().filter(fits).slice(0, most), ...shownChats];
  const run = (command: Command | undefined) => {
    if (!command) return;
    overlay.value = null;
    // The dialog returns the focus first.
    onceDrawn(() => void command.run());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) choose((chosen + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && !event.isComposing) run(found[chosen]);
    else return;
    event.preventDefault();
  };
  const write = (value: string) => {
    setTyped(value);
    choose(0);
  };
  return (
    <Dialog title={text.palette} form="palette" hidesTitle isLight onClose={() => (overlay.value = null)}>
      <input
        type="text"
        role="combobox"
        value={typed}
        maxLength={MAX_LENGTH}
        placeholder={text.palettePlaceholder}
        aria-label={text.palette}
        aria-expanded={found.length > 0}
        aria-controls="commands"
        aria-activedescendant={found.length > 0 ? `command-${chosen}` : undefined}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autofocus
      />
      <CommandList commands={found} chosen={chosen} onChoose={choose} onRun={run} />
      <p class="hint small" role="status">
        {search.state === 'failed' && text.searchFailed}
        {search.state === 'searching' && text.searching}
        {search.state === 'done' && found.length === 0 && text.paletteNothing}
      </p>
    </Dialog>
  );
}

interface FoundChats {
  ids: readonly string[];
  state: 'done' | 'searching' | 'failed';
}

const NONE: FoundChats = { ids: [], state: 'done' };

/** The chats that the service finds by their visitor's name, email, or id. */
function useFoundChats(search: string): FoundChats {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (search === '') return setFound(NONE);
    let isCurrent = true;
    setFound(({ ids }) => ({ ids, state: 'searching' }));
    const ask = async () => {
      const rows = await get<{ chats: Row[] }>(`/chats/search?${new URLSearchParams({ search })}`).then(
        ({ chats: read }) => read,
        () => null,
      );
      if (!isCurrent) return;
      for (const row of rows ?? []) takeRow(row);
      setFound(rows ? { ids: rows.map(({ id }) => id), state: 'done' } : { ids: [], state: 'failed' });
    };
    const timer = setTimeout(() => void ask(), SEARCH_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [search]);
  return found;
}

interface CommandListProps {
  commands: readonly Command[];
  chosen: number;
  onChoose: (index: number) => void;
  onRun: (command: Command) => void;
}

function CommandList({ commands: found, chosen, onChoose, onRun }: CommandListProps) {
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
          onClick={() => onRun(command)}
          onMouseMove={() => onChoose(index)}
        >
          <Icon name={command.icon} />
          <Name class="command-name" name={command.name} />
          {command.more && <Name class="hint small command-more" name={command.more} />}
        </li>
      ))}
    </ul>
  );
}
