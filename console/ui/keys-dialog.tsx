import { strings } from '../locales/strings.js';
import { isAdmin, isSupervisor } from '../state/session.js';
import { Dialog } from './parts/dialog.js';
import { Keys } from './parts/rich.js';
import { overlay } from './screen.js';

interface KeyGroup {
  title: string;
  keys: [keys: string, meaning: string][];
}

/** The list of keyboard shortcuts. */
export function KeysDialog() {
  const [everywhere, onOffer] = keysOfPage();
  const groups = [everywhere, ...keysOfInbox(), onOffer];
  return (
    <Dialog title={strings.value.keysTitle} form="wide" onClose={() => (overlay.value = null)}>
      <div class="key-list">
        {groups.map(({ title, keys }) => (
          <section>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div>
                  <dt>
                    <Keys keys={key} />
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** The keys that work on every page. */
function keysOfPage(): [KeyGroup, KeyGroup] {
  const text = strings.value;
  return [
    {
      title: text.keysEverywhere,
      keys: [
        ['?', text.keyHelp],
        ['Ctrl K', text.keyPalette],
        ['1 … 5', text.keyViews],
        ['8', text.snoozed],
        ['9', text.mentions],
        ['[ ]', text.keyGroups],
        ...(isSupervisor() ? [['6', text.keyOverview] satisfies [string, string]] : []),
        ...(isAdmin() ? [['7', text.keyAdmin] satisfies [string, string]] : []),
        ['p', text.keyAccepting],
        ['z', text.keyUndo],
        ['Esc', text.keyLeave],
      ],
    },
    {
      title: text.keysOffer,
      keys: [
        ['c', text.keyAccept],
        ['d', text.keyDecline],
        ['Alt C', text.keyAccept],
        ['Alt D', text.keyDecline],
      ],
    },
  ];
}

/** The keys of the list and of the open chat. */
function keysOfInbox(): KeyGroup[] {
  const text = strings.value;
  return [
    {
      title: text.keysList,
      keys: [
        ['j', text.keyNext],
        ['k', text.keyPrevious],
        ['Enter', text.keyOpen],
        ['u', text.keyUnread],
        ['x', text.keySelect],
        ['Shift X', text.keySelectTo],
        ['A', text.selectAll],
      ],
    },
    {
      title: text.keysChat,
      keys: [
        ['c', text.keyClaim],
        ['t', text.keyTransfer],
        ['e', text.keyClose],
        ['s', text.keySnooze],
        ['r', text.keyWrite],
        ['Ctrl Shift Enter', text.keySendAndEnd],
        ['n', text.keyNote],
        ['/', text.keyReplies],
      ],
    },
  ];
}
