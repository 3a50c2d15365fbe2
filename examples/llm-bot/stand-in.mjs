// Stands in for a language model: repeats the visitor's words, one by one, over the interface of OpenAI's chat completions.
// It calls hand_over when it reads "human", answers 500 to "broken", and never answers "slow".
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const { HOST = '127.0.0.1', PORT = '8090', WORD_MS = '60' } = process.env;

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(Number(PORT), HOST, () => console.log(`OPENAI_BASE_URL=http://${HOST}:${server.address().port}/v1`));

async function answer(request, response) {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return response.writeHead(404).end();
  if (!request.headers.authorization?.startsWith('Bearer ')) return response.writeHead(401).end();
  const { messages } = JSON.parse((await request.toArray()).join(''));
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const latest = said.at(-1) ?? '';
  if (latest.includes('slow')) return;
  if (latest.includes('broken')) return response.writeHead(500).end('{"error":{"message":"out of order"}}');
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const delta of latest.includes('human') ? toCall(said) : toWords(said)) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
    await sleep(Number(WORD_MS));
  }
  response.end('data: [DONE]\n\n');
}

function toWords(said) {
  const text = `You said: ${said.at(-1)} (message ${said.length} of yours that I know of)`;
  return text.split(' ').map((word, place) => ({ content: place === 0 ? word : ` ${word}` }));
}

/** A call of the tool, in two parts as models send it. */
function toCall(said) {
  const json = JSON.stringify({ reason: 'You asked for a person', summary: `The customer said: ${said.join(' / ')}` });
  const parts = [json.slice(0, 20), json.slice(20)];
  return parts.map((part, place) => ({
    tool_calls: [{ index: 0, function: { ...(place === 0 && { name: 'hand_over' }), arguments: part } }],
  }));
}
