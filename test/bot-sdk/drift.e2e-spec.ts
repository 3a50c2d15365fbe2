import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type * as sdk from '../../packages/bot/src/index.js';
import type { AvailabilityResponse } from '../../src/api/bot/handoffs.dto.js';
import type { EventsResponse } from '../../src/api/bot/pull.dto.js';
import type { TransferDto, TransferResponse } from '../../src/api/bot/transfer.dto.js';
import type { ChatResponse } from '../../src/api/chats.dto.js';
import type {
  MessageContent,
  MessageResponse,
  MessagesResponse,
  SentMessageResponse,
} from '../../src/api/messages.dto.js';
import type { Actor } from '../../src/auth/context/request-context.js';
import type { Rating } from '../../src/chats/reading/ratings.queries.js';
import type { UnassignReason } from '../../src/chats/model/chat-transitions.js';
import { EVENT_TYPES, type EventType } from '../../src/outbox/event-type.js';
import { Parley } from '../support/parley.js';

/** Neither type has a member or a value that the other lacks. */
type Same<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
type Flat<T> = T extends readonly (infer Item)[] ? Flat<Item>[] : T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
type Holds<T extends true> = T;

/** The service's types are those of the OpenAPI document. The type check fails when a line doesn't hold. */
type Types = [
  Holds<Same<sdk.EventType, EventType>>,
  Holds<Same<sdk.Message, MessageResponse>>,
  Holds<Same<sdk.Chat, Omit<ChatResponse, 'messages'>>>,
  Holds<Same<sdk.Content, MessageContent>>,
  Holds<Same<sdk.SentMessage, SentMessageResponse>>,
  Holds<Same<sdk.MessagePage, MessagesResponse>>,
  Holds<Same<sdk.HandOverOptions, Omit<TransferDto, 'chatId' | 'ifOwner'>>>,
  Holds<Same<sdk.HandOver, TransferResponse>>,
  Holds<Same<sdk.GroupAvailability, AvailabilityResponse>>,
  Holds<Same<Omit<sdk.Events, 'events'>, Omit<EventsResponse, 'events'>>>,
  Holds<Same<keyof sdk.ParleyEvent, keyof EventsResponse['events'][number]>>,
  Holds<Same<sdk.Actor, Actor>>,
  Holds<Same<sdk.EventData['chat.rated']['rating'], Rating>>,
  Holds<Same<sdk.EventData['chat.unassigned']['reason'], UnassignReason>>,
  // The comparison detects differences.
  Holds<Same<Same<Omit<sdk.Message, 'seq'>, MessageResponse>, false>>,
  Holds<Same<Same<Omit<sdk.Message, 'seq'> & { seq: number | null }, MessageResponse>, false>>,
  Holds<Same<Same<Exclude<sdk.EventType, 'chat.closed'>, EventType>, false>>,
];

/** The members of each event's data. The type check fails when one is missing here or in the SDK. */
type Members = { [Type in sdk.EventType]: Record<keyof sdk.EventData[Type], true> };
const MEMBERS: Members = {
  'message.created': { message: true, chat: true },
  'chat.created': { chat: true },
  'chat.transferred': {
    chat: true,
    previousGroupId: true,
    bot: true,
    reason: true,
    by: true,
    handoffId: true,
    previousAgent: true,
  },
  'chat.assigned': { chat: true, agent: true, how: true, waitedSeconds: true, previousAgent: true, by: true },
  'chat.unassigned': { chat: true, agent: true, reason: true },
  'chat.returned': { chat: true, by: true, note: true },
  // oxlint-disable-next-line unicorn/no-thenable -- the contract's name
  'chat.unanswered': { chat: true, handoffId: true, waitedSeconds: true, availability: true, then: true },
  'chat.reopened': { chat: true, by: true, owner: true, agent: true },
  'chat.closed': { chat: true, by: true },
  'chat.rated': { chat: true, rating: true, by: true },
};

describe("the SDK's types", () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start();
  });
  afterAll(() => parley.stop());

  it("the SDK's types equal those of the service", () => {
    const compared: Types['length'] = 17;
    expect([compared, Object.keys(MEMBERS)]).toEqual([17, [...EVENT_TYPES]]);
  });

  it("the SDK's events have the members that the service sends", async () => {
    const tenant = await parley.createTenant();
    await tenant.bot.put('/subscription', {}).expect(200);
    const ada = await parley.signInAgent(tenant, { role: 'ADMIN' });
    const { body: groups } = await tenant.bot.get('/groups').expect(200);
    await tenant.admin.patch(`/agents/${ada.id}`, { groupIds: [groups[0].id] }).expect(200);
    await tenant.admin.post('/chats', {}).expect(201);
    const chat = `/chats/${tenant.chatId}`;
    const transfer = (more: object = {}) =>
      tenant.bot.post('/transfer', { chatId: tenant.chatId, ...more }).expect(200);
    await transfer();
    await ada.client.post(`${chat}/claim`).expect(200);
    await ada.client.post(`${chat}/release`).expect(200);
    await ada.client.post(`${chat}/assign`, { agentId: ada.id }).expect(200);
    await ada.client.post(`${chat}/return`, { note: 'done' }).expect(200);
    await tenant.admin.patch(chat, { status: 'CLOSED' }).expect(200);
    await tenant.admin.patch('/widget', { rating: true }).expect(200);
    await parley.visitor(tenant.visitorToken).post(`${chat}/rating`, { score: 5 }).expect(200);
    await tenant.bot.post('/messages', { chatId: tenant.chatId, content: 'again' }).expect(200);
    await transfer({ maxWaitSeconds: 1, onUnanswered: 'RETURN_TO_BOT' });
    const seen = new Map<string, string[]>();
    for (let ack = ''; seen.size < EVENT_TYPES.length;) {
      const { body } = await tenant.bot.get(`/events?wait=10${ack}`).expect(200);
      ack = `&ack=${body.ack}`;
      for (const { type, data } of body.events) {
        seen.set(type, [...new Set([...(seen.get(type) ?? []), ...Object.keys(data)])].sort());
      }
    }
    const wanted = Object.entries(MEMBERS).map(([type, members]) => [type, Object.keys(members).sort()] as const);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(wanted));
  });
});
