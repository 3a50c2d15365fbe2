import { signIn } from '../agents/prepare.mjs';

/** The limit for a chat with 200 messages, in milliseconds. */
const BOUND_OF_CHAT = 15;
const VIEWS = ['MINE', 'WAITING', 'BOT', 'OPEN', 'CLOSED'];

/** The requests of an agent and a supervisor, by row name, for `timeAll`. @param ids the result of `fillLists` */
export async function viewsOfPeople(parley, organizationId, ids) {
  const lists = new Map();
  for (const [person, agentId] of Object.entries(ids.people)) {
    const token = await signIn(parley, organizationId, agentId);
    const own = [...(await viewsOf(parley, token, ids)), ...chatsOf(ids), ...othersOf(person)];
    for (const [title, path, bound] of own) lists.set(`${person} ${title}`, [token, path, undefined, bound]);
  }
  return lists;
}

/** Each view's first and second page, a page in the middle of the closed chats, and the counts. */
async function viewsOf({ url }, token, { name, chats, groupId }) {
  const lists = [];
  for (const view of VIEWS) {
    const path = `/api/agent/chats?view=${view}&limit=100`;
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    const { nextCursor } = await answer.json();
    lists.push([`${view}, first page of 100`, path], [`${view}, one`, `/api/agent/chats?view=${view}&limit=1`]);
    lists.push([`${view} of a group`, `${path}&groupId=${groupId}`]);
    if (nextCursor) lists.push([`${view}, second page`, `${path}&cursor=${nextCursor}`]);
  }
  // About the middle of the closed chats.
  const middle = new Date(Date.now() - 365 * 86_400_000 + (chats / 2) * 10_000).toISOString();
  const cursor = Buffer.from(middle + name('cht', chats / 2)).toString('base64url');
  for (const view of ['BOT', 'OPEN', 'CLOSED']) {
    lists.push([`${view}, middle page`, `/api/agent/chats?view=${view}&limit=100&cursor=${cursor}`]);
  }
  return [...lists, ['counts', '/api/agent/chats/counts']];
}

function chatsOf({ name, chats }) {
  const chat = `/api/agent/chats/${name('cht', chats / 2 + 3)}`;
  const long = `/api/agent/chats/${name('cht', chats + 1)}`;
  return [
    ['one chat', chat],
    ['last messages of a chat', `${chat}/messages?limit=200&beforeSeq=11`],
    ['a long chat', long, BOUND_OF_CHAT],
    ['last 200 messages of a long chat', `${long}/messages?limit=200&beforeSeq=50001`, BOUND_OF_CHAT],
    ['200 messages of a long chat, middle', `${long}/messages?limit=200&beforeSeq=25001`, BOUND_OF_CHAT],
    ['notes of a chat', `${chat}/notes`],
  ];
}

// A report has no limit, because it reads each chat of its days.
function othersOf(person) {
  const lists = ['groups', 'agents', 'offers', 'replies'].map((name) => [name, `/api/agent/${name}`]);
  if (person !== 'supervisor') return lists;
  const day = (before) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
  const report = (from, to) => `/api/agent/reports?from=${day(from)}&to=${day(to)}`;
  return [...lists, ['report of a week', report(359, 353), null], ['report of a month', report(359, 329), null]];
}
