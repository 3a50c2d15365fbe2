import { createBot } from 'parley-bot';

export const bot = createBot({ url: process.env.PARLEY_URL, token: process.env.PARLEY_TOKEN });

bot.on('message', async ({ message, reply, handOver }) => {
  if (/\b(human|person|agent)\b/i.test(message.content)) {
    return handOver({ reason: 'The visitor asked for a person' });
  }
  await reply(`You said: ${message.content}`);
});
