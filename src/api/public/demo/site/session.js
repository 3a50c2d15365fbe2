// The start prints the page's address with a key behind it (#key=…), without which there is no session: a visitor who merely
// reaches the service, through a proxy say, is not shown the bot's token. The tab keeps the key while the page links within itself.
const KEY = 'parley-demo-key';
const given = new URLSearchParams(location.hash.slice(1)).get('key');
if (given) sessionStorage.setItem(KEY, given);

export const session = await openSession(sessionStorage.getItem(KEY));

async function openSession(key) {
  if (!key) return null;
  const answer = await fetch('/demo/session', { headers: { Authorization: `Bearer ${key}` } });
  return answer.ok ? answer.json() : null;
}
