// The start prints the page's address with a key behind it (#key=…), without which there is no session: whoever merely
// reaches the service, through a proxy say, is not shown the bot's token. The tab keeps the key while the page links within itself.
const KEY = 'parley-demo-key';
const given = new URLSearchParams(location.hash.slice(1)).get('key');
if (given) sessionStorage.setItem(KEY, given);

export const session = await openSession(sessionStorage.getItem(KEY));
if (session) void import('./shop.js');
else {
  document.getElementById('shop').hidden = true;
  document.getElementById('locked').hidden = false;
}

async function openSession(key) {
  if (!key) return null;
  const answer = await fetch('/demo/session', { headers: { Authorization: `Bearer ${key}` } });
  return answer.ok ? answer.json() : null;
}
// Another key pasted into the same tab changes the hash alone.
addEventListener('hashchange', () => location.hash.startsWith('#key=') && location.reload());
