import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkDatabase } from '../../src/cli/doctor/database.js';
import { Parley, type SignedInAgent } from '../support/parley.js';
import { Scrape } from '../support/scrape.js';
import { Silence } from './support/silence.js';

describe('what agents see of a bot that is silent', () => {
  let parley: Parley;
  let silence: Silence;
  let ada: SignedInAgent;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());
  beforeEach(async () => {
    silence = await Silence.start(parley, { botSilenceSeconds: 3_600 });
    ada = await parley.signInAgent(silence.tenant, { role: 'ADMIN' });
    await silence.listen();
    await parley.query(`UPDATE receivers SET created_at = '2026-01-01' WHERE organization_id = $1`, [
      silence.tenant.id,
    ]);
  });

  /** The visitor wrote so many seconds ago. */
  const wrote = async (seconds: number) => {
    await silence.say();
    const values = [silence.tenant.chatId, new Date(Date.now() - seconds * 1000)];
    await parley.query('UPDATE messages SET created_at = $2 WHERE chat_id = $1', values);
    await parley.query('UPDATE deliveries SET created_at = $2 WHERE chat_id = $1', values);
    await parley.query('UPDATE chats SET waiting_since = $2, status_changed_at = $2 WHERE id = $1', values);
  };
  const rows = async () => (await ada.client.get('/chats?view=BOT').expect(200)).body.chats as any[];
  const since = async () => (await rows())[0].botSilentSince as string | null;

  it('the list of the bots has the time of the message that was not taken', async () => {
    await wrote(30);
    await silence.letTimePass();
    expect(await since()).toBeNull();
    await wrote(100);
    const shown = await silence.until(since, Boolean);
    const [row] = await rows();
    expect(shown).toBe(row.waitingSince);
    expect(await silence.owner()).toBe('BOT');
    const { body } = await ada.client.get(`/chats/${silence.tenant.chatId}`).expect(200);
    expect(body.botSilentSince).toBe(shown);
  });

  it('agents get the mark live, and its end when the bot takes the message', async () => {
    const socket = await parley.connectAgent(ada.token);
    await socket.ask('view:watch', { view: 'BOT' });
    await wrote(100);
    await silence.until(since, Boolean);
    await socket.until(() => socket.all('chat').some(({ botSilentSince }) => Boolean(botSilentSince)));
    await silence.take();
    await silence.until(since, (at) => at === null);
    await socket.until(() => socket.all('chat').at(-1).botSilentSince === null);
  });

  it('an answer ends the mark immediately', async () => {
    await wrote(100);
    await silence.until(since, Boolean);
    await silence.tenant.bot.post('/messages', { chatId: silence.tenant.chatId, content: 'Here' }).expect(200);
    expect(await since()).toBeNull();
    await silence.until(
      () => parley.query('SELECT FROM bot_silences WHERE chat_id = $1', [silence.tenant.chatId]),
      ({ length }) => length === 0,
    );
  });

  it('doctor warns of a bot that takes no messages', async () => {
    const warnings = async () => {
      const database = await checkDatabase({ DATABASE_URL: parley.databaseUrl }, true);
      await database.close();
      return database.checks
        .filter(({ status }) => status === 'warning')
        .map(({ name, detail }) => `${name}: ${detail}`);
    };
    await wrote(100);
    await silence.until(since, Boolean);
    expect(await warnings()).toContainEqual(
      expect.stringMatching(/^bots: no bot has taken the message in \d+ chats, for up to \d+ s/),
    );
    await silence.tenant.admin.patch('', { botSilenceSeconds: 90 }).expect(200);
    expect(await warnings()).toContainEqual(
      expect.stringMatching(/^events: events have waited for up to \d+ s for \d+ of/),
    );
    await silence.tenant.admin.patch('', { botSilenceSeconds: 3_600 }).expect(200);
  });

  it('metrics count silent chats, and chats that agents got', async () => {
    await wrote(100);
    await silence.until(since, Boolean);
    const before = await Scrape.of(parley.url);
    const silent = before.value('parley_bot_silent_chats')!;
    expect(silent).toBeGreaterThanOrEqual(1);
    expect(before.value('parley_bot_silence_oldest_seconds')).toBeGreaterThanOrEqual(100);
    await silence.tenant.admin.patch('', { botSilenceSeconds: 1 }).expect(200);
    await silence.untilHandedOver();
    const after = await Scrape.of(parley.url);
    expect(after.value('parley_bot_silent_chats')).toBe(silent - 1);
    const handedOver = (scrape: Scrape) =>
      scrape.value('parley_bot_silence_handovers_total', { reason: 'bot_silent' })!;
    expect(handedOver(after) - handedOver(before)).toBe(1);
  });
});
