import type * as api from './bot-api.js';
import type { TestOptions } from './test.js';
import { receiveFiles } from './files/received-file.js';
import { TestFiles } from './test-files.js';
import { Api } from './transport/api.js';
import type {
  Attributes,
  ChangedAttributes,
  Actor,
  BotState,
  Chat,
  EventData,
  EventType,
  HandOverOptions,
  Message,
  ParleyEvent,
  Sender,
} from './wire.js';

const GROUP = { id: 'grp_test', name: 'Support', botId: null };
const AGENT: Actor = { type: 'AGENT', id: 'agt_test', name: 'Ada' };
const MESSAGE_OF_BOT: Sender = { type: 'BOT', id: 'bot_test', name: 'Bot' };

type Body = Record<string, unknown> & {
  ifOwner?: string;
  text?: string;
  files?: string[];
  name?: string;
} & TagFields & {
    attributes?: ChangedAttributes;
  };
type TagFields = Partial<Record<'tags' | 'add' | 'remove', string[]>>;
/** What a message may have besides its text. */
export type More = Omit<Partial<Message>, 'files'> & { files?: api.File[] };

/** Numbers the chats, so that a bot that several tests share doesn't take the events of one for another's. */
let chats = 0;

/** One chat and the SDK's part of the bot API, in memory. */
export class TestService {
  readonly messages: Message[] = [];
  readonly handOvers: HandOverOptions[] = [];
  readonly errors: unknown[] = [];
  typing = '';
  /** What the bot keeps about the chat. */
  state: BotState = { state: {}, version: 0 };
  private readonly chat: Chat;
  private readonly availability: string;
  /** The body and the response for each Idempotency-Key. */
  private readonly keys = new Map<string, { body: string; answer: object }>();
  private events = 0;
  private readonly number = ++chats;
  /** Reads the files of `messages`. */
  private readonly api = new Api(undefined, undefined, () => undefined);
  /** The files of the chat. */
  readonly files = new TestFiles(this.number);

  constructor({ visitor, availability = 'AVAILABLE' }: TestOptions) {
    this.availability = availability;
    this.api.connectTo((address, request) => this.fetch(address, request));
    this.chat = {
      id: `cht_test${this.number}`,
      status: 'ACTIVE',
      channel: 'WIDGET',
      createdAt: now(),
      lastMessageAt: null,
      firstResponseAt: null,
      messageCount: 0,
      metadata: {},
      visitor: {
        id: 'vis_test',
        name: 'Vera',
        email: null,
        isVerified: false,
        externalId: null,
        metadata: {},
        attributes: {},
        verifiedAttributes: {},
        ...visitor,
      },
      group: GROUP,
      owner: 'BOT',
      assignedTo: null,
      tags: [],
      attributes: {},
    };
  }

  snapshot(): Chat {
    return structuredClone(this.chat);
  }

  write(content: string, more: More): ParleyEvent {
    const message = this.store(
      { type: 'VISITOR', id: this.chat.visitor.id, name: this.chat.visitor.name },
      content,
      more,
    );
    return this.toEvent('message.created', { message });
  }

  claim(name: string): ParleyEvent {
    const agent = { id: AGENT.id!, name };
    Object.assign(this.chat, { owner: 'AGENT', status: 'ACTIVE', assignedTo: agent });
    this.note(`${name} joined the chat`, 'chat.assigned');
    return this.toEvent('chat.assigned', { agent, how: 'CLAIMED', waitedSeconds: 0, previousAgent: null });
  }

  giveBack(note: string | null): ParleyEvent {
    Object.assign(this.chat, { owner: 'BOT', status: 'ACTIVE', assignedTo: null });
    this.note('The chat continues with the bot', 'chat.returned');
    return this.toEvent('chat.returned', { by: AGENT, note });
  }

  close(): ParleyEvent {
    Object.assign(this.chat, { owner: 'NOBODY', status: 'CLOSED', assignedTo: null });
    return this.toEvent('chat.closed', { by: AGENT });
  }

  /** Handles a request like Parley. */
  readonly fetch = async (address: string, { method, body, headers }: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(address);
    if (pathname.startsWith('/uploads/')) return this.put(pathname.split('/')[2]!, body);
    const parts = pathname.split('/api/bot/')[1]!.split('/');
    const key = new Headers(headers).get('Idempotency-Key');
    const content = typeof body === 'string' ? (JSON.parse(body) as Body) : {};
    switch (`${method} ${parts[0] === 'chats' ? `chat/${parts[2] ?? ''}` : parts.join('/')}`) {
      case 'GET chat/':
        return Response.json(this.snapshot());
      case 'PATCH chat/':
        return this.change(content);
      case `PATCH visitors/${parts[1]}`:
        return this.changeVisitor(content);
      case 'PUT chat/tags':
        return this.tag(content.tags ?? []);
      case 'POST chat/tags':
        return this.once(key, content, () => this.changeTags(content));
      case 'GET chat/messages':
        return Response.json(this.page(searchParams));
      case 'GET chat/state':
        return Response.json(this.state);
      case 'PUT chat/state':
        return this.keep(content);
      case 'POST chat/close':
        this.close();
        return Response.json({ chatId: this.chat.id, owner: 'NOBODY' });
      case 'POST chat/typing':
        return this.type(content);
      case 'POST messages':
        return this.once(key, content, () => this.send(content));
      case 'POST transfer':
        return this.once(key, content, () => this.transfer(content));
      case `GET files/${parts[1]}`:
        return this.read(parts[1]!);
      case 'POST uploads': {
        const name = searchParams.get('name');
        if (name === null) return Response.json(this.files.begin(content.name!), { status: 201 });
        return Response.json({ file: await this.files.send(name, body) }, { status: 201 });
      }
      case `POST uploads/${parts[1]}/complete`:
        return Response.json({ file: this.files.get(parts[1]!)!.file });
      case 'GET groups/availability':
        return Response.json([this.group()]);
      default:
        return problem(404, 'not_found', `testBot has no ${method} ${pathname}`);
    }
  };

  private changeTags({ add = [], remove = [] }: Body): Response {
    return this.tag([...(this.chat.tags ?? []).filter((name) => !remove.includes(name)), ...add]);
  }

  private change({ title = null, attributes }: Body): Response {
    this.chat.attributes = merged(this.chat.attributes, attributes);
    return Response.json({ chatId: this.chat.id, title, attributes: this.chat.attributes });
  }

  private changeVisitor({ attributes }: Body): Response {
    const { visitor } = this.chat;
    visitor.attributes = merged(visitor.attributes, attributes);
    return Response.json({ visitorId: visitor.id, attributes: visitor.attributes });
  }

  private tag(tags: readonly string[]): Response {
    this.chat.tags = [...new Set(tags)].toSorted();
    return Response.json({ tags: this.chat.tags });
  }

  private async put(id: string, body: RequestInit['body']): Promise<Response> {
    await this.files.put(id, body);
    return new Response();
  }

  private read(id: string): Response {
    const bytes = this.files.get(id)?.bytes as Uint8Array<ArrayBuffer> | undefined;
    return bytes ? new Response(bytes) : problem(404, 'not_found', 'File not found');
  }

  private store(sender: Sender, content: string, more: More = {}): Message {
    const seq = ++this.chat.messageCount;
    const createdAt = now();
    this.chat.lastMessageAt = createdAt;
    const base = {
      id: `msg_test${this.number}_${seq}`,
      chatId: this.chat.id,
      seq,
      type: 'TEXT',
      content,
      metadata: {},
      sender,
      createdAt,
    };
    const message = { ...base, ...more };
    const copy = structuredClone(message) as Message;
    receiveFiles([message], { api: this.api, stopped: new AbortController().signal });
    this.messages.push(message as Message);
    return copy;
  }

  private note(content: string, event: string, more: object = {}): void {
    this.store({ type: 'SYSTEM', id: null, name: null }, content, { metadata: { event, ...more } });
  }

  private toEvent<Type extends EventType>(type: Type, data: Omit<EventData[Type], 'chat'>): ParleyEvent {
    const id = `evt_test${this.number}_${++this.events}`;
    const event = { id, type, timestamp: now(), organizationId: 'org_test', data: { ...data, chat: this.snapshot() } };
    return event as ParleyEvent;
  }

  private once(key: string | null, content: Body, effect: () => Response | object): Response {
    const body = JSON.stringify(content);
    const before = key === null ? undefined : this.keys.get(key);
    if (before && before.body !== body)
      return problem(422, 'idempotency_key_reused', 'The key stands for another body');
    if (before) return Response.json(before.answer, { headers: { 'Idempotent-Replayed': 'true' } });
    const isTaken = content.ifOwner === 'BOT' && this.chat.owner !== 'BOT';
    if (isTaken) return problem(409, 'not_owner', `The chat is with ${this.chat.owner}`);
    const answer = effect();
    if (answer instanceof Response) return answer;
    if (key !== null) this.keys.set(key, { body, answer });
    return Response.json(answer);
  }

  private send({ content = '', type = 'TEXT', metadata = {}, files: ids }: Body): object {
    this.typing = '';
    const files = this.files.of(ids);
    const more = { type, metadata, ...(files && { files }) } as More;
    const { id } = this.store(MESSAGE_OF_BOT, content as string, more);
    return { id, status: 'sent' };
  }

  private transfer({ chatId, ...rest }: Body): Response | object {
    if (this.chat.status === 'CLOSED') return problem(409, 'conflict', 'The chat is closed');
    const options = rest as Record<string, unknown> & HandOverOptions;
    delete options.ifOwner;
    if (options.ifUnavailable === 'FAIL' && this.availability !== 'AVAILABLE') {
      return problem(409, 'nobody_available', 'No agent is free');
    }
    this.handOvers.push(options);
    if (options.targetBotId !== undefined) return this.pass(options.targetBotId, options.targetGroupId);
    Object.assign(this.chat, { owner: 'QUEUE', status: 'QUEUED', assignedTo: null });
    this.note('Chat transferred by bot', 'chat.transferred', options.reason ? { reason: options.reason } : {});
    const { availability } = this;
    const handoff = {
      id: 'hof_test',
      availability,
      position: 1,
      estimatedWaitSeconds: null,
      nextOpening: null,
      expiresAt: null,
    };
    return { chatId, newStatus: 'QUEUED', assignedTo: null, groupId: options.targetGroupId ?? GROUP.id, handoff };
  }

  /** The chat leaves this bot for another one. */
  private pass(botId: string, groupId = 'grp_test_other'): object {
    this.chat.group = { id: groupId, name: 'The other bot’s', botId };
    this.note('The chat continues with the bot', 'chat.returned', {});
    return { chatId: this.chat.id, newStatus: 'ACTIVE', assignedTo: null, groupId };
  }

  private type({ isTyping, text, ifOwner }: Body): Response {
    if (ifOwner === 'BOT' && this.chat.owner !== 'BOT')
      return problem(409, 'not_owner', 'The bots do not have the chat');
    this.typing = isTyping ? (text ?? this.typing) : '';
    return Response.json({ chatId: this.chat.id, isTyping });
  }

  private keep({ state, version }: Body): Response {
    const { version: current } = this.state;
    if (version !== undefined && version !== current)
      return problem(412, 'precondition_failed', `The state has version ${current} now`);
    this.state = { state: structuredClone(state) as Record<string, unknown>, version: current + 1 };
    return Response.json(this.state);
  }

  private page(query: URLSearchParams): object {
    const messages = this.messages.filter(({ seq }) => seq > Number(query.get('afterSeq')));
    const limit = Number(query.get('limit'));
    return { messages: messages.slice(0, limit), latestSeq: this.messages.length, hasMore: messages.length > limit };
  }

  private group(): object {
    const { availability } = this;
    return {
      groupId: GROUP.id,
      availability,
      onlineAgents: 1,
      waitingChats: 0,
      estimatedWaitSeconds: null,
      isOpen: true,
      nextOpening: null,
    };
  }
}

function now(): string {
  return new Date().toISOString();
}

function problem(status: number, code: string, detail: string): Response {
  return Response.json({ type: `/docs/errors#${code}`, title: detail, status, code, detail }, { status });
}

function merged(before: Attributes, change: ChangedAttributes = {}): Attributes {
  const all = Object.entries<string | number | boolean | null>({ ...before, ...change });
  return Object.fromEntries(all.filter((entry): entry is [string, string | number | boolean] => entry[1] !== null));
}
