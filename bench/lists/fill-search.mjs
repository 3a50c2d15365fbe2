import { Lexemes } from '../../dist/src/search/tokens/lexemes.js';

/** The messages of a chat. */
export const EACH = 10;
export const PHRASE = 'purple elephant';
/** Of the attribute `plan`, each chat has one of so many values. */
const PLANS = 100;

/** How many words a language has. The first ones are common. */
const WORDS = 20_000;
const WORDS_OF_MESSAGE = 12;
/** The organizations that have the other half of the chats. */
const OTHERS = 1_000;
/** How many chats a statement stores. */
const CHUNK = 400;

// Texts of five languages: with and without marks, of several scripts, and without spaces.
const SYLLABLES = [
  ['ba', 'con', 'der', 'fi', 'gra', 'hol', 'in', 'lo', 'mer', 'nu', 'or', 'pre', 'ser', 'ti', 'un', 'wo'],
  ['auf', 'be', 'schlüs', 'ein', 'füh', 'ge', 'keit', 'lei', 'mäß', 'ver', 'rück', 'stel', 'tung', 'über', 'zu', 'wör'],
  ['ва', 'до', 'ждё', 'за', 'ка', 'ли', 'мо', 'на', 'по', 'ре', 'сто', 'ть', 'ний', 'об', 'при', 'че'],
  ['با', 'تر', 'جم', 'حس', 'خد', 'در', 'رس', 'سل', 'شك', 'صو', 'طل', 'عم', 'فت', 'قر', 'كت', 'مو'],
];
const FIRST_CHARACTER = 0x4e00;
const CHARACTERS = 3_000;

/** The same random numbers in each run. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function wordOf(language, number) {
  const syllables = SYLLABLES[language];
  let word = '';
  for (let rest = number; word === '' || rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

function textOf(language, random) {
  const common = (count) => Math.floor(random() ** 4 * count);
  const isOfCharacters = language === SYLLABLES.length;
  const parts = Array.from({ length: isOfCharacters ? 2 * WORDS_OF_MESSAGE : WORDS_OF_MESSAGE }, () =>
    isOfCharacters ? String.fromCodePoint(FIRST_CHARACTER + common(CHARACTERS)) : wordOf(language, common(WORDS)),
  );
  return parts.join(isOfCharacters ? '' : ' ');
}

const id = (prefix, number) => `${prefix}_01${String(number).padStart(24, '0')}`;

/** A chat's place: every second one, or every one, is of one organization, and the others of many. */
function placeOf(number, { organizationId, groupId, fewId, share }) {
  if (number % share === 0)
    return { organization: organizationId, group: number % (100 * share) === 0 ? fewId : groupId };
  const other = ((number - 1) / 2) % OTHERS;
  return { organization: id('org', other), group: id('grp', other) };
}

/** The rows of some chats: of all tables, by their columns. */
function rowsOf(from, to, { chats, now, isIndexed, ...tenant }, random) {
  const rows = { chats: [], messages: [], entries: [] };
  for (let number = from; number < to; number++) {
    const { organization, group } = placeOf(number, tenant);
    // A chat every ten minutes, the newest a moment ago.
    const at = new Date(now - (chats - number) * 600_000);
    const [chatId, visitorId, name] = [id('cht', number), id('vis', number), `Visitor${number}`];
    rows.chats.push([organization, chatId, visitorId, name, group, at.toISOString(), `plan ${number % PLANS}`]);
    const words = new Lexemes().addPlace(organization, at).addWhole(chatId).addWhole(visitorId).addName(name);
    const entry = (key, kind, seq, of) => [organization, chatId, key, kind, seq, at.toISOString(), of.toString()];
    if (isIndexed) rows.entries.push(entry(chatId, 'CHAT', null, words));
    for (let seq = 1; seq <= EACH; seq++) {
      const n = (number - 1) * EACH + seq;
      let content = textOf(number % (SYLLABLES.length + 1), random);
      if (n % 10 === 0) content += ' commonword';
      if (number % Math.ceil(chats / 20) === 6 && seq === 3) content += ' rareword';
      if (n % 5_000 < 20 && seq === 9) content += ` ${PHRASE}`;
      if (number <= 40) content += ' oldword';
      rows.messages.push([organization, chatId, seq, id('msg', n), content, visitorId, at.toISOString()]);
      if (isIndexed)
        rows.entries.push(
          entry(id('msg', n), 'VISITOR', seq, new Lexemes().addPlace(organization, at).addText(content)),
        );
    }
  }
  return rows;
}

const of = (columns) => `unnest(${columns.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`;
const TEXTS = (count) => Array.from({ length: count }, () => 'text');

const ADD_VISITORS = `INSERT INTO visitors (organization_id, id, name, created_at)
  SELECT o, v, name, at::timestamptz FROM ${of(TEXTS(7))} AS r (o, c, v, name, g, at, plan)`;
const ADD_CHATS = `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, message_count,
    last_visitor_seq, created_at, last_message_at, attributes)
  SELECT o, c, v, g, 'CLOSED', at::timestamptz, ${EACH}, ${EACH}, at::timestamptz, at::timestamptz, json_build_object('plan', plan)
  FROM ${of(TEXTS(7))} AS r (o, c, v, name, g, at, plan)`;
const ADD_MESSAGES = `INSERT INTO messages (organization_id, chat_id, seq, id, type, content, sender_type, sender_id, created_at)
  SELECT o, c, seq, id, 'TEXT', content, 'VISITOR', v, at::timestamptz
  FROM ${of(['text', 'text', 'integer', ...TEXTS(4)])} AS r (o, c, seq, id, content, v, at)`;
const ADD_ENTRIES = `INSERT INTO search_entries (organization_id, chat_id, id, kind, seq, created_at, words)
  SELECT o, c, id, kind, seq, at::timestamptz, words::tsvector
  FROM ${of([...TEXTS(4), 'integer', ...TEXTS(2)])} AS r (o, c, id, kind, seq, at, words)`;

/**
 * Fills in chats with messages in five languages.
 * @param share 1: all of one organization; 2: every second one, and the others of 1,000 organizations
 * @param isIndexed whether to write the index too, which the service does at a few hundred messages a second
 */
export async function fillChats(client, given) {
  const random = randomOf(7);
  const columns = (rows) => rows[0].map((_, index) => rows.map((row) => row[index]));
  const later = given.isIndexed ? await dropIndexes(client) : [];
  for (let from = 1; from <= given.chats; from += CHUNK) {
    const rows = rowsOf(from, Math.min(from + CHUNK, given.chats + 1), given, random);
    for (const text of [ADD_VISITORS, ADD_CHATS]) await client.query(text, columns(rows.chats));
    await client.query(ADD_MESSAGES, columns(rows.messages));
    if (given.isIndexed) await client.query(ADD_ENTRIES, columns(rows.entries));
  }
  for (const { definition } of later) await client.query(definition);
}

// Built together at the end, they take much less time.
async function dropIndexes(client) {
  const { rows } = await client.query(`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename = 'search_entries' AND indexname <> 'pk_search_entries'`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows;
}
