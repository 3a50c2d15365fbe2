// Registers the bot's webhook over the admin API and prints what the bot needs as lines for a shell. If the webhook exists
// already, it gets a new secret.
const { PARLEY_URL = 'http://127.0.0.1:3000', ADMIN_TOKEN, ORGANIZATION } = process.env;
const { HOOK_URL = 'http://127.0.0.1:8080/hook' } = process.env;
if (!ADMIN_TOKEN || !ORGANIZATION) fail('Set ADMIN_TOKEN and ORGANIZATION; README.md says where they come from');

const wanted = { url: HOOK_URL, events: ['message.created'], senderTypes: ['VISITOR'] };

const { webhooks } = await admin('GET', '');
const known = webhooks.find(({ url }) => url === HOOK_URL);
if (known) await admin('PATCH', `/${known.id}`, { ...wanted, isEnabled: true });
const made = known ? await admin('POST', `/${known.id}/rotate-secret`) : await admin('POST', '', wanted);
console.log(`export WEBHOOK=${known?.id ?? made.id}`);
console.log(`export WEBHOOK_SECRET=${made.secret}`);

async function admin(method, path, body) {
  const url = `${PARLEY_URL.replace(/\/$/, '')}/api/admin/organizations/${ORGANIZATION}/webhooks${path}`;
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) }).catch(() => null);
  if (response === null) return fail(`Parley does not answer at ${PARLEY_URL}`);
  const answer = await response.json();
  if (response.ok) return answer;
  return fail(answer.detail);
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
