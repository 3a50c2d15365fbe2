import assert from 'node:assert/strict';
import test from 'node:test';
import { testBot } from 'parley-bot/test';
import { bot } from './bot.js';

test('the bot answers', async () => {
  const { replies } = await testBot(bot).say('hello');
  assert.equal(replies[0]?.content, 'You said: hello');
});

test('the bot hands over to a person, and is silent from then on', async () => {
  const chat = testBot(bot);
  const { handedOver } = await chat.say('I want to talk to a person');
  assert.deepEqual(handedOver, { reason: 'The visitor asked for a person' });
  await chat.claim();
  const { replies } = await chat.say('thanks');
  assert.deepEqual(replies, []);
});
