// The service prints the page's address at start, with a key in the hash (#key=…). Without the key there is no session:
// so a visitor who only reaches the service, such as through a proxy, does not see the bot's token. The tab stores the
// key.
const KEY = 'parley-demo-key';
const given = new URLSearchParams(location.hash.slice(1)).get('key');
if (given) sessionStorage.setItem(KEY, given);

export const session = await openSession(sessionStorage.getItem(KEY));

async function openSession(key) {
  if (!key) return null;
  const answer = await fetch('/demo/session', { headers: { Authorization: `Bearer ${key}` } });
  return answer.ok ? answer.json() : null;
}
