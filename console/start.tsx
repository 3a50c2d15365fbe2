import { render } from 'preact';
import '@preact/signals';
import { prepareTimes } from './lib/times.js';
import { loadLanguage } from './locales/strings.js';
import { keepAlert } from './state/alerts.js';
import { removeOldDrafts } from './state/drafts.js';
import { keepLive } from './state/live.js';
import { route } from './state/route.js';
import { readAhead } from './state/views.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/desk.css';
import './styles/list.css';
import './styles/chat.css';
import '../headless/markdown/styles.css';
import './styles/side.css';
import './styles/overlays.css';
import { App } from './ui/app.js';

if (route.value.page === 'inbox') readAhead(route.value.place);
removeOldDrafts();
keepLive();
keepAlert();
void loadLanguage().finally(() => {
  render(<App />, document.getElementById('app')!);
  prepareTimes();
});
