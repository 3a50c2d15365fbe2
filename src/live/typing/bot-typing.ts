import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/context/request-context.js';
import { checkOwner, requiredOwner } from '../../chats/moves/chat-problems.js';
import type { TypingReport } from '../feeds/typing-event.js';
import { LiveTexts } from './live-texts.js';
import { TypingSnapshots } from './typing-snapshots.js';

/** Accepts the typing reports of bots. */
@Injectable()
export class BotTyping {
  constructor(
    private readonly snapshots: TypingSnapshots,
    private readonly texts: LiveTexts,
  ) {}

  /**
   * Shows a bot's typing, and its text, to everyone who listens to the chat (CONTRACT: Live text). Changes nothing in the chat. Returns
   * `isStopped` if the visitor stopped what the bot writes.
   * @throws Problem not_found; not_owner with `ifOwner` or `onlyOwnChats`, while the bot doesn't have the chat
   */
  async report(
    context: RequestContext,
    chatId: string,
    { isTyping, text, status, canStop, ifOwner }: TypingReport & { ifOwner?: 'BOT' },
  ): Promise<{ chatId: string; isTyping: boolean; isStopped?: boolean }> {
    const { organizationId, actor, isAi } = context;
    const { afterSeq, at, botId, isStopped, ...chat } = await this.snapshots.get(organizationId, chatId);
    checkOwner(requiredOwner(context, ifOwner), chat, actor, botId);
    const typing = {
      organizationId,
      chatId,
      actor,
      isAi,
      isTyping,
      afterSeq,
      at,
      ...(isTyping && textWith(text, status, canStop)),
    };
    this.texts.accept('chat.typing', { organizationId, senderId: actor.id }, typing);
    return { chatId, isTyping, ...(isStopped && { isStopped }) };
  }
}

/** A status comes with a text, an empty one if the bot has written nothing: so it's limited, kept, and ended like a text. */
function textWith(text: string | undefined, status: string | undefined, canStop = false): Partial<TypingReport> {
  if (text === undefined && status === undefined) return {};
  return { text: text ?? '', ...(status !== undefined && { status }), ...(canStop && { canStop }) };
}
