// The chat completions of any endpoint that is compatible with OpenAI's, as a stream.
const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL = 'gpt-4.1-mini' } = process.env;
if (!OPENAI_BASE_URL || !OPENAI_API_KEY) {
  console.error('Set OPENAI_BASE_URL (such as http://127.0.0.1:11434/v1) and OPENAI_API_KEY; see README.md');
  process.exit(1);
}
const ENDPOINT = `${OPENAI_BASE_URL.endsWith('/') ? OPENAI_BASE_URL.slice(0, -1) : OPENAI_BASE_URL}/chat/completions`;

/**
 * Asks the model. `text()` yields its answer, piece by piece. When it has ended, `calls` has the model's tool calls, each with `name` and
 * `arguments`.
 */
export function ask({ messages, tools, signal }) {
  const pieces = [];
  const calls = [];
  async function* text() {
    for await (const { content, tool_calls: parts = [] } of request({ messages, tools, signal })) {
      if (content) yield content;
      for (const part of parts) add(pieces, part);
    }
    calls.push(...pieces.map(({ name, json }) => ({ name, arguments: parse(json) })));
  }
  return { text, calls };
}

async function* request({ messages, tools, signal }) {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { Authorization: `Bearer ${OPENAI_API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model: OPENAI_MODEL,
      messages,
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
      stream: true,
    }),
    signal,
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  for await (const data of events(response.body)) {
    if (data === '[DONE]') return;
    const { choices = [], error } = JSON.parse(data);
    if (error) throw new Error(`the model failed: ${error.message}`);
    if (choices[0]?.delta) yield choices[0].delta;
  }
  throw new Error('the model broke off');
}

/** The `data` of server-sent events. */
async function* events(body) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
  }
}

/** A call comes in parts: its name first, then its arguments bit by bit. */
function add(pieces, { index = 0, function: { name = '', arguments: json = '' } = {} }) {
  const piece = (pieces[index] ??= { name: '', json: '' });
  piece.name += name ?? '';
  piece.json += json ?? '';
}

function parse(json) {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}
