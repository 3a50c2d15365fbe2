import { useState } from 'preact/hooks';
import { strings } from '../locales/strings.js';
import { Dialog } from './parts/dialog.js';
import { Icon } from './parts/icon.js';
import { Name } from './parts/rich.js';
import { onceDrawn, overlay } from './screen.js';
import { chats, type Command, commands } from './palette-commands.js';

const MAX_RESULTS = 14;

/** The command palette: actions on the open chat, pages, and loaded chats. */
export function Palette() {
  const text = strings.value;
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState(0);
  const wanted = typed.trim().toLowerCase();
  const fits = ({ name, more = '' }: Command) => `${name} ${more}`.toLowerCase().includes(wanted);
  const found = [...commands().filter(fits), ...chats(wanted)].slice(0, MAX_RESULTS);
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
        placeholder={text.palettePlaceholder}
        aria-label={text.palette}
        aria-expanded={found.length > 0}
        aria-controls="commands"
        aria-activedescendant={found.length > 0 ? `command-${chosen}` : undefined}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autofocus
      />
      {found.length === 0 && (
        <p class="hint" role="status">
          {text.paletteNothing}
        </p>
      )}
      <CommandList commands={found} chosen={chosen} onChoose={choose} onRun={run} />
    </Dialog>
  );
}

interface CommandListProps {
  commands: readonly Command[];
  chosen: number;
  onChoose: (index: number) => void;
  onRun: (command: Command) => void;
}

function CommandList({ commands: found, chosen, onChoose, onRun }: CommandListProps) {
  return (
    <ul id="commands" role="listbox" aria-label={strings.value.palette}>
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
