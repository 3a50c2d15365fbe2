import { type Language, language, LANGUAGES, strings } from '../../locales/strings.js';
import { explain } from '../../state/explain.js';
import { signOutWithDrafts } from '../../state/chat/drafts.js';
import { sendHeld } from '../../state/chat/outbox.js';
import { switchLanguage } from '../../state/language.js';
import { notify } from '../../state/notices.js';
import { go } from '../../state/route.js';
import { Icon } from '../parts/icon.js';
import { Popover } from '../parts/popover.js';
import { overlay } from '../screen.js';

export function AccountMenu() {
  const text = strings.value;
  return (
    <Popover label={text.account} buttonClass="button quiet round" button={<Icon name="account" />} kind="menu">
      {() => (
        <>
          <button type="button" role="menuitem" onClick={() => (overlay.value = 'profile')}>
            <Icon name="account" />
            {text.profile}
          </button>
          <button type="button" role="menuitem" onClick={() => (overlay.value = 'sessions')}>
            <Icon name="screen" />
            {text.sessions}
          </button>
          <button type="button" role="menuitem" onClick={() => (overlay.value = 'push')}>
            <Icon name="bell" />
            {text.push}
          </button>
          <button type="button" role="menuitem" onClick={() => go({ page: 'replies' })}>
            <Icon name="quote" />
            {text.ownReplies}
          </button>
          <button type="button" role="menuitem" onClick={() => (overlay.value = 'keys')}>
            <Icon name="keys" />
            {text.keys}
          </button>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <button
              type="button"
              role="menuitemradio"
              lang={code}
              aria-checked={language.value === code}
              onClick={() => switchLanguage(code as Language)}
            >
              <span class="mark">{language.value === code && <Icon name="check" />}</span>
              {name}
            </button>
          ))}
          <button type="button" role="menuitem" class="apart" onClick={leave}>
            <Icon name="exit" />
            {text.signOut}
          </button>
        </>
      )}
    </Popover>
  );
}

function leave(): void {
  sendHeld()
    .then(signOutWithDrafts)
    .catch((error: unknown) => notify(explain(error), 'trouble'));
}
