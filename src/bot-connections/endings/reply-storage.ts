import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LockedChat } from '../../chats/moves/chat-transitions.queries.js';
import { AppenderService } from '../../messages/appender.service.js';
import { type MessageBody, senderOf } from '../../messages/message.js';
import { newMessage } from '../../messages/new-message.js';
import { afterCommit } from '../../platform/database/transaction.js';
import { Problem } from '../../platform/errors/problem.js';
import { ChatTagsService, type TagsOfChat } from '../../tags/chat-tags.service.js';
import { answerTo } from '../drivers/drivers.js';
import { splitText, storable } from '../drivers/split-text.js';
import { readCall, type SetTags, toolsOf, type Wanted } from '../drivers/tools.js';
import type { OpenQuestions, Question } from '../model/question.js';
import { toQuestion } from '../questions/open-questions.js';
import type { Interrupt } from '../model/question.js';
import type { Asking, Conversation, Reply } from '../model/conversation.js';
import type { OpenCall, TranscriptEntry } from '../model/transcript.js';
import { RunFailure } from '../model/turn.js';
import type { Run } from '../turns/run.js';
import { TurnMetrics } from '../turns/turn-metrics.js';
import type { LockedTurn } from '../turns/take.queries.js';

/** The most messages of a turn. */
const MAX_MESSAGES = 10;

/** What a reply asks for after its messages. */
export interface HandOverWish {
  groupId: string | null;
  reason: string | null;
  summary: string | null;
}

/** What a reply has brought. */
export interface Stored {
  messageIds: string[];
  handOver: HandOverWish | null;
  isClosed: boolean;
  /** Whether the turn goes on with the answers to the calls. */
  hasNextStep: boolean;
  /** For the transcript; null if the messages have it all. */
  entry: TranscriptEntry | null;
  /** What the visitor has been asked. */
  questions: OpenQuestions | null;
}

/** Stores the messages of a reply, and carries out its calls, in the transaction that ends the run. */
@Injectable()
export class ReplyStorage {
  constructor(
    private readonly appender: AppenderService,
    private readonly tags: ChatTagsService,
    private readonly metrics: TurnMetrics,
  ) {}

  /** @throws RunFailure too_large */
  async store(
    tx: EntityManager,
    run: Run,
    { turn, chat }: { turn: LockedTurn; chat: LockedChat },
    reply: Reply,
    { groups }: Pick<Conversation, 'groups'>,
  ): Promise<Stored> {
    const { kind, settings } = run.connection;
    const writer = new Writer(this.appender, tx, run, turn, chat);
    for (const text of reply.messages)
      for (const part of splitText(storable(text))) await writer.write({ content: part });
    if (reply.offer) await offer(writer, reply.offer);
    const handOver = reply.handOver && { groupId: null, summary: null, ...reply.handOver };
    const stored: Stored = {
      messageIds: writer.ids,
      handOver,
      isClosed: reply.isClosing ?? false,
      hasNextStep: false,
      entry: null,
      questions: null,
    };
    const answers: Record<string, unknown>[] = [];
    const open: OpenCall[] = [];
    const tools = toolsOf(settings.tools, groups);
    let hasEnded = handOver !== null;
    for (const call of reply.calls) {
      const read = hasEnded ? { error: 'not executed' } : readCall(call, tools);
      const wanted = 'tool' in read && read.tool === 'set_tags' ? await this.setTags(tx, run, chat, read) : read;
      const outcome = 'error' in wanted ? (hasEnded ? 'not_executed' : 'error') : 'done';
      afterCommit(tx, () => this.metrics.onToolCall(call.name, outcome));
      if ('error' in wanted) answers.push(answerTo(kind, call.id, { error: wanted.error }));
      else if ('tags' in wanted) answers.push(answerTo(kind, call.id, { status: 'done', tags: wanted.tags }));
      else if (wanted.tool === 'close_chat') answers.push(answerTo(kind, call.id, { status: 'closed' }));
      else open.push({ callId: call.id, tool: wanted.tool, messageId: await offerTool(writer, wanted) });
      if ('error' in wanted || 'tags' in wanted) continue;
      hasEnded = true;
      if (wanted.tool === 'hand_over') stored.handOver = wanted;
      stored.isClosed = wanted.tool === 'close_chat';
    }
    stored.hasNextStep = reply.calls.length > 0 && !hasEnded;
    const [interrupt] = reply.interrupts ?? [];
    if (interrupt && !handOver) stored.questions = await this.ask(writer, reply.interrupts!);
    if (reply.raw) stored.entry = entryOf(writer, turn, [...reply.raw, ...answers], open);
    return stored;
  }

  // The endpoint gets a refusal as the tool's error. Nothing of the chat has changed by then.
  private async setTags(
    tx: EntityManager,
    { context }: Run,
    { id }: LockedChat,
    change: SetTags,
  ): Promise<TagsOfChat | { error: string }> {
    try {
      return await this.tags.changeIn(tx, context, id, change);
    } catch (error) {
      if (error instanceof Problem) return { error: error.detail };
      throw error;
    }
  }

  /** Asks the first of some questions. @throws RunFailure unsupported */
  private async ask(writer: Writer, interrupts: Interrupt[]): Promise<OpenQuestions> {
    const questions = interrupts.map(toQuestion);
    const [first] = questions;
    if (!first || questions.includes(null))
      throw new RunFailure('unsupported', 'asked something that a chat can not ask', 200);
    const messageId = await writer.write(bodyOf(first));
    return { interrupts, payloads: [], messageId, seq: writer.lastSeq!, isAskedAgain: false };
  }

  /** Asks a further question, without a run. */
  async askNext(
    tx: EntityManager,
    run: Run,
    { turn, chat }: { turn: LockedTurn; chat: LockedChat },
    { ask, questions }: Asking,
  ): Promise<OpenQuestions> {
    const writer = new Writer(this.appender, tx, run, turn, chat);
    const messageId = await writer.write(bodyOf(ask));
    return { ...questions, messageId, seq: writer.lastSeq! };
  }

  /** Stores texts as messages of a turn, at most 10 in the turn. Returns the ids of the messages. */
  async say(tx: EntityManager, run: Pick<Run, 'context'>, turn: LockedTurn, chat: LockedChat, texts: string[]) {
    const writer = new Writer(this.appender, tx, run, turn, chat);
    const room = MAX_MESSAGES - turn.messageIds.length;
    const whole = texts.length > room ? Math.max(0, room - 1) : texts.length;
    // Too many texts are joined, as the visitor read them.
    const fitting = [...texts.slice(0, whole), texts.slice(whole).join('\n\n')];
    const parts = fitting.flatMap((text) => splitText(storable(text)));
    for (const content of parts.slice(0, room)) await writer.write({ content });
    return writer.ids;
  }
}

function bodyOf({ text, choices }: Question): MessageBody {
  const content = splitText(storable(text))[0] ?? 'Please answer.';
  return choices ? { type: 'QUICK_REPLY', content, metadata: { options: choices } } : { content };
}

async function offerTool(writer: Writer, wanted: Exclude<Wanted, SetTags>): Promise<string | null> {
  return wanted.tool === 'offer_choices' ? offer(writer, wanted) : null;
}

function offer(writer: Writer, { text, choices }: NonNullable<Reply['offer']>): Promise<string> {
  return writer.write({ type: 'QUICK_REPLY', content: text, metadata: { options: choices } });
}

function entryOf(
  { ids, lastSeq }: Writer,
  turn: LockedTurn,
  messages: Record<string, unknown>[],
  open: OpenCall[],
): TranscriptEntry {
  return { turnId: turn.id, afterSeq: lastSeq ?? turn.lastSeq, messageIds: ids, messages, open };
}

/** Stores messages of a turn, each once. */
class Writer {
  readonly ids: string[] = [];
  lastSeq: number | null = null;

  constructor(
    private readonly appender: AppenderService,
    private readonly tx: EntityManager,
    private readonly run: Pick<Run, 'context'>,
    private readonly turn: LockedTurn,
    private readonly chat: LockedChat,
  ) {}

  async write(body: MessageBody): Promise<string> {
    const ordinal = this.turn.messageIds.length + this.ids.length;
    if (ordinal >= MAX_MESSAGES) throw new RunFailure('too_large', `sent more than ${MAX_MESSAGES} messages in a turn`);
    const { context } = this.run;
    const options = { clientMessageId: `${this.turn.id}.${ordinal}`, requiredOwner: 'BOT' } as const;
    const message = newMessage(context, this.chat.id, senderOf(context), body, options);
    const stored = await this.appender.appendIn(this.tx, { message, reservation: null });
    // The turn and the chat are locked, and the bot has the chat, so nothing else refuses it.
    if (!stored) throw new Error('a message of a turn was not stored');
    this.ids.push(stored.id);
    this.lastSeq = stored.seq;
    return stored.id;
  }
}
