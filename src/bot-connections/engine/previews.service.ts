import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { findChatState } from '../../chats/reading/chats.queries.js';
import { MessagesService } from '../../messages/messages.service.js';
import { notFound, Problem } from '../../platform/errors/problem.js';
import { newId } from '../../platform/lib/ids.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { HIDDEN_QUERY } from '../connections/connection-change.js';
import { DRIVERS } from '../drivers/drivers.js';
import { isEndpoint } from '../model/connection.js';
import type { OpenConnection } from '../model/conversation.js';
import type { EndpointRequest } from '../wire/exchange.js';
import { ConversationLoader } from './conversation-loader.js';

const HIDDEN = '***';
/** The most messages that are searched for the first one without an answer. */
const MAX_UNANSWERED = 100;

/** A request as administrators see it, with `***` for secrets. */
export interface Preview {
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Shows what the next request for a chat would send (CONTRACT: Connections). */
@Injectable()
export class RequestPreviews {
  constructor(
    private readonly manager: EntityManager,
    private readonly connections: ConnectionsService,
    private readonly loader: ConversationLoader,
    private readonly messages: MessagesService,
  ) {}

  /** Sends nothing. @throws Problem not_found; conflict for a script; validation_failed if the secrets can't be decrypted */
  async preview(organizationId: string, botId: string, chatId: string): Promise<Preview> {
    const connection = await this.connections.draft(organizationId, botId, null);
    const { kind } = connection;
    if (!isEndpoint(kind)) throw new Problem('conflict', 'A script makes no requests');
    const asked = await this.findUnanswered(organizationId, chatId);
    const turn = { id: newId('trn'), chatId, ...asked, step: 1, tries: 1, replaces: [] };
    const conversation = await this.loader.load(connection, turn, newId('run'));
    return masked(DRIVERS[kind].request(connection, conversation), connection);
  }

  /** The visitor's messages since the last one of a bot or an agent. */
  private async findUnanswered(organizationId: string, chatId: string): Promise<{ firstSeq: number; lastSeq: number }> {
    const { messageCount } = (await findChatState(this.manager, organizationId, chatId)) ?? notFound('Chat');
    const { messages } = await this.messages.readBefore(
      organizationId,
      chatId,
      messageCount,
      messageCount + 1,
      MAX_UNANSWERED,
    );
    const last = messages.findLast(({ sender }) => sender.type === 'BOT' || sender.type === 'AGENT');
    return { firstSeq: (last?.seq ?? 0) + 1, lastSeq: messageCount };
  }
}

function masked({ url, headers, body }: EndpointRequest, { secrets }: OpenConnection): Preview {
  const own = new Set(Object.keys(secrets.headers).map((name) => name.toLowerCase()));
  const shown = Object.entries(headers).map(([name, value]): [string, string] => {
    if (own.has(name.toLowerCase()) || name === 'webhook-signature') return [name, HIDDEN];
    return [name, name === 'authorization' ? `Bearer ${HIDDEN}` : value];
  });
  return {
    url: secrets.query === '' ? url : url.slice(0, -secrets.query.length) + HIDDEN_QUERY,
    headers: Object.fromEntries(shown),
    // Encrypted values are the endpoint's alone.
    body: JSON.parse(body, (name, value: unknown) =>
      name === 'encryptedValue' && typeof value === 'string' ? HIDDEN : value,
    ),
  };
}
