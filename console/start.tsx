import { render } from 'preact';
import '@preact/signals';
import { prepareTimes } from './lib/times.js';
import { loadLanguage, wantedLanguage } from './locales/strings.js';
import { runMacro, tellUnsent } from './state/actions.js';
import { keepAlert } from './state/alerts/alerts.js';
import { keepDrafts } from './state/chat/drafts.js';
import { watchMacros, watchUnsent } from './state/chat/outbox.js';
import { keepLive } from './state/live.js';
import { route } from './state/route.js';
import { readAhead } from './state/inbox/views.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/desk.css';
import './styles/list.css';
import './styles/chat.css';
import '../headless/markdown/styles.css';
import './styles/side.css';
import './styles/overlays.css';
import { App } from './ui/app.js';

const language = wantedLanguage();
prepareTimes(navigator.languages.find((tag) => tag.startsWith(language)) ?? language);
if (route.value.page === 'inbox') readAhead(route.value.place);
keepDrafts();
keepLive();
keepAlert();
watchMacros(runMacro);
watchUnsent((message) => void tellUnsent(message));
// Its code isn't part of the first load.
void import('./ui/keep-focus.js').then(
  ({ keepFocus }) => keepFocus(),
  () => undefined,
);
void loadLanguage(language).finally(() => render(<App />, document.getElementById('app')!));
