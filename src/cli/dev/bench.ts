import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT, usage } from '../errors.js';
import { withTimeLimit } from '../time-limit.js';
import { BotProcess } from './bot-process.js';
import type { Chaos } from './chaos.js';
import { Conversation } from './conversation.js';
import { Deliveries } from './deliveries.js';
import type { DevOptions } from './options.js';
import { Gateway, WEBHOOK_PATH } from './gateway.js';
import { isDone, type Message, toTurns, type Turn } from './judge.js';
import type { Kind, Lines } from './lines.js';
import { TrafficLog } from './traffic-log.js';
import { type Difference, toReport } from './report.js';
import { answersOf, differenceOf, type SayStep, type Step } from './script.js';
import type { Workspace } from '../workspace/workspace.js';

/** Milliseconds between two polls. */
const POLL_INTERVAL_MS = 100;
/** Milliseconds without a request until the bot counts as idle, and how long to wait for that. */
const QUIET_MS = 1_000;
const MAX_QUIET_WAIT_MS = 10_000;

const KINDS: { [type: string]: Kind } = { VISITOR: 'visitor', BOT: 'bot', AGENT: 'people', SYSTEM: 'system' };

/** Visitors, the gateway between the bot and the service, and what is known of both. */
export class Bench {
  private readonly log: TrafficLog;
  private readonly deliveries: Deliveries | null;
  private readonly gateway: Gateway;
  private readonly conversations: Conversation[] = [];
  private bot?: BotProcess;
  private address = '';
  private secret?: string;
  private hasBot = true;
  /** By the visitor's messages: how many messages the script expects as an answer. */
  private readonly wanted = new Map<string, number>();
  private readonly differences: Difference[] = [];

  constructor(
    private readonly url: string,
    private readonly workspace: Workspace,
    private readonly lines: Lines,
    private readonly chaos: Chaos | null,
    private readonly options: DevOptions & { steps: readonly Step[] | null },
    /** Ends all waiting, because the bench was interrupted or the bot exited. */
    private readonly over: AbortController,
  ) {
    this.log = new TrafficLog(lines);
    const { webhook } = options;
    this.deliveries = webhook === undefined ? null : new Deliveries(webhook, this.log, lines, chaos);
    this.gateway = new Gateway(url, this.log, lines, chaos, this.deliveries);
  }

  /** Opens the chats and the gateway, and starts the bot if a command is given. */
  async open(environment: NodeJS.ProcessEnv, command: string[]): Promise<void> {
    this.address = await this.gateway.open(this.options.port ?? 0);
    if (this.deliveries) this.secret = await this.workspace.makeWebhook(this.address + WEBHOOK_PATH);
    else await this.workspace.subscribe();
    for (let number = 1; number <= this.options.chats; number++) await this.openChat(number);
    this.introduce(command.length > 0);
    if (command.length === 0) return;
    const env = { ...environment, ...this.variables() };
    this.bot = await BotProcess.start(command, env, this.lines, () => this.over.abort());
  }

  /** Sends the messages of `--messages`, the lines of a pipe, or a person's input. */
  async talk(): Promise<void> {
    const { messages, steps } = this.options;
    if (this.over.signal.aborted) return;
    if (!steps && messages === undefined && process.stdin.isTTY) return this.typed();
    if (!(await this.awaitBot())) return;
    if (steps) return this.scripted(steps);
    if (messages === undefined) return this.piped();
    let sent = 0;
    const next = () => (sent < messages ? `Message ${++sent} of ${messages}` : null);
    await Promise.all(this.conversations.map((conversation) => this.sendAll(conversation, next)));
  }

  /** Ends the chaos, and waits until the bot has finished its work. */
  async settle(): Promise<void> {
    if (this.chaos) this.chaos.isOver = true;
    const end = Date.now() + Math.min(MAX_QUIET_WAIT_MS, this.options.timeout * 1000);
    while (Date.now() < end && this.hasBot && this.bot?.end === undefined && !(await this.isQuiet()))
      await sleep(POLL_INTERVAL_MS);
  }

  /** Stops the bot, and prints whether it answered everything exactly once. @returns the exit code */
  async report(): Promise<number> {
    await this.bot?.stop();
    const subscription = this.deliveries ? null : await this.workspace.subscription();
    const turns = this.conversations.flatMap((conversation) => this.turnsOf(conversation));
    const { text, fields } = toReport({
      turns,
      answersOf: (turn) => this.wantedOf(turn),
      // Retries of webhooks come after later events.
      isOrdered: !(this.deliveries && this.chaos),
      differences: this.differences,
      missing: this.hasBot ? 0 : (this.options.messages ?? this.options.steps?.length ?? 1),
      unacknowledged: subscription?.pending ?? 0,
      log: this.log,
      chaos: this.chaos,
      botEnd: this.bot?.end,
    });
    this.lines.report(text, fields);
    return fields.isExactlyOnce && this.differences.length === 0 ? EXIT.ok : EXIT.failed;
  }

  async close(): Promise<void> {
    for (const conversation of this.conversations) conversation.close();
    await this.bot?.stop();
    this.deliveries?.close();
    this.gateway.close();
  }

  private async openChat(number: number): Promise<void> {
    const { chats } = this.options;
    const { id, visitorToken } = await this.workspace.makeChat(chats > 1 ? `Visitor ${number}` : 'Visitor');
    const place = chats > 1 ? `chat ${number}  ` : '';
    this.log.places.set(id, place);
    let isTyping = false;
    this.conversations.push(
      new Conversation(this.url, id, visitorToken, {
        onMessage: (message) => {
          isTyping = false;
          this.show(place, id, message);
        },
        onTyping: (now) => {
          if (now && !isTyping) this.lines.add('bot', `${place}types …`, { chatId: id, isTyping: true });
          isTyping = now;
        },
      }),
    );
  }

  private show(place: string, chatId: string, { id, seq, content, sender, type, metadata }: Message): void {
    const text = `${place}#${seq} ${content.split('\n').join(' ⏎ ')}${type === 'TEXT' ? '' : ` (${type})`}`;
    this.lines.add(KINDS[sender.type] ?? 'system', text, { chatId, id, seq, content, type, metadata });
  }

  private variables(): NodeJS.ProcessEnv {
    const { address: PARLEY_URL, secret } = this;
    return { PARLEY_URL, PARLEY_TOKEN: this.workspace.token, ...(secret !== undefined && { WEBHOOK_SECRET: secret }) };
  }

  private introduce(hasCommand: boolean): void {
    const chaos = this.chaos ? `, with chaos (--seed ${this.chaos.seed})` : '';
    this.lines.add('bench', `${this.url}, ${this.workspace.description}${chaos}`, { seed: this.chaos?.seed });
    if (hasCommand) return;
    const variables = Object.entries(this.variables()).map(([name, value]) => `${name}=${value}`);
    this.lines.add('bench', 'start your bot with the variables below', this.variables());
    this.lines.block(`\nexport ${variables.join(' ')}\n`);
    if (process.stdin.isTTY && this.options.messages === undefined && !this.options.steps)
      this.lines.block('Type what the visitor says. /return gives the chat back to the bots, Ctrl-C ends.\n');
  }

  /** Sends what a person types, without waiting for answers. */
  private async typed(): Promise<void> {
    const [conversation] = this.conversations as [Conversation];
    const input = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
    this.lines.input = input;
    // readline intercepts Ctrl-C.
    input.on('SIGINT', () => process.emit('SIGINT')).prompt();
    this.over.signal.addEventListener('abort', () => input.close());
    for await (const line of input) {
      await this.enter(conversation, line.trim()).catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        this.lines.add('bench', error.message);
      });
      input.prompt();
    }
    this.lines.input = undefined;
  }

  private async enter(conversation: Conversation, line: string): Promise<void> {
    if (line === '') return;
    if (line === '/return') await this.workspace.restoreSubscription(conversation.chatId);
    else await conversation.send(line);
  }

  /** Says what the script says, each step after the one before, and compares. */
  private async scripted(steps: readonly Step[]): Promise<void> {
    const [conversation] = this.conversations as [Conversation];
    for (const [index, step] of steps.entries()) {
      if (this.over.signal.aborted) return;
      if ('return' in step) await this.workspace.restoreSubscription(conversation.chatId);
      else await this.compare(conversation, step, index + 1);
    }
  }

  private async compare(conversation: Conversation, step: SayStep, number: number): Promise<void> {
    const message = await conversation.send(step.say);
    this.wanted.set(message.id, answersOf(step));
    await this.awaitAnswer(conversation, message, step.handOver);
    const turn = this.turnsOf(conversation).find(({ id }) => id === message.id);
    const answers = conversation.messages.filter(({ seq, sender }) => seq > message.seq && sender.type === 'BOT');
    const difference = differenceOf(step, answers, turn?.isHandedOver ?? false);
    if (difference === null) return;
    this.differences.push({ step: number, say: step.say, difference });
    this.lines.add('bench', `step ${number} (${step.say}): it ${difference}`, { step: number, difference });
  }

  /** How many messages answer a message of the visitor. */
  private wantedOf({ id }: { id: string }): number {
    return this.wanted.get(id) ?? this.options.answers;
  }

  private async piped(): Promise<void> {
    const [conversation] = this.conversations as [Conversation];
    const input = createInterface({ input: process.stdin });
    this.over.signal.addEventListener('abort', () => input.close());
    const written: string[] = [];
    for await (const line of input) if (line.trim() !== '') written.push(line.trim());
    if (written.length === 0)
      throw usage('there is nothing to say: give --messages <number>, or lines on standard input');
    await this.sendAll(conversation, () => written.shift() ?? null);
  }

  /** Sends messages in bursts, and waits after each until it's answered and acknowledged. */
  private async sendAll(conversation: Conversation, next: () => string | null): Promise<void> {
    while (!this.over.signal.aborted) {
      const sent: { id: string; seq: number }[] = [];
      for (let content; sent.length < this.options.burst && (content = next()) !== null;) {
        sent.push(await conversation.send(content));
      }
      if (sent.length === 0) return;
      for (const message of sent) await this.awaitAnswer(conversation, message);
    }
  }

  private async awaitAnswer(
    conversation: Conversation,
    { id, seq }: { id: string; seq: number },
    isHandOver = false,
  ): Promise<void> {
    const { timeout } = this.options;
    const isAnswered = () => {
      const turn = this.turnsOf(conversation).find((one) => one.id === id);
      if (turn === undefined) return false;
      return isHandOver ? turn.isHandedOver : isDone(turn, this.wantedOf(turn));
    };
    const wait = (signal: AbortSignal) => conversation.until(isAnswered, signal);
    if (await withTimeLimit(timeout * 1000, this.over.signal, wait)) await this.untilDone(id);
    else if (!this.over.signal.aborted)
      this.lines.add('bench', `#${seq} has no answer after ${timeout} s`, { id, seq });
  }

  /** Waits until a message's event can't be redelivered, so that a duplicate answer would come before the next message. */
  private async untilDone(messageId: string): Promise<void> {
    const end = Date.now() + MAX_QUIET_WAIT_MS;
    const isSeen = this.log.hasCalled || this.deliveries !== null;
    while (isSeen && Date.now() < end && !this.over.signal.aborted && !this.log.isDone(messageId))
      await sleep(POLL_INTERVAL_MS);
  }

  /** Waits until the bot polls or listens for events. @returns whether it does */
  private async awaitBot(): Promise<boolean> {
    this.lines.add('bench', 'waiting for the bot');
    const end = Date.now() + this.options.timeout * 1000;
    while (Date.now() < end && !this.over.signal.aborted) {
      if (await this.isBotThere()) return true;
      await sleep(POLL_INTERVAL_MS);
    }
    this.hasBot = false;
    const { webhook } = this.options;
    const missing = webhook === undefined ? 'called for events' : `listens at ${webhook}`;
    if (this.bot?.end === undefined) this.lines.add('bench', `no bot ${missing}`);
    return false;
  }

  private async isBotThere(): Promise<boolean> {
    const { webhook } = this.options;
    if (webhook !== undefined) return listensAt(new URL(webhook));
    return this.log.hasCalled || (await this.workspace.subscription())?.lastPolledAt != null;
  }

  private async isQuiet(): Promise<boolean> {
    const isOpen = (turn: Turn) => !isDone(turn, this.wantedOf(turn));
    const isWaiting = this.conversations.some((one) => this.turnsOf(one).some(isOpen));
    if (isWaiting || this.log.quietFor() < QUIET_MS) return false;
    if (this.deliveries) return this.deliveries.waiting === 0;
    return ((await this.workspace.subscription())?.pending ?? 0) === 0;
  }

  private turnsOf({ messages }: Conversation): Turn[] {
    return toTurns(messages, this.log.answerOf);
  }
}

function listensAt({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
