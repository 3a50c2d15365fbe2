import { afterEach, describe, expect, it } from '@jest/globals';
import { Random } from '../../faults/support/random.js';
import { anotherChat } from '../support/desk.js';
import { Stage } from '../support/stage.js';
import { pause, Person, type Team } from './support/person.js';
import { LETTERS } from './support/recorder.js';

const SEED = Number(process.env.CONSOLE_SEED ?? Math.floor(Math.random() * 1_000_000) + 1);
const STEPS = Number(process.env.CONSOLE_STEPS ?? 100);
/** How many chats wait for an agent. */
const WAITING = 6;

describe(`two people at random, seed ${SEED}`, () => {
  const stage = Stage.set({ AGENT_RATE_LIMIT: '0', BOT_RATE_LIMIT: '0' });
  const people: Person[] = [];
  afterEach(() => Promise.all(people.map(({ road }) => road.close())));

  it(
    `finds everything in its place after ${STEPS} steps`,
    async () => {
      const names = new Map<string, string>([[stage.tenant.chatId, 'Vera']]);
      let count = 0;
      const word = () => String.fromCodePoint(0xac_00 + count++);
      const team: Team = { stage, names, word, faults: [] };
      const makeChat = async () => {
        const name = `Visitor-${names.size}-`;
        names.set(await anotherChat(stage, name, 'Help'), name);
      };
      const { admin, bot } = stage.tenant;
      const offering = { name: 'Sales', routing: 'OFFER', offerSeconds: 60 };
      const { body: sales } = await admin.post('/groups', offering).expect(201);
      const { client: boss } = await stage.parley.signInAgent(stage.tenant, { role: 'SUPERVISOR' });
      await boss.post('/replies', { shortcut: 'bye', content: 'Goodbye!', action: 'CLOSE' }).expect(201);
      for (let chats = 0; chats < 2 * WAITING; chats++) await makeChat();
      for (const [index, name] of ['Ada', 'Sam'].entries())
        people.push(await Person.enter(team, new Random(SEED + index), name));
      let left = STEPS;
      // Without a letter, a run shows nothing. So it goes on until a person has typed, for at most as many steps again.
      const isOver = () => left <= 0 && (left <= -STEPS || people.some(({ typed }) => typed.length > 0));
      const work = async (person: Person) => {
        for (; !isOver() && team.faults.length === 0; left--) await person.step();
      };
      await Promise.all([...people.map(work), goOn(new Random(SEED + people.length))]);
      expect(team.faults.join('\n')).toBe('');
      await Promise.all(people.map((person) => person.settle()));
      await check(people);

      /** What happens elsewhere: visitors come, chats end, and bots set titles. */
      async function goOn(random: Random): Promise<void> {
        while (!isOver() && team.faults.length === 0) {
          await pause(random.between(50, 400));
          const { body } = await admin.get('/chats?owner=QUEUE&limit=50').expect(200);
          if (body.chats.length < WAITING) await makeChat();
          const chatId = random.pick([...names.keys()].slice(-4 * WAITING));
          if (random.isHeads(0.05)) await admin.patch(`/chats/${chatId}`, { status: 'CLOSED' });
          if (random.isHeads(0.05)) await bot.post('/transfer', { chatId, groupId: sales.id });
          if (random.isHeads(0.2)) await bot.patch(`/chats/${chatId}`, { title: `Title ${random.next().toFixed(3)}` });
        }
      }

      async function check(everyone: Person[]): Promise<void> {
        const found = await everything(everyone);
        const wrong: string[] = [];
        for (const { letter, place } of new Set(everyone.flatMap(({ typed }) => typed))) {
          const places = found.get(letter) ?? new Map<string, number>();
          const where = `${place.kind} ${place.name}`;
          const typed = everyone.flatMap((one) => one.typed).filter((one) => one.letter === letter).length;
          const kept = places.get(where) ?? 0;
          const others = [...places.keys()].filter((other) => other !== where);
          if (others.length > 0) wrong.push(`${letter} for ${where} is in ${others.join(', ')}`);
          // Titles are replaced, and their fields have a limit.
          if (place.kind !== 'title' && kept !== typed) wrong.push(`${letter} for ${where}: ${kept} of ${typed}`);
        }
        const logs = wrong.length > 0 ? everyone.map(({ log }) => log) : [];
        expect([...new Set(wrong), ...logs]).toEqual([]);
        expect(everyone.flatMap(({ typed }) => typed)).not.toEqual([]);
      }

      /** How often each letter is in each place. */
      async function everything(everyone: Person[]): Promise<Map<string, Map<string, number>>> {
        const found = new Map<string, Map<string, number>>();
        const add = (where: string, text: string) => {
          for (const letter of text.match(LETTERS) ?? []) {
            const places = found.get(letter) ?? new Map<string, number>();
            found.set(letter, places.set(where, (places.get(where) ?? 0) + 1));
          }
        };
        const { client } = await stage.parley.signInAgain(stage.tenant, everyone[0]!.desk.agentId);
        for (const [chatId, name] of names) {
          const [chat, said, noted] = await Promise.all([
            client.get(`/chats/${chatId}`).expect(200),
            client.get(`/chats/${chatId}/messages?limit=200`).expect(200),
            client.get(`/chats/${chatId}/notes?limit=50`).expect(200),
          ]);
          add(`title ${name}`, chat.body.title ?? '');
          for (const { content } of said.body.messages) add(`message ${name}`, content);
          for (const { content } of noted.body.notes) add(`note ${name}`, content);
        }
        for (const person of everyone)
          for (const { chatId, kind, words } of await person.kept()) add(`${kind} ${names.get(chatId)}`, words);
        return found;
      }
    },
    STEPS * 4_000,
  );
});
