// Answers visitors with a language model while it writes, and hands the chat to people when the model decides so.
import { createBot, toModelMessages } from 'parley-bot';
import { ask } from './model.mjs';

const { PARLEY_URL: url = 'http://127.0.0.1:3000', PARLEY_TOKEN: token, DEADLINE_SECONDS = '45' } = process.env;
const {
  INSTRUCTIONS = 'You answer customers in the chat of a small shop. Be brief and friendly, and use the language of the customer. ' +
    'Say so when you do not know something. Call hand_over when the customer asks for a person, is upset, or needs what you cannot do.',
} = process.env;
/** How many messages the model gets. */
const REMEMBERED = 30;

const HAND_OVER = {
  name: 'hand_over',
  description: 'Hands this conversation to a person of the team. You say nothing more after it.',
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in a few words; the customer sees it' },
      summary: {
        type: 'string',
        description: 'What the person has to know, in two or three sentences; the customer does not see it',
      },
    },
    required: ['reason', 'summary'],
  },
};

const bot = createBot({
  url,
  token,
  deadline: Number(DEADLINE_SECONDS) * 1000,
  deadlineSentence: 'Sorry, I cannot answer this right now. Try again in a moment, or ask for a person.',
  // A model that fails is asked again. After the third failure, the chat goes to people.
  onError: 'retry',
});

// Called only while the bots have the chat: while an agent has it, the bot is silent.
bot.on('message', async ({ history, say, handOver, signal }) => {
  const messages = [{ role: 'system', content: INSTRUCTIONS }, ...toModelMessages(await history(REMEMBERED))];
  const answer = ask({ messages, tools: [HAND_OVER], signal });
  await say(answer.text());
  const wish = answer.calls.find(({ name }) => name === HAND_OVER.name);
  if (wish) await handOver(toHandOver(wish.arguments));
});

await bot.run();

/** Models don't always send the arguments they were asked for: the chat is handed over with what they sent. */
function toHandOver({ reason, summary }) {
  const text = (value) => (typeof value === 'string' && value !== '' ? value : undefined);
  return { reason: text(reason), summary: text(summary) };
}
