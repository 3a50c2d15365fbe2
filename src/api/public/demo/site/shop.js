import { makeConsoleLink, service, session } from './session.js';

const byId = (id) => document.getElementById(id);

const curl = (path, body) =>
  `curl -X POST ${service}/api/bot/${path} \\\n  -H 'Authorization: Bearer ${session.botToken}' \\\n` +
  `  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
const message = (body) => curl('messages', { chatId: session.chatId, ...body });

const LINES = [
  ['Text', message({ content: 'Hello from the bot!\nRead more: https://example.com' })],
  [
    'Quick replies',
    message({
      type: 'QUICK_REPLY',
      content: 'How do you brew?',
      metadata: {
        options: [
          { label: 'Filter', value: 'filter' },
          { label: 'Espresso', value: 'espresso' },
          { label: 'It depends', value: 'depends' },
        ],
      },
    }),
  ],
  [
    'Buttons',
    message({
      type: 'BUTTON',
      content: 'Sidamo is back in stock.',
      metadata: {
        options: [
          { label: 'Put a bag aside', value: 'reserve' },
          { label: 'Read about it', url: 'https://example.com/sidamo' },
        ],
      },
    }),
  ],
  [
    'Image',
    message({
      type: 'IMAGE',
      content: `${service}/demo/bag.svg`,
      metadata: { alt: 'A green bag of coffee before an orange sky', width: 480, height: 360 },
    }),
  ],
  ['Typing', curl(`chats/${session.chatId}/typing`, { isTyping: true })],
  ['Hand over', curl('transfer', { chatId: session.chatId, reason: 'wants a person' })],
];

// The tabs of the curl lines: arrows move between them, as in any list of tabs.
const tabs = LINES.map(([name], index) => {
  const tab = Object.assign(document.createElement('button'), {
    type: 'button',
    id: `tab-${index}`,
    textContent: name,
  });
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', 'line-panel');
  tab.addEventListener('click', () => select(index));
  byId('tabs').append(tab);
  return tab;
});
let selected = 0;
byId('tabs').addEventListener('keydown', ({ key }) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (!step) return;
  select((selected + step + tabs.length) % tabs.length);
  tabs[selected].focus();
});
function select(index) {
  selected = index;
  tabs.forEach((tab, place) => {
    tab.setAttribute('aria-selected', String(place === index));
    tab.tabIndex = place === index ? 0 : -1;
  });
  byId('line').textContent = LINES[index][1];
  byId('line-panel').setAttribute('aria-labelledby', `tab-${index}`);
}
select(0);
byId('hint').textContent = 'The lines contain the demo bot’s token. Anyone who has this page’s address can see it.';

const embed = `<script async src="${service}/widget.js" data-widget-key="${session.widgetKey}"></script>`;
byId('embed').textContent = embed;

copyOnClick(byId('copy'), () => LINES[selected][1]);
copyOnClick(byId('copy-embed'), () => embed);
function copyOnClick(button, textOf) {
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(textOf());
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
}

// The window opens with the click: one that opens later, with the answer, would be blocked.
byId('console').addEventListener('click', async () => {
  const opened = window.open('', '_blank');
  try {
    const address = await makeConsoleLink();
    byId('console-hint').textContent = '';
    if (opened) opened.location.href = address;
    else location.href = address;
  } catch {
    opened?.close();
    byId('console-hint').textContent = 'The service cannot be reached. Try again.';
  }
});

// The widget, embedded as on any site: calls made before it is loaded are queued.
window.Parley ??= function Parley() {
  (window.Parley.q ??= []).push(arguments);
};
const script = document.createElement('script');
script.async = true;
script.src = `${service}/widget.js`;
Object.assign(script.dataset, {
  widgetKey: session.widgetKey,
  identity: session.identity,
  title: 'Fernweh Coffee',
  greeting: 'Hello! Ask us about beans, brewing, or where to go.',
});
document.head.append(script);

const look = byId('look');
function applyLook() {
  const { theme, position, color } = Object.fromEntries(new FormData(look));
  document.documentElement.dataset.theme = theme;
  byId('look-code').textContent = `Parley('set', ${JSON.stringify({ theme, position, color })})`;
  window.Parley('set', { theme, position, color });
}
look.addEventListener('change', applyLook);
applyLook();
byId('open').addEventListener('click', () => window.Parley('open'));

const DETAILS = {
  message: ({ sender, content }) => `${sender.name ?? sender.type}: ${content}`,
  unread: String,
  connection: ({ state } = {}) => state ?? '',
};
for (const event of ['ready', 'open', 'close', 'message', 'unread', 'connection']) {
  window.Parley('on', event, (detail) => {
    const item = document.createElement('li');
    const name = Object.assign(document.createElement('b'), { textContent: event });
    item.append(name, ` ${DETAILS[event]?.(detail) ?? ''}`);
    byId('events').prepend(item);
    while (byId('events').children.length > 100) byId('events').lastChild.remove();
  });
}
