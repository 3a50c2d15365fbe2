// Redeems the token in the hash (#prl_lnk_…), which browsers send to no server, for a session in a cookie.
const form = document.getElementById('form');
const password = document.getElementById('password');
const error = document.getElementById('error');
const who = document.getElementById('who');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (password.value === '') error.textContent = 'Choose a password, or skip.';
  else void signIn({ password: password.value });
});
document.getElementById('skip').addEventListener('click', () => void signIn({}));
// Opening another link in the same tab changes only the hash.
addEventListener('hashchange', () => location.hash.length > 1 && location.reload());

async function signIn(fields) {
  error.textContent = '';
  const answer = await post({ token: location.hash.slice(1), ...fields });
  if (answer.ok) showWho(await answer.json());
  else error.textContent = await explain(answer);
}

function post(body) {
  const headers = { 'Content-Type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ mode: 'cookie', ...body }) };
  return fetch('/api/agent/session/link', request).catch(() => ({ ok: false }));
}

async function explain(answer) {
  if (answer.status === undefined) return 'The service cannot be reached. Try again.';
  if (answer.status === 401) return 'This link was used or has expired. Ask your administrator for a new one.';
  return (await answer.json()).detail;
}

function showWho({ agent, organization }) {
  history.replaceState(null, '', location.pathname);
  form.hidden = true;
  who.textContent = `You are signed in to ${organization.name} as ${agent.name} (${agent.email}).`;
  who.focus();
}
