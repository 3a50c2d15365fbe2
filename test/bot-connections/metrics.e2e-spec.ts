import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Parley } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { call, ConnectedBot, says, stream, text, usage } from './support/model.js';

describe('the metrics of bots by address', () => {
  let parley: Parley;
  let bot: ConnectedBot;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
    bot = await ConnectedBot.start(parley, { onNewMessage: 'interrupt' });
  });
  afterAll(async () => {
    await bot.close();
    await parley.stop();
  });

  const scrape = () => Scrape.of(parley.url);

  it('runs, turns, tokens, and calls are counted once each', async () => {
    const answers = [
      says(call('unknown', {}), usage(10, 2)),
      says(text('Bye!'), call('close_chat', {}, 0), call('hand_over', { reason: 'r' }, 1), usage(20, 5)),
    ];
    bot.model.become((received, response) => answers.shift()!(received, response));
    await bot.say('Hi');
    await bot.ended(1);
    const after = await scrape();
    const kind = 'openai';
    expect(after.value('parley_bot_runs_total', { kind, outcome: 'DONE' })).toBe(2);
    expect(after.value('parley_bot_runs_total')).toBe(2);
    expect(after.value('parley_bot_connection_turns_total', { kind, status: 'DONE' })).toBe(1);
    expect(after.value('parley_bot_connection_turns_total')).toBe(1);
    expect(after.value('parley_bot_run_duration_seconds_count', { kind })).toBe(2);
    expect(after.value('parley_bot_first_token_seconds_count', { kind })).toBeGreaterThanOrEqual(1);
    expect(after.value('parley_bot_tokens_total', { kind, direction: 'input' })).toBe(30);
    expect(after.value('parley_bot_tokens_total', { kind, direction: 'output' })).toBe(7);
    expect(after.value('parley_bot_tool_calls_total', { tool: 'other', outcome: 'error' })).toBe(1);
    expect(after.value('parley_bot_tool_calls_total', { tool: 'close_chat', outcome: 'done' })).toBe(1);
    expect(after.value('parley_bot_tool_calls_total', { tool: 'hand_over', outcome: 'not_executed' })).toBe(1);
    expect(after.value('parley_bot_turns_waiting')).toBe(0);
  });

  it('a run in progress shows, and an interrupted one counts as aborted', async () => {
    const { body: chat } = await bot.tenant.admin.post('/chats', { visitor: { name: 'Val' } }).expect(201);
    bot.model.become((_, response) => void stream(response).write(text('Never')));
    await bot.say('One', chat.visitorToken, chat.id);
    await bot.model.count(3);
    expect((await scrape()).value('parley_bot_runs_in_flight', { kind: 'openai' })).toBe(1);
    bot.model.become(says(text('Two')));
    await bot.say('Two', chat.visitorToken, chat.id);
    await bot.ended(3);
    const after = await eventually(scrape, (seen) => seen.value('parley_bot_runs_in_flight') === 0);
    expect(after.value('parley_bot_runs_total', { outcome: 'ABORTED' })).toBe(1);
    expect(after.value('parley_bot_connection_turns_total', { status: 'ABORTED' })).toBe(1);
    expect(after.value('parley_bot_connection_turns_total', { status: 'DONE' })).toBe(2);
  });

  it('a turn that no node begins counts as waiting', async () => {
    // Turns of a chat whose visitor asked for a person wait for the transfer.
    const { body: chat } = await bot.tenant.admin.post('/chats', { visitor: { name: 'Val' } }).expect(201);
    await parley.query(
      `INSERT INTO person_requests (organization_id, chat_id, after_seq, requested_at, due_at)
        SELECT $1, $2, 0, now(), now() + interval '1 h'`,
      [bot.tenant.id, chat.id],
    );
    await bot.say('Hi', chat.visitorToken, chat.id);
    const seen = await eventually(scrape, (one) => one.value('parley_bot_turns_waiting') === 1);
    expect(seen.value('parley_bot_turns_oldest_seconds')).toBeLessThan(60);
    await parley.query('DELETE FROM person_requests WHERE chat_id = $1', [chat.id]);
    await eventually(scrape, (one) => one.value('parley_bot_turns_waiting') === 0);
  });

  it('a turn whose connection was deleted counts without a kind', async () => {
    const { body: chat } = await bot.tenant.admin.post('/chats', { visitor: { name: 'Val' } }).expect(201);
    bot.model.become((_, response) => void stream(response).write(text('Never')));
    await bot.say('One', chat.visitorToken, chat.id);
    await eventually(scrape, (seen) => seen.value('parley_bot_runs_in_flight', { kind: 'openai' }) === 1);
    await bot.tenant.admin.delete(bot.path).expect(204);
    const status = 'HANDED_OVER';
    await eventually(
      scrape,
      (seen) => seen.value('parley_bot_connection_turns_total', { kind: 'deleted', status }) === 1,
    );
  });
});
