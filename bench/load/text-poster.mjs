// Posts live texts at a fixed rate, each a little longer than the chat's previous one. It uses little CPU, because it shares it with
// the measured service. The first line of standard input is {url, rate, chats: [{id, botToken}]}. The process exits at its end.
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

const CONNECTIONS = 32;
/** Milliseconds between two checks of the clock. */
const TICK = 10;
const WORDS = 'Your order has left our warehouse today, and is on its way to you. '.repeat(8);

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => begin(JSON.parse(line)));
lines.once('close', () => process.exit());

function begin({ url, rate, chats }) {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  const startedAt = performance.now();
  let posted = 0;
  let answered = 0;
  const post = async (number) => {
    const { id, botToken } = chats[number % chats.length];
    const headers = { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' };
    const text = WORDS.slice(0, 20 + ((Math.floor(number / chats.length) * 20) % (WORDS.length - 20)));
    const path = `/api/bot/chats/${id}/typing`;
    const body = JSON.stringify({ isTyping: true, text });
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`a text was answered ${answer.statusCode}`);
    answered++;
  };
  setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * rate;
    // Limits the backlog if the service is too slow.
    for (; posted < due && posted - answered < CONNECTIONS * 4; posted++) void post(posted);
  }, TICK);
  // Prints the responses of each second, which show whether the rate was reached.
  setInterval(() => console.log(answered), 1_000);
}
