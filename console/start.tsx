import { render } from 'preact';
import '@preact/signals';
import { loadLanguage } from './locales/strings.js';
import { keepAlert } from './state/alerts.js';
import { removeOldDrafts } from './state/drafts.js';
import { keepLive } from './state/live.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/desk.css';
import './styles/list.css';
import './styles/chat.css';
import './styles/side.css';
import './styles/overlays.css';
import { App } from './ui/app.js';

removeOldDrafts();
keepLive();
keepAlert();
void loadLanguage().finally(() => render(<App />, document.getElementById('app')!));
