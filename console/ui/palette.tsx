import { useState } from 'preact/hooks';
import { fill } from '../../headless/text.js';
import { lastWords, visitorName } from '../lib/names.js';
import { strings } from '../locales/strings.js';
import { accepts } from '../state/actions.js';
import { groups } from '../state/counts.js';
import { offers } from '../state/offers.js';
import { openChat } from '../state/open-chat.js';
import { go, goToChat, pathOf, type Route, SECTIONS } from '../state/route.js';
import { allRows, rowOf } from '../state/rows.js';
import { isAdmin, isSupervisor, me } from '../state/session.js';
import { actionsOf } from './chat-pane.js';
import { Dialog } from './dialog.js';
import { Icon, type IconName } from './icon.js';
import { SECTION_ICONS, VIEWS } from './nav.js';
import { offerWords, takeOffer } from './offer-cards.js';
import { Name } from './rich.js';
import { onceDrawn, overlay } from './screen.js';

const MOST_CHATS = 8;
const MOST = 14;

interface Command {
  key: string;
  name: string;
  more?: string;
  icon: IconName;
  run: () => unknown;
}

/** Finds what one types the beginning of: actions on the open chat, places, chats that are known here. */
export function Palette() {
  const text = strings.value;
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState(0);
  const wanted = typed.trim().toLowerCase();
  const fits = ({ name, more = '' }: Command) => `${name} ${more}`.toLowerCase().includes(wanted);
  const found = [...commands().filter(fits), ...chats(wanted)].slice(0, MOST);
  const run = (command: Command | undefined) => {
    if (!command) return;
    overlay.value = null;
    // The dialog gives the focus back first.
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
      <ul id="commands" role="listbox" aria-label={text.palette}>
        {found.map((command, index) => (
          <li
            class="command"
            key={command.key}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(command)}
            onMouseMove={() => choose(index)}
          >
            <Icon name={command.icon} />
            <Name class="command-name" name={command.name} />
            {command.more && <Name class="hint small command-more" name={command.more} />}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function commands(): Command[] {
  const text = strings.value;
  const row = openChat.value && rowOf(openChat.value.id);
  const seen = new Set(me().groups.map(({ id }) => id));
  return [
    ...offers.value.map((offer): Command => ({
      key: offer.id,
      name: offerWords(offer),
      icon: 'check',
      run: () => takeOffer(offer),
    })),
    ...(row ? actionsOf(row).map(({ name, icon, run }): Command => ({ key: `do ${icon}`, name, icon, run })) : []),
    ...VIEWS.map(({ view, icon, name }): Command => ({
      key: view,
      name: fill(text.goTo, { name: text[name] }),
      icon,
      run: () => go({ page: 'inbox', place: { view } }),
    })),
    ...groups.value
      .filter(({ id }) => isSupervisor() || seen.has(id))
      .map(({ id, name }): Command => ({
        key: id,
        name: fill(text.goTo, { name }),
        icon: 'users',
        run: () => go({ page: 'inbox', place: { view: 'OPEN', groupId: id } }),
      })),
    ...pages().map(({ target, icon, name }): Command => ({
      key: pathOf(target),
      name: fill(text.goTo, { name }),
      icon,
      run: () => go(target),
    })),
    {
      key: 'accepting',
      name: me().isAccepting ? text.keyPause : text.goOn,
      icon: me().isAccepting ? 'pause' : 'check',
      run: () => accepts(!me().isAccepting),
    },
    { key: 'keys', name: text.keys, icon: 'keys', run: () => (overlay.value = 'keys') },
    { key: 'sessions', name: text.sessions, icon: 'screen', run: () => (overlay.value = 'sessions') },
  ];
}

function pages(): { target: Route; icon: IconName; name: string }[] {
  const text = strings.value;
  if (!isSupervisor()) return [];
  const overview = { target: { page: 'overview' }, icon: 'chart', name: text.overview } as const;
  if (!isAdmin()) return [overview];
  const sections = SECTIONS.map((section) => ({
    target: { page: 'admin', section } as const,
    icon: SECTION_ICONS[section],
    name: `${text.administration}: ${text.section[section]}`,
  }));
  return [overview, ...sections];
}

function chats(wanted: string): Command[] {
  if (wanted === '') return [];
  return [...allRows().values()]
    .filter((row) => `${visitorName(row)} ${row.visitor.email ?? ''}`.toLowerCase().includes(wanted))
    .slice(0, MOST_CHATS)
    .map((row) => ({
      key: row.id,
      name: visitorName(row),
      more: lastWords(row),
      icon: 'chats',
      run: () => goToChat(row.id),
    }));
}
