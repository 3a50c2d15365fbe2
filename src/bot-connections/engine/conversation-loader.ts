import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { type ChatStateRow, findChatState } from '../../chats/reading/chats.queries.js';
import type { FileView } from '../../files/file.js';
import { FileLinks } from '../../files/file-links.js';
import { GroupsService } from '../../groups/groups.service.js';
import { AvailabilityService } from '../../handoff/availability.service.js';
import { MessagesService } from '../../messages/messages.service.js';
import type { MessageView } from '../../messages/message.js';
import { notFound } from '../../platform/errors/problem.js';
import { newId } from '../../platform/lib/ids.js';
import { continued } from '../questions/open-questions.js';
import { answerTo } from '../drivers/drivers.js';
import { isEndpoint } from '../model/connection.js';
import type {
  Conversation,
  OfferedGroup,
  OpenConnection,
  Part,
  Said,
  SharedFile,
  SharedPage,
  SharedVisitor,
} from '../model/conversation.js';
import type { Transcript, TranscriptEntry } from '../model/transcript.js';
import { answerOf } from './late-answers.js';
import type { LockedTurn } from '../turns/take.queries.js';
import { findLocale } from '../turns/locale.queries.js';
import { type ChatNotes, findNotes, findTags } from '../turns/shared-chat.queries.js';
import { findReplaced } from '../turns/replaced.queries.js';
import { findTranscript } from '../turns/transcripts.queries.js';

/** Messages that are read for each one that the endpoint gets, because system messages are left out. */
const READ_FACTOR = 2;

/** The part of a turn that a request depends on. */
export type LoadedTurn = Pick<LockedTurn, 'id' | 'chatId' | 'firstSeq' | 'lastSeq' | 'step' | 'tries' | 'replaces'>;

/** Reads what a run sends to the endpoint (CONTRACT: Bots by address). */
@Injectable()
export class ConversationLoader {
  constructor(
    private readonly manager: EntityManager,
    private readonly messages: MessagesService,
    private readonly groups: GroupsService,
    private readonly availability: AvailabilityService,
    private readonly links: FileLinks,
  ) {}

  /** @throws Problem not_found */
  async load(connection: OpenConnection, turn: LoadedTurn, runId: string): Promise<Conversation> {
    const { organizationId, settings } = connection;
    const chatId = turn.chatId ?? notFound('Chat');
    const chat = (await findChatState(this.manager, organizationId, chatId)) ?? notFound('Chat');
    const replaced = await findReplaced(this.manager, organizationId, turn.replaces);
    const limit = settings.history * READ_FACTOR + replaced.size;
    const messages = await this.readMessages({ ...chat, organizationId }, turn, limit);
    const stored = await findTranscript(this.manager, organizationId, chatId, connection.id);
    const transcript = withoutReplaced(stored, turn.replaces);
    const notes = settings.share.includes('notes') ? await findNotes(this.manager, organizationId, chatId) : null;
    const links = settings.share.includes('files') ? this.links : null;
    const sent = messages.filter(({ id }) => !replaced.has(id));
    const parts = partsOf(sent, transcript, turn, { connection, notes, links });
    return {
      organizationId,
      chatId,
      visitorId: chat.visitorId,
      turnId: turn.id,
      runId,
      step: turn.step,
      try: turn.tries,
      ...parts,
      lastSeq: turn.lastSeq,
      remoteId: transcript.remoteId ?? null,
      state: transcript.state,
      omitted: new Set(transcript.omitted),
      ...continuationOf(transcript, parts.asked, sent, turn),
      ...(!isEndpoint(connection.kind) && { locale: await findLocale(this.manager, organizationId, chatId) }),
      groups: settings.share.includes('groups') ? await this.listGroups(organizationId) : null,
      visitor: settings.share.includes('visitor') ? await this.findVisitor(organizationId, chat) : null,
      page: settings.share.includes('page') ? pageOf(chat, messages) : null,
      notes: notes && notesOf(notes),
    };
  }

  /** A conversation in a chat that doesn't exist, so that a connection can be tried. */
  async pretend({ organizationId, settings }: OpenConnection, message: string): Promise<Conversation> {
    return {
      organizationId,
      chatId: newId('cht'),
      visitorId: newId('vis'),
      turnId: newId('trn'),
      runId: newId('run'),
      step: 1,
      try: 1,
      history: [],
      lastSeq: 1,
      asked: [
        { id: newId('msg'), seq: 1, by: 'VISITOR', name: null, text: message, value: null, repliesTo: null, files: [] },
      ],
      followUp: [],
      remoteId: null,
      state: null,
      omitted: new Set(),
      resume: null,
      asking: null,
      isTest: true,
      groups: settings.share.includes('groups') ? await this.listGroups(organizationId) : null,
      visitor: null,
      page: null,
      notes: null,
    };
  }

  /** The newest messages, and the messages of the turn, with as many before them. */
  private async readMessages(
    { organizationId, id, messageCount }: { organizationId: string; id: string; messageCount: number },
    { firstSeq, lastSeq }: LoadedTurn,
    limit: number,
  ): Promise<MessageView[]> {
    const read = async (end: number, count: number) =>
      (await this.messages.readBefore(organizationId, id, messageCount, end, count)).messages;
    const newest = await read(messageCount + 1, limit);
    const first = newest[0]?.seq ?? 1;
    if (first <= firstSeq) return newest;
    return [...(await read(Math.min(lastSeq + 1, first), lastSeq - firstSeq + 1 + limit)), ...newest];
  }

  private async findVisitor(organizationId: string, chat: ChatStateRow): Promise<SharedVisitor> {
    const { visitorName: name, visitorEmail: email, visitorExternalId: externalId } = chat;
    const tags = await findTags(this.manager, organizationId, chat.id);
    const { visitorIsVerified: isVerified, visitorAttributes, visitorVerifiedAttributes } = chat;
    const own = { chatAttributes: chat.attributes, attributes: visitorAttributes };
    return { name, email, externalId, isVerified, tags, ...own, verifiedAttributes: visitorVerifiedAttributes };
  }

  private async listGroups(organizationId: string): Promise<OfferedGroup[]> {
    const states = await this.availability.list(organizationId);
    const byId = new Map(states.map(({ groupId, availability }) => [groupId, availability]));
    const groups = await this.groups.listWithAgentCount(organizationId);
    return groups.map(({ id, name }) => ({ id, name, availability: byId.get(id) ?? 'OFFLINE' }));
  }
}

/** A transcript without what the endpoint said in turns that another one repeats. */
function withoutReplaced({ entries, ...rest }: Transcript, replaces: readonly string[]): Transcript {
  return { ...rest, entries: entries.filter(({ turnId }) => !replaces.includes(turnId)) };
}

interface Sharing {
  connection: OpenConnection;
  /** Null: not shared. */
  notes: ChatNotes | null;
  /** Null: files aren't shared. */
  links: FileLinks | null;
}

/** The history, the turn's messages, then what the endpoint said in the turn. Visitors' later messages are for the next turn. */
function partsOf(
  messages: readonly MessageView[],
  { entries }: Transcript,
  turn: LoadedTurn,
  { connection: { kind, settings }, notes, links }: Sharing,
): Pick<Conversation, 'history' | 'asked' | 'followUp'> {
  const known = new Set(entries.flatMap(({ messageIds }) => messageIds));
  const said = messages.flatMap((message) => (known.has(message.id) ? [] : toSaid(message, links)));
  const isOfTurn = ({ by, seq }: Said) => by === 'VISITOR' && seq >= turn.firstSeq;
  const asked = said.filter((one) => isOfTurn(one) && one.seq <= turn.lastSeq);
  const before = said.filter((one) => !isOfTurn(one)).slice(-Math.max(1, settings.history - asked.length));
  const first = before[0]?.seq ?? turn.firstSeq;
  const toRaw = (entry: TranscriptEntry): Part => ({ raw: rawOf(entry, messages, kind, notes) });
  const parts: Part[] = [];
  const earlier = entries.filter(({ turnId, afterSeq }) => turnId !== turn.id && afterSeq >= first);
  for (const one of before) {
    while (earlier.length > 0 && earlier[0]!.afterSeq < one.seq) parts.push(toRaw(earlier.shift()!));
    parts.push({ said: one });
  }
  const current = entries.filter(({ turnId }) => turnId === turn.id);
  return { history: [...parts, ...earlier.map(toRaw)], asked, followUp: current.map(toRaw) };
}

function rawOf(
  { messages, open, afterSeq }: TranscriptEntry,
  all: readonly MessageView[],
  kind: OpenConnection['kind'],
  notes: ChatNotes | null,
) {
  const toBot = notes?.toBot ?? null;
  const answers = open.map((call) => answerTo(kind, call.callId, answerOf(call, all, afterSeq, toBot)));
  return [...messages, ...answers];
}

/** What follows from the questions that the visitor was asked. A later message by an agent, a bot, or the system cancels them. */
function continuationOf(
  { questions }: Transcript,
  asked: readonly Said[],
  messages: readonly MessageView[],
  turn: LoadedTurn,
): Pick<Conversation, 'resume' | 'asking'> {
  if (!questions) return { resume: null, asking: null };
  // The first step of the turn has had the answers.
  if (turn.step > 1) return { resume: null, asking: null };
  const isLeft = messages.some(({ seq, sender }) => seq > questions.seq && sender.type !== 'VISITOR');
  const next = continued(questions, asked, isLeft, Date.now());
  return 'ask' in next ? { resume: null, asking: next } : { resume: next, asking: null };
}

const BY = { VISITOR: 'VISITOR', BOT: 'BOT', AGENT: 'TEAM' } as const;

function toSaid(message: MessageView, links: FileLinks | null): Said[] {
  const { id, seq, sender, content, deletedAt, replyTo } = message;
  const files = links === null ? [] : (message.files ?? []).map((file) => toShared(links.forEndpoint(file)));
  if (sender.type === 'SYSTEM' || deletedAt !== undefined || (content === '' && files.length === 0)) return [];
  return [
    {
      id,
      seq,
      by: BY[sender.type],
      name: sender.name,
      text: content,
      value: replyTo?.value ?? null,
      repliesTo: replyTo?.messageId ?? null,
      files,
    },
  ];
}

function toShared({ name, type, size, url }: FileView): SharedFile {
  return { name, type, size, url };
}

function notesOf({ summaries, toBot }: ChatNotes): Conversation['notes'] {
  const all = [...summaries, ...(toBot ? [toBot] : [])];
  return all.length === 0 ? null : all.map(({ by, text }) => ({ ...(by !== null && { by }), text }));
}

// The widget puts the page into the metadata of the chat and of the visitor's messages.
function pageOf(chat: ChatStateRow, messages: readonly MessageView[]): SharedPage | null {
  const last = messages.findLast(({ sender, metadata }) => sender.type === 'VISITOR' && 'url' in metadata);
  const { url, title, language } = { ...chat.metadata, ...last?.metadata } as Record<string, unknown>;
  const given = Object.entries({ address: url, title, language }).filter(([, value]) => typeof value === 'string');
  return given.length === 0 ? null : (Object.fromEntries(given) as SharedPage);
}
