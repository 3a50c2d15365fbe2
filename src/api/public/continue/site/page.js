/** The address of the service, with a slash at the end. */
const service = new URL('..', import.meta.url).href;
const words = JSON.parse(document.querySelector('script[data-words]').dataset.words);
const byId = (id) => document.getElementById(id);
const fill = (text, values) => text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

const token = location.hash.slice(1);
const link = token.startsWith('prl_vln_') ? await ask('') : { status: 404 };
if (link.status === 404) end(words.linkEnded);
else if (!link.body) end(words.tryAgain);
else offer(link.body);
// Another link in the same tab changes only the hash.
addEventListener('hashchange', () => location.reload());

/** Shows whose chat it is, and asks before anything changes. */
function offer({ organization, visitor, startedAt, canContinue }) {
  const { lang } = document.documentElement;
  const time = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(startedAt));
  byId('title').textContent = document.title = fill(words.chatSubject, { name: organization.name });
  byId('about').textContent = [visitor.name, fill(words.since, { time })].filter(Boolean).join(' · ');
  byId('choices').hidden = false;
  // The organization may allow the chat on its own sites only.
  byId('continue').hidden = !canContinue;
  if (!canContinue) byId('said').textContent = fill(words.elsewhere, { name: organization.name });
  byId('continue').onclick = () => once('/continue', (session) => enter(organization, session));
  byId('not-me').onclick = () => once('/not-me', () => end(words.addressRemoved));
}

/** Runs an action of the link once: a second click until then does nothing, a failure may be tried again. */
async function once(action, onDone) {
  const buttons = [byId('continue'), byId('not-me')];
  if (buttons[0].disabled) return;
  for (const button of buttons) button.disabled = true;
  byId('said').textContent = '';
  const { status, body } = await ask(action);
  for (const button of buttons) button.disabled = false;
  if (status === 404) end(words.linkEnded);
  else if (status >= 200 && status < 300) onDone(body);
  else byId('said').textContent = words.tryAgain;
}

/** Signs this browser in as the widget does, and shows the chat. */
function enter({ name, widgetKey }, { token: session, expiresAt, visitor }) {
  history.replaceState(null, '', location.pathname);
  end('');
  const kept = { token: session, expiresAt, visitorId: visitor.id };
  try {
    localStorage.setItem(`parley:${widgetKey}`, JSON.stringify(kept));
  } catch {
    return end(fill(words.elsewhere, { name }));
  }
  const script = document.createElement('script');
  script.src = `${service}widget.js`;
  Object.assign(script.dataset, { widgetKey, locale: document.documentElement.lang });
  // On a phone, `data-open` would only greet.
  script.onload = () => Parley('open');
  document.body.append(script);
}

/** Takes the buttons away, and says why. */
function end(text) {
  byId('choices').hidden = true;
  byId('said').textContent = text;
  byId('title').focus();
}

/** Never rejects: status 0 is a failure on the way. */
async function ask(action) {
  try {
    const answer = await fetch(`${service}api/visitor/link${action}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    return { status: answer.status, body: answer.ok && answer.status !== 204 ? await answer.json() : null };
  } catch {
    return { status: 0, body: null };
  }
}
