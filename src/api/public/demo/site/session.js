/** The address of the service, without a slash at the end. */
export const service = new URL('..', import.meta.url).href.slice(0, -1);

// The service prints the page's address at start, with a key in the hash (#key=…). Without the key there is no session:
// so a visitor who only reaches the service, such as through a proxy, does not see the bot's token. The tab stores the
// key, each for its own Parley: the host may have several.
const KEY = `parley-demo-key ${new URL(service).pathname}`;
const given = new URLSearchParams(location.hash.slice(1)).get('key');
if (given) sessionStorage.setItem(KEY, given);

const key = sessionStorage.getItem(KEY);
export const session = key ? await ask('GET', '/demo/session') : null;

/** The address of the console with a link that signs in once. */
export async function makeConsoleLink() {
  const link = await ask('POST', '/demo/sign-in-link');
  if (!link) throw new Error('There is no link');
  return `${service}/console/link#${link.token}`;
}

async function ask(method, path) {
  const answer = await fetch(service + path, { method, headers: { Authorization: `Bearer ${key}` } });
  return answer.ok ? answer.json() : null;
}
