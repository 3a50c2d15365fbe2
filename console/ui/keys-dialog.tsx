import { dialogStrings } from '../locales/dialog-strings.js';
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
    <Dialog title={strings.value.keys} form="wide" onClose={() => (overlay.value = null)}>
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
  const words = dialogStrings.value;
  return [
    {
      title: words.keysEverywhere,
      keys: [
        ['?', words.keyHelp],
        ['Ctrl K', text.palette],
        ['1 … 5', words.keyViews],
        ['8', text.snoozed],
        ['9', text.mentions],
        ['[ ]', words.keyGroups],
        ...(isSupervisor() ? [['6', words.keyOverview] satisfies [string, string]] : []),
        ...(isAdmin() ? [['7', words.keyAdmin] satisfies [string, string]] : []),
        ['p', words.keyAccepting],
        ['z', words.keyUndo],
        ['Esc', words.keyLeave],
      ],
    },
    {
      title: words.keysOffer,
      keys: [
        ['c', words.keyAccept],
        ['d', words.keyDecline],
        ['Alt C', words.keyAccept],
        ['Alt D', words.keyDecline],
      ],
    },
  ];
}

/** The keys of the list and of the open chat. */
function keysOfInbox(): KeyGroup[] {
  const text = strings.value;
  const words = dialogStrings.value;
  return [
    {
      title: words.keysList,
      keys: [
        ['j', words.keyNext],
        ['k', words.keyPrevious],
        ['Enter', words.keyOpen],
        ['u', words.keyUnread],
        ['x', words.keySelect],
        ['Shift X', words.keySelectTo],
        ['A', text.selectAll],
      ],
    },
    {
      title: words.keysChat,
      keys: [
        ['c', words.keyClaim],
        ['t', words.keyTransfer],
        ['e', words.keyClose],
        ['s', words.keySnooze],
        ['r', words.keyWrite],
        ['Ctrl Shift Enter', words.keySendAndEnd],
        ['n', words.keyNote],
        ['/', words.keyReplies],
      ],
    },
  ];
}
