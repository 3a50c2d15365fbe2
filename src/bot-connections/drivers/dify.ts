import { isJsonObject } from '../../platform/lib/json.js';
import type { Conversation, OpenConnection, Reply, SharedFile } from '../model/conversation.js';
import { RunFailure, type Usage } from '../model/turn.js';
import type { EndpointRequest } from '../wire/exchange.js';
import { SseParser } from '../wire/sse.js';
import { AnswerText } from './answer-text.js';
import type { Driver, Progress, ReplyReader } from './driver.js';
import { addressOf, jsonHeaders, runRequest } from './json-request.js';
import { personOf, questionOf } from './shared-data.js';
import { mediaOf } from './shared-files.js';
import { endpointError, type Json, parseEvent, textOf, usageOf } from './wire-json.js';

/** Dify's apps with a conversation (CONTRACT: Bots by address). Dify keeps the conversation. */
export class DifyDriver implements Driver {
  request(connection: OpenConnection, conversation: Conversation): EndpointRequest {
    const { page, visitorId, remoteId } = conversation;
    const person = personOf(conversation);
    const files = conversation.asked.flatMap((one) => one.files).map(toDifyFile);
    const body = {
      query: questionOf(conversation, remoteId === null),
      inputs: {
        ...connection.settings.inputs,
        ...(person && { parley_visitor: JSON.stringify({ ...person, isVerified: conversation.visitor!.isVerified }) }),
        ...(page && { parley_page: JSON.stringify(page) }),
      },
      response_mode: 'streaming',
      conversation_id: remoteId ?? '',
      user: visitorId,
      ...(files.length > 0 && { files }),
      auto_generate_name: false,
    };
    return runRequest(connection, conversation, { path: '/chat-messages', body: JSON.stringify(body) });
  }

  read(connection: OpenConnection, conversation: Conversation, progress: Progress): ReplyReader {
    return new DifyReader(connection, conversation, progress);
  }

  isForgotten({ code, httpStatus }: RunFailure, { remoteId }: Conversation): boolean {
    return remoteId !== null && code === 'status' && httpStatus === 404;
  }

  forget(connection: OpenConnection, remoteId: string, visitorId: string): EndpointRequest {
    const url = addressOf(connection, `/conversations/${encodeURIComponent(remoteId)}`);
    return { method: 'DELETE', url, headers: jsonHeaders(connection), body: JSON.stringify({ user: visitorId }) };
  }
}

function toDifyFile(file: SharedFile): Json {
  return { type: mediaOf(file), transfer_method: 'remote_url', url: file.url };
}

class DifyReader implements ReplyReader {
  private readonly parser = new SseParser((data) => this.onEvent(parseEvent(data)));
  private readonly text: AnswerText;
  private usage: Usage | null = null;
  private taskId: string | null = null;
  remoteId: string | null = null;
  private hasEnded = false;
  private isCancelled = false;

  constructor(
    private readonly connection: OpenConnection,
    private readonly conversation: Conversation,
    private readonly progress: Progress,
  ) {
    this.text = new AnswerText(true, progress);
  }

  start(contentType: string): void {
    if (contentType !== '' && contentType !== 'text/event-stream')
      throw new RunFailure('content_type', `answered ${contentType.slice(0, 100)} instead of a stream of events`, 200);
  }

  push(chunk: Buffer): void {
    this.parser.push(chunk);
  }

  end(): Reply {
    this.parser.end();
    if (!this.hasEnded && !this.isCancelled) throw new RunFailure('truncated', 'the stream ended before its end');
    const { text, handOver } = this.isCancelled ? { text: '', handOver: null } : this.text.end();
    const messages = text.trim() === '' ? [] : [text];
    const { usage, remoteId, isCancelled } = this;
    return { messages, calls: [], handOver, raw: null, usage, warnings: [], remoteId, isCancelled };
  }

  textsSoFar(): string[] {
    return [this.text.shown()];
  }

  stopRequest(): EndpointRequest | null {
    if (this.taskId === null || this.hasEnded) return null;
    const path = `/chat-messages/${encodeURIComponent(this.taskId)}/stop`;
    const body = JSON.stringify({ user: this.conversation.visitorId });
    return { url: addressOf(this.connection, path), headers: jsonHeaders(this.connection), body };
  }

  private onEvent(event: Json): void {
    if (typeof event.task_id === 'string') this.taskId = event.task_id;
    if (typeof event.conversation_id === 'string' && event.conversation_id !== '')
      this.remoteId = event.conversation_id;
    READERS[textOf(event, 'event')]?.call(this, event);
  }

  readonly onMessage = (event: Json): void => this.text.add(textOf(event, 'answer'));

  readonly onReplace = (event: Json): void => this.text.replace(textOf(event, 'answer'));

  onEnd({ metadata }: Json): void {
    this.hasEnded = true;
    const usage = isJsonObject(metadata) && isJsonObject(metadata.usage) ? metadata.usage : {};
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
    const found = usageOf({ inputTokens, outputTokens, cachedInputTokens: null, reasoningTokens: null });
    this.usage = Object.keys(found).length > 0 ? found : null;
  }

  onWorkflow({ data }: Json): void {
    const { status, error } = isJsonObject(data) ? data : {};
    if (status === 'failed') throw endpointError(error);
    if (status === 'stopped') this.isCancelled = true;
  }

  onStatus(name: unknown): void {
    if (typeof name === 'string' && name !== '') this.progress.onStatus(name);
  }
}

// Other events are dropped.
const READERS: Record<string, (this: DifyReader, event: Json) => void> = {
  message(event) {
    this.onMessage(event);
  },
  agent_message(event) {
    this.onMessage(event);
  },
  message_replace(event) {
    this.onReplace(event);
  },
  message_end(event) {
    this.onEnd(event);
  },
  workflow_finished(event) {
    this.onWorkflow(event);
  },
  node_started({ data }) {
    this.onStatus(isJsonObject(data) ? data.title : null);
  },
  agent_thought({ tool }) {
    this.onStatus(tool);
  },
  error(event) {
    throw endpointError(event);
  },
  workflow_paused() {
    throw unsupported();
  },
  human_input_required() {
    throw unsupported();
  },
};
Object.setPrototypeOf(READERS, null);

function unsupported(): RunFailure {
  return new RunFailure('unsupported', 'the workflow waits for a form, which a chat can not show');
}
