import { Injectable, Logger } from '@nestjs/common';
import { BotTyping } from '../../live/typing/bot-typing.js';
import { databaseCode } from '../../platform/database/database-problem.js';
import { Problem } from '../../platform/errors/problem.js';
import { OutboundAgent } from '../../platform/outbound/outbound-agent.js';
import { nextSpan } from '../../platform/telemetry/trace.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import type { Driver, ReplyReader } from '../drivers/driver.js';
import { DRIVERS } from '../drivers/drivers.js';
import { isEndpoint } from '../model/connection.js';
import type { Conversation, OpenConnection, Reply } from '../model/conversation.js';
import { RunFailure } from '../model/turn.js';
import { scriptedReply } from '../scripts/scripted-reply.js';
import { Exchange, sendAside, type TimeLimits } from '../wire/exchange.js';
import { ConversationLoader } from './conversation-loader.js';
import { LiveProgress } from './live-progress.js';
import { maskedDetail } from './masked-detail.js';
import { storableReply } from './storable-reply.js';
import type { Run } from '../turns/run.js';
import { TurnEndings } from '../endings/turn-endings.js';
import type { Next } from '../endings/turn-records.js';

/** After so many failures in a row, an endpoint gets one try, and less time to begin its answer. */
const SICK_AFTER = 5;
const SICK_FIRST_BYTE_MS = 10_000;

/** The SQLSTATEs of data that can't be stored, or exceed a limit of PostgreSQL. */
const UNSTORABLE = /^(?:22|54)/;

/** Runs one run: asks the endpoint, shows its text, and ends the run with what it said. */
@Injectable()
export class Runner {
  private readonly logger = new Logger(Runner.name);
  /** Limits in milliseconds. Tests shorten them. */
  limits: TimeLimits = { firstByte: 60_000, silence: 60_000, run: 300_000 };

  constructor(
    private readonly agent: OutboundAgent,
    private readonly typing: BotTyping,
    private readonly loader: ConversationLoader,
    private readonly endings: TurnEndings,
    private readonly visitors: VisitorsService,
  ) {}

  /** Never rejects. Null: the turn isn't the run's anymore, or another run follows, because the database failed or the node stops. */
  async execute(run: Run): Promise<Next | null> {
    const { showSteps } = run.connection.settings;
    const options = { showSteps, onToken: () => run.onToken() };
    const progress = new LiveProgress(this.typing, run.context, run.turn.chatId, options);
    let hasReplied = false;
    try {
      const conversation = await this.loader.load(run.connection, run.turn, run.id);
      if (conversation.asking) return await this.endings.ask(run, conversation.asking);
      const reply = await this.replyTo(run, conversation, progress);
      const next = await this.endings.finish(run, reply, conversation);
      hasReplied = next !== null && !('status' in next && next.status === 'ABORTED');
      return next;
    } catch (error) {
      return await this.onFailed(run, error).catch((err: unknown) => this.onLost(run, err));
    } finally {
      progress.end(!hasReplied);
    }
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private async replyTo(run: Run, conversation: Conversation, progress: LiveProgress): Promise<Reply> {
    const { kind } = run.connection;
    if (isEndpoint(kind)) return this.ask(run, DRIVERS[kind], conversation, progress);
    const reply = scriptedReply(run.connection, conversation);
    const { organizationId, visitorId } = conversation;
    // Stored before the end of the run: they're the visitor's words, even if the run ends without an effect.
    if (reply.details) await this.visitors.update(organizationId, visitorId, reply.details);
    return reply;
  }

  private async ask(run: Run, driver: Driver, conversation: Conversation, progress: LiveProgress): Promise<Reply> {
    try {
      return await this.askOnce(run, driver, conversation, progress);
    } catch (error) {
      const isForgotten = !run.stopped && error instanceof RunFailure && driver.isForgotten?.(error, conversation);
      if (!isForgotten) throw error;
      return await this.askOnce(run, driver, { ...conversation, remoteId: null }, progress);
    }
  }

  private async askOnce(run: Run, driver: Driver, conversation: Conversation, progress: LiveProgress): Promise<Reply> {
    const { connection, context } = run;
    const reader = driver.read(connection, conversation, progress);
    const request = driver.request(connection, conversation);
    if (context.traceparent !== null) request.headers.traceparent = nextSpan(context.traceparent);
    const firstByte = isSick(connection) ? Math.min(SICK_FIRST_BYTE_MS, this.limits.firstByte) : this.limits.firstByte;
    const exchange = new Exchange(request, reader, { ...this.limits, firstByte });
    const sent = exchange.send(this.agent);
    run.use(exchange, reader);
    await sent.catch((error: unknown) => {
      if (run.stopped) this.stop(reader);
      throw error;
    });
    if (run.stopped) throw new RunFailure('truncated', 'the run was stopped');
    return storableReply(reader.end(), connection);
  }

  /** Asks the endpoint to stop working on an aborted run. What it answers to that doesn't matter. */
  private stop(reader: ReplyReader): void {
    const request = reader.stopRequest?.();
    if (request) void sendAside(this.agent, request).catch(() => undefined);
  }

  private async onFailed(run: Run, error: unknown): Promise<Next | null> {
    if (run.stopped === 'ABORTED') return this.endings.abort(run);
    if (run.stopped === 'STOPPED') return this.endings.cancel(run, run.textsSoFar());
    if (run.stopped === 'PAUSED') return this.endings.handOver(run.turn, run);
    if (run.stopped === 'SHUTDOWN') return this.endings.giveBack(run).then(() => null);
    // The chat or its visitor was removed.
    if (error instanceof Problem && error.status < 500) return this.endings.abort(run);
    // The same answer would fail again.
    const isUnstorable = UNSTORABLE.test(databaseCode(error) ?? '');
    const known = isUnstorable ? new RunFailure('protocol', 'answered with what can not be stored', 200) : error;
    if (!(known instanceof RunFailure)) return this.onLost(run, error);
    this.logFailure(run, known);
    const { code, message, httpStatus, retryAfter } = known;
    const failure = new RunFailure(code, maskedDetail(message, run.connection), httpStatus, retryAfter);
    return this.endings.fail(run.turn, failure, { run, mayRetry: !isSick(run.connection), texts: run.closedTexts() });
  }

  private onLost({ key }: Run, err: unknown): null {
    this.logger.warn({ err, ...key }, 'could not end a run; its turn goes on when its lease ends');
    return null;
  }

  private logFailure(run: Run, { code, httpStatus }: RunFailure): void {
    const { kind, url } = run.connection;
    const { durationMs, bytes } = run.record();
    const fields = { ...run.key, kind, host: URL.parse(url)?.host, code, status: httpStatus, durationMs, bytes };
    this.logger.warn(fields, "a run of a bot's endpoint failed");
  }
}

function isSick({ failuresInRow }: OpenConnection): boolean {
  return failuresInRow >= SICK_AFTER;
}
