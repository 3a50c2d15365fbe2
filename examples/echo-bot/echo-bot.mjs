// Repeats what visitors say, and hands the chat to people when they ask for one.
import { createBot } from 'parley-bot';

const { PARLEY_URL: url = 'http://127.0.0.1:3000', PARLEY_TOKEN: token } = process.env;
const bot = createBot({ url, token });
bot.on('message', async ({ message, reply, handOver }) => {
  if (message.content === 'human') return handOver({ reason: 'The visitor asked for a person' });
  await reply([...`You said: ${message.content}`].slice(0, 5_000).join(''));
});
await bot.run();
