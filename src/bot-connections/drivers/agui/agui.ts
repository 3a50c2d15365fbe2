import type { Conversation, OpenConnection } from '../../model/conversation.js';
import type { EndpointRequest } from '../../wire/exchange.js';
import type { Driver, Progress, ReplyReader } from '../driver.js';
import type { Json } from '../wire-json.js';
import { AguiReader } from './reader.js';
import { aguiRequest } from './request.js';

/** AG-UI 1.0 and 1.1, and endpoints from before 1.0 (CONTRACT: Bots by address). */
export class AguiDriver implements Driver {
  request(connection: OpenConnection, conversation: Conversation): EndpointRequest {
    return aguiRequest(connection, conversation);
  }

  read(connection: OpenConnection, conversation: Conversation, progress: Progress): ReplyReader {
    return new AguiReader(connection.settings.tools.length === 0, conversation, progress);
  }

  answer(callId: string, result: Json): Json {
    const { error } = result;
    const base = { id: `answer_${callId}`, role: 'tool', toolCallId: callId };
    return typeof error === 'string'
      ? { ...base, content: error, error }
      : { ...base, content: JSON.stringify(result) };
  }
}
