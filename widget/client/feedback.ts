import type { Message, MessageRating, Rating, CoreClient, VisitorProfile } from './types.js';

// Functions and no methods of the client, so that the widget loads them when they are needed.

/**
 * Keeps a name or an address that the visitor leaves, unverified; what is omitted stays. Rejects with a VisitorError.
 * @param widgetKey the organization's public key
 */
export async function introduce(
  client: CoreClient,
  widgetKey: string,
  visitor: Pick<VisitorProfile, 'name' | 'email'>,
): Promise<void> {
  await client.post('sessions', { widgetKey, visitor });
}

/**
 * Rates a chat that has ended, or changes its rating. Rejects with a VisitorError: `not_ended`, `rating_off`, or
 * `rating_over` when it is too late for a change, or it was changed 10 times.
 * @param score 1 to 5; 5 is the best
 * @param comment at most 1,000 characters
 */
export async function rate(client: CoreClient, chatId: string, score: number, comment?: string): Promise<Rating> {
  const path = `${pathOf(chatId)}/rating`;
  return (await client.post<{ rating: Rating }>(path, { score, comment })).rating;
}

const pathOf = (chatId: string) => `chats/${encodeURIComponent(chatId)}`;

/**
 * Rates a bot's message in the visitor's chat, or changes its rating. Rejects with a VisitorError: `rating_off` if the organization
 * doesn't offer it, `conflict` for a message that no bot sent.
 * @param comment at most 1,000 characters
 */
export async function rateMessage(
  client: CoreClient,
  { id, chatId }: Pick<Message, 'id' | 'chatId'>,
  rating: 'UP' | 'DOWN',
  comment?: string,
): Promise<MessageRating> {
  const path = `${pathOf(chatId)}/messages/${encodeURIComponent(id)}/rating`;
  return (await client.post<{ rating: MessageRating }>(path, { rating, comment }, 'PUT')).rating;
}

/** The visitor's ratings of messages in a chat: the newest 200, in the order of the messages. */
export async function listMessageRatings(client: CoreClient, chatId: string): Promise<MessageRating[]> {
  return (await client.post<{ ratings: MessageRating[] }>(`${pathOf(chatId)}/ratings`)).ratings;
}

/**
 * Asks for a person in the visitor's chat that the bots have. Rejects with a VisitorError: `handoff_off` if the organization
 * doesn't offer it, `conflict` for a chat that has ended. The chat changes when a bot, or the service after 10 s, has reacted.
 */
export async function askForPerson(client: CoreClient, chatId: string): Promise<void> {
  await client.post(`${pathOf(chatId)}/handoff`, {});
}

/**
 * Stops the answer that a bot by address is writing in the visitor's chat: what it has written becomes its message. Returns whether there
 * was one. Rejects with a VisitorError: `conflict` while the bots don't have the chat.
 */
export async function stopAnswer(client: CoreClient, chatId: string): Promise<boolean> {
  return (await client.post<{ isStopped: boolean }>(`${pathOf(chatId)}/answer/stop`, {})).isStopped;
}

/**
 * Asks a bot by address for another answer to the visitor's last messages; the earlier one stays. Rejects with a VisitorError: `conflict`
 * if the last answer can't be tried again, `rate_limited` after 30 answers in 10 minutes.
 */
export async function retryAnswer(client: CoreClient, chatId: string): Promise<void> {
  await client.post(`${pathOf(chatId)}/answer/retry`, {});
}

/**
 * Sends a transcript of the visitor's chat to the visitor's address. Rejects with a VisitorError: `no_address` if there is none, or e-mails
 * to it came back; `rate_limited` beyond 5 an hour; `mail_off`.
 */
export async function sendTranscript(client: CoreClient, chatId: string): Promise<void> {
  await client.post(`${pathOf(chatId)}/transcript`, {});
}

/**
 * Lets a visitor who unsubscribed get e-mails again. Rejects with a VisitorError: `no_address` if the address isn't verified,
 * `rate_limited` beyond 10 an hour, `mail_off`.
 */
export async function resubscribe(client: CoreClient, chatId: string): Promise<void> {
  await client.post(`${pathOf(chatId)}/resubscribe`, {});
}
