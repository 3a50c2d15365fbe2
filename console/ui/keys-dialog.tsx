import { strings } from '../locales/strings.js';
import { isAdmin, isSupervisor } from '../state/session.js';
import { Dialog } from './parts/dialog.js';
import { Keys } from './parts/rich.js';
import { overlay } from './screen.js';

/** The keys of the page. */
export function KeysDialog() {
  const text = strings.value;
  const parts: [title: string, keys: [keys: string, meaning: string][]][] = [
    [
      text.keysEverywhere,
      [
        ['?', text.keyHelp],
        ['Ctrl K', text.keyPalette],
        ['1 … 5', text.keyViews],
        ...(isSupervisor() ? ([['6', text.keyOverview]] as [string, string][]) : []),
        ...(isAdmin() ? ([['7', text.keyAdmin]] as [string, string][]) : []),
        ['p', text.keyAccepting],
        ['Esc', text.keyLeave],
      ],
    ],
    [
      text.keysList,
      [
        ['j', text.keyNext],
        ['k', text.keyPrevious],
        ['Enter', text.keyOpen],
      ],
    ],
    [
      text.keysChat,
      [
        ['c', text.keyClaim],
        ['t', text.keyTransfer],
        ['e', text.keyClose],
        ['r', text.keyWrite],
        ['n', text.keyNote],
        ['/', text.keyReplies],
      ],
    ],
    [
      text.keysOffer,
      [
        ['c', text.keyAccept],
        ['d', text.keyDecline],
        ['Alt C', text.keyAccept],
        ['Alt D', text.keyDecline],
      ],
    ],
  ];
  return (
    <Dialog title={text.keysTitle} form="wide" onClose={() => (overlay.value = null)}>
      <div class="key-list">
        {parts.map(([title, keys]) => (
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
