// Posts live texts by the clock, each a little longer than the one before of its chat, with as little CPU as it can, for that is
// shared with what is measured. The first line of standard input is the work: {url, rate, chats: [{id, botToken}]}; it ends with its input.
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

const CONNECTIONS = 32;
/** Milliseconds between two looks at the clock. */
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
    // What the service cannot take is not piled up.
    for (; posted < due && posted - answered < CONNECTIONS * 4; posted++) void post(posted);
  }, TICK);
  // What was answered in each second, for who wants to know whether the rate was reached.
  setInterval(() => console.log(answered), 1_000);
}
