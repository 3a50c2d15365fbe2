// Generated from the OpenAPI document of the bot API by `npm run generate:types`. Do not edit.

import type * as shared from './shared-api.js';

export interface components {
    schemas: {
        Actor: shared.Actor;
        Availability: {
            /**
             * @description Whether a member is online and has room; online, but full; or not online
             * @enum {string}
             */
            availability: "AVAILABLE" | "BUSY" | "OFFLINE";
            /** @description The members who are online and accept chats */
            onlineAgents: number;
            /** @description Up to 1,000 */
            waitingChats: number;
            /** @description Whether it is within the office hours. Outside of them, the group is `OFFLINE` */
            isOpen: boolean;
            /**
             * Format: date-time
             * @description When it opens; null while it is open, and if it never opens
             */
            nextOpening: string | null;
            /** @example grp_01h455vb4pex5vsknk084sn02q */
            groupId: string;
            /** @description Null when too few chats were assigned lately to tell */
            estimatedWaitSeconds: number | null;
        };
        BotSearch: {
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
            /**
             * @description The search took 2 s: go on with `nextCursor`
             * @enum {boolean}
             */
            partial?: true;
            results: components["schemas"]["BotSearchResult"][];
        };
        BotSearchResult: {
            /** @description The newest match, if it’s a message */
            message?: components["schemas"]["FoundMessage"];
            /**
             * @description Only a word of the visitor’s name matches, with one edit
             * @enum {boolean}
             */
            isApproximate?: true;
            chat: components["schemas"]["EventChat"];
        };
        BotState: {
            /** @description `{}` when nothing was kept */
            state: {
                [key: string]: unknown;
            };
            /** @description Rises by one with every change; 0 when nothing was kept */
            version: number;
        };
        BotTyping: {
            /** @description Typing ends by itself after 10 s, and with the message */
            isTyping: boolean;
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @description True if the visitor has stopped what you are writing; absent otherwise */
            isStopped?: boolean;
        };
        BotTypingRequest: {
            /** @description Typing ends by itself after 10 s, and with the message */
            isTyping: boolean;
            /** @description Everything that you have written so far. It is shown immediately, stored nowhere, and replaced by the message. Empty: clears the text. Omitted: the text stays */
            text?: string;
            /**
             * @description What you are doing, shown below the text until your next text or message. Beside it, an omitted `text` is empty
             * @example Searching orders…
             */
            status?: string;
            /** @description With `text` or `status`: whether the visitor can stop you. If `isStopped` is true in a response, send what you have written as a message */
            canStop?: boolean;
            /**
             * @description Only if the bots have the chat; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`
             * @enum {string}
             */
            ifOwner?: "BOT";
        };
        ChangeChatRequest: shared.ChangeChatRequest;
        ChangeTagsRequest: shared.ChangeTagsRequest;
        ChangeVisitorRequest: shared.ChangeVisitorRequest;
        ChangedChat: shared.ChangedChat;
        ChangedVisitor: shared.ChangedVisitor;
        Chat: shared.Chat;
        ChatAssignedData: shared.ChatAssignedData;
        /** @description An agent got the chat: by a claim, an offer, routing, or another person */
        ChatAssignedEvent: shared.ChatAssignedEvent;
        ChatClosedData: shared.ChatClosedData;
        /** @description An open chat was closed */
        ChatClosedEvent: shared.ChatClosedEvent;
        ChatCreatedData: shared.ChatCreatedData;
        /** @description A chat started */
        ChatCreatedEvent: shared.ChatCreatedEvent;
        ChatGroup: shared.ChatGroup;
        ChatRatedData: shared.ChatRatedData;
        /** @description The visitor rated the chat, or changed the rating */
        ChatRatedEvent: shared.ChatRatedEvent;
        ChatReopenedData: shared.ChatReopenedData;
        /** @description A closed chat was opened again */
        ChatReopenedEvent: shared.ChatReopenedEvent;
        ChatReturnedData: shared.ChatReturnedData;
        /** @description The chat went back to the bots */
        ChatReturnedEvent: shared.ChatReturnedEvent;
        ChatTaggedData: shared.ChatTaggedData;
        /** @description The tags of a chat changed */
        ChatTaggedEvent: shared.ChatTaggedEvent;
        ChatTags: shared.ChatTags;
        ChatTransferredData: shared.ChatTransferredData;
        /** @description A chat moved to a group, where it waits for an agent */
        ChatTransferredEvent: shared.ChatTransferredEvent;
        ChatUnansweredData: shared.ChatUnansweredData;
        /** @description No agent took the chat in time */
        ChatUnansweredEvent: shared.ChatUnansweredEvent;
        ChatUnassignedData: shared.ChatUnassignedData;
        /** @description The chat left its agent and waits again */
        ChatUnassignedEvent: shared.ChatUnassignedEvent;
        ChatUpdatedData: shared.ChatUpdatedData;
        /** @description Attributes of a chat changed */
        ChatUpdatedEvent: shared.ChatUpdatedEvent;
        ChatVisitor: shared.ChatVisitor;
        Chats: shared.Chats;
        CloseChatRequest: {
            /**
             * @description Close the chat only if the bots have it; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`
             * @enum {string}
             */
            ifOwner?: "BOT";
        };
        ClosedBotChat: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @enum {string} */
            owner: "NOBODY";
        };
        CompletedFile: shared.CompletedFile;
        /** @description An event. Its `type` says what `data` has */
        Event: shared.Event;
        EventChat: shared.EventChat;
        Events: {
            /** @description Oldest first. A chat's events first come in order of `seq` */
            events: components["schemas"]["Event"][];
            /** @description Names these events: present it with the next call */
            ack: string;
            /** @description How many more wait; 1000: or more */
            pending: number;
            /** @description Events that were dropped; repeated until its `ack` comes */
            gap?: components["schemas"]["Gap"];
            /** @description The `traceparent` (W3C Trace Context) of each event that a traced request caused, by the id of the event */
            traces?: {
                [key: string]: string;
            };
        };
        FailureCauseRequest: {
            /**
             * @description The error's name, which is counted in the metrics
             * @example TimeoutError
             */
            name: string;
            /**
             * @description The error's message
             * @example The model did not answer in 60 s
             */
            message: string;
        };
        FieldError: shared.FieldError;
        File: shared.File;
        FoundMessage: shared.FoundMessage;
        Gap: {
            /** @description How many events; null: not known */
            droppedEvents: number | null;
            /**
             * Format: date-time
             * @description When the oldest of them happened
             */
            since: string;
        };
        Group: {
            /** @example grp_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @example Support */
            name: string;
            /**
             * @description The agents assigned to the group
             * @example 3
             */
            agentCount: number;
            /** @description Exactly one group of an organization is the default */
            isDefault: boolean;
        };
        HandoffRequestedData: shared.HandoffRequestedData;
        /** @description The visitor asked for a person */
        HandoffRequestedEvent: shared.HandoffRequestedEvent;
        Me: {
            /** @example bot_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            organization: components["schemas"]["OwnOrganization"];
            /** @description What the token may do */
            scopes: ("read" | "write" | "handover" | "search" | "search:all")[];
            /** @description Whether the bot may only act in chats that it has */
            onlyOwnChats: boolean;
        };
        Message: shared.Message;
        MessageCreatedData: shared.MessageCreatedData;
        /** @description A message was stored, from any sender */
        MessageCreatedEvent: shared.MessageCreatedEvent;
        MessageRatedData: shared.MessageRatedData;
        /** @description The visitor rated a message of a bot, or changed the rating */
        MessageRatedEvent: shared.MessageRatedEvent;
        MessageRating: shared.MessageRating;
        Messages: shared.Messages;
        Named: shared.Named;
        OpenBotChatRequest: {
            /**
             * @description The visitor. Give this or `externalId`
             * @example vis_01h455vb4pex5vsknk084sn02q
             */
            visitorId?: string;
            /** @description The visitor, by the `sub` of the identity that your server signed */
            externalId?: string;
            /** @description The group of a new chat. The default group when omitted */
            groupId?: string;
            /** @description The `metadata` of a new chat, which the visitor and agents see */
            metadata?: {
                [key: string]: unknown;
            };
        };
        OpenedBotChat: {
            chat: components["schemas"]["Chat"];
            /** @description Whether this request created it */
            isNew: boolean;
        };
        OwnOrganization: {
            id: string;
            name: string;
            /** @description The public key of the website chat */
            widgetKey: string;
        };
        PingData: shared.PingData;
        /** @description An administrator tested the webhook */
        PingEvent: shared.PingEvent;
        Problem: shared.Problem;
        RatedMessage: shared.RatedMessage;
        Rating: shared.Rating;
        Read: shared.Read;
        ReadMarks: shared.ReadMarks;
        ReadRequest: shared.ReadRequest;
        ReplyTo: shared.ReplyTo;
        Return: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @enum {string} */
            owner: "BOT" | "QUEUE" | "AGENT" | "NOBODY";
        };
        SendMessageRequest: {
            /**
             * @description What is said, in Unicode code points. Empty or omitted only with `files`, in a `TEXT` or an `IMAGE`
             * @example Hello! How can I help you?
             */
            content?: string;
            /**
             * @description Omitted: `TEXT`
             * @enum {string}
             */
            type?: "TEXT" | "IMAGE" | "BUTTON" | "QUICK_REPLY";
            /**
             * @description Arbitrary JSON object, at most 10,240 bytes of `JSON.stringify(metadata)`. A `QUICK_REPLY` needs `options`: a non-empty array of `{label, value}`. A `BUTTON` may have `options`, `cards`, or a `form`
             * @example {
             *       "options": [
             *         {
             *           "label": "Yes",
             *           "value": "yes"
             *         }
             *       ]
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The ids of completed uploads of the sender in this chat */
            files?: string[];
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /**
             * @description Send only if the bots have the chat; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`
             * @enum {string}
             */
            ifOwner?: "BOT";
        };
        Sender: shared.Sender;
        SentMessage: {
            /** @example msg_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            status: "sent";
        };
        SetStateRequest: {
            /**
             * @description A JSON object of at most 10,240 bytes
             * @example {
             *       "step": "address"
             *     }
             */
            state: {
                [key: string]: unknown;
            };
            /** @description The version that is replaced; 0: there is none yet. Another one is 412. Omitted: any */
            version?: number;
        };
        SetTagsRequest: shared.SetTagsRequest;
        StartUploadRequest: shared.StartUploadRequest;
        StartedUpload: shared.StartedUpload;
        Subscription: {
            events: ("message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested")[];
            senderTypes: ("VISITOR" | "BOT" | "AGENT" | "SYSTEM")[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last call for events
             */
            lastPolledAt: string | null;
            /** @description How many events are not done */
            pending: number;
        };
        SubscriptionRequest: {
            /** @description Omitted: all, including types of later releases */
            events?: ("message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested")[];
            /** @description Whose `message.created`; omitted: `VISITOR`, `AGENT`, `SYSTEM` */
            senderTypes?: ("VISITOR" | "BOT" | "AGENT" | "SYSTEM")[];
        };
        Transfer: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /**
             * @description `ACTIVE`: another bot has it
             * @enum {string}
             */
            newStatus: "QUEUED" | "ACTIVE";
            /**
             * @description Always null: no agent has it
             * @enum {string|null}
             */
            assignedTo: null;
            /** @example grp_01h455vb4pex5vsknk084sn02q */
            groupId: string;
            /** @description The stay in the queue, as it was then; absent with `targetBotId` */
            handoff?: components["schemas"]["TransferHandoff"];
        };
        TransferHandoff: {
            /** @example hof_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            availability: "AVAILABLE" | "BUSY" | "OFFLINE";
            /** @description The position in the queue, from 1 to 1,000 */
            position: number;
            /** @description Null when too few chats were assigned lately to tell */
            estimatedWaitSeconds: number | null;
            /**
             * Format: date-time
             * @description When the group opens; null while it is open, and if it never opens
             */
            nextOpening: string | null;
            /**
             * Format: date-time
             * @description When it is unanswered; null: never
             */
            expiresAt: string | null;
        };
        TransferRequest: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /**
             * @description Omitted: the default group
             * @example grp_01h455vb4pex5vsknk084sn02q
             */
            targetGroupId?: string;
            /**
             * @description The bot that gets the chat, instead of agents. A group must name it; `targetGroupId` chooses one of several. An agent's chat: 409 `not_owner`
             * @example bot_01h455vb4pex5vsknk084sn02q
             */
            targetBotId?: string;
            /**
             * @description Why; the visitor sees it too
             * @example Wants a refund
             */
            reason?: string;
            /**
             * @description Transfer the chat only if the bots have it; otherwise 409 `not_owner`. Default: regardless of its owner, unless the bot has `onlyOwnChats`
             * @enum {string}
             */
            ifOwner?: "BOT";
            /**
             * @description `FAIL`: 409 `nobody_available`, and nothing changes, when no agent of the group is online with room
             * @enum {string}
             */
            ifUnavailable?: "QUEUE" | "FAIL";
            /** @description After how many seconds the chat is unanswered; 0: never. Omitted: as the group says */
            maxWaitSeconds?: number;
            /**
             * @description What happens then. Omitted: as the group says
             * @enum {string}
             */
            onUnanswered?: "KEEP" | "RETURN_TO_BOT";
            /** @description What the agents, or the other bot, should know; the visitor never sees it */
            summary?: string;
            /** @description The error that makes the bot transfer the chat. Agents see it; visitors and webhooks never do. It is not compared when an `Idempotency-Key` is used again */
            cause?: components["schemas"]["FailureCauseRequest"];
        };
        UsedTag: shared.UsedTag;
        UsedTags: shared.UsedTags;
        VisitorUpdatedData: shared.VisitorUpdatedData;
        /** @description Attributes of a visitor changed */
        VisitorUpdatedEvent: shared.VisitorUpdatedEvent;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Actor = components['schemas']['Actor'];
export type Availability = components['schemas']['Availability'];
export type BotSearch = components['schemas']['BotSearch'];
export type BotSearchResult = components['schemas']['BotSearchResult'];
export type BotState = components['schemas']['BotState'];
export type BotTyping = components['schemas']['BotTyping'];
export type BotTypingRequest = components['schemas']['BotTypingRequest'];
export type ChangeChatRequest = components['schemas']['ChangeChatRequest'];
export type ChangeTagsRequest = components['schemas']['ChangeTagsRequest'];
export type ChangeVisitorRequest = components['schemas']['ChangeVisitorRequest'];
export type ChangedChat = components['schemas']['ChangedChat'];
export type ChangedVisitor = components['schemas']['ChangedVisitor'];
export type Chat = components['schemas']['Chat'];
export type ChatAssignedData = components['schemas']['ChatAssignedData'];
export type ChatAssignedEvent = components['schemas']['ChatAssignedEvent'];
export type ChatClosedData = components['schemas']['ChatClosedData'];
export type ChatClosedEvent = components['schemas']['ChatClosedEvent'];
export type ChatCreatedData = components['schemas']['ChatCreatedData'];
export type ChatCreatedEvent = components['schemas']['ChatCreatedEvent'];
export type ChatGroup = components['schemas']['ChatGroup'];
export type ChatRatedData = components['schemas']['ChatRatedData'];
export type ChatRatedEvent = components['schemas']['ChatRatedEvent'];
export type ChatReopenedData = components['schemas']['ChatReopenedData'];
export type ChatReopenedEvent = components['schemas']['ChatReopenedEvent'];
export type ChatReturnedData = components['schemas']['ChatReturnedData'];
export type ChatReturnedEvent = components['schemas']['ChatReturnedEvent'];
export type ChatTaggedData = components['schemas']['ChatTaggedData'];
export type ChatTaggedEvent = components['schemas']['ChatTaggedEvent'];
export type ChatTags = components['schemas']['ChatTags'];
export type ChatTransferredData = components['schemas']['ChatTransferredData'];
export type ChatTransferredEvent = components['schemas']['ChatTransferredEvent'];
export type ChatUnansweredData = components['schemas']['ChatUnansweredData'];
export type ChatUnansweredEvent = components['schemas']['ChatUnansweredEvent'];
export type ChatUnassignedData = components['schemas']['ChatUnassignedData'];
export type ChatUnassignedEvent = components['schemas']['ChatUnassignedEvent'];
export type ChatUpdatedData = components['schemas']['ChatUpdatedData'];
export type ChatUpdatedEvent = components['schemas']['ChatUpdatedEvent'];
export type ChatVisitor = components['schemas']['ChatVisitor'];
export type Chats = components['schemas']['Chats'];
export type CloseChatRequest = components['schemas']['CloseChatRequest'];
export type ClosedBotChat = components['schemas']['ClosedBotChat'];
export type CompletedFile = components['schemas']['CompletedFile'];
export type Event = components['schemas']['Event'];
export type EventChat = components['schemas']['EventChat'];
export type Events = components['schemas']['Events'];
export type FailureCauseRequest = components['schemas']['FailureCauseRequest'];
export type FieldError = components['schemas']['FieldError'];
export type File = components['schemas']['File'];
export type FoundMessage = components['schemas']['FoundMessage'];
export type Gap = components['schemas']['Gap'];
export type Group = components['schemas']['Group'];
export type HandoffRequestedData = components['schemas']['HandoffRequestedData'];
export type HandoffRequestedEvent = components['schemas']['HandoffRequestedEvent'];
export type Me = components['schemas']['Me'];
export type Message = components['schemas']['Message'];
export type MessageCreatedData = components['schemas']['MessageCreatedData'];
export type MessageCreatedEvent = components['schemas']['MessageCreatedEvent'];
export type MessageRatedData = components['schemas']['MessageRatedData'];
export type MessageRatedEvent = components['schemas']['MessageRatedEvent'];
export type MessageRating = components['schemas']['MessageRating'];
export type Messages = components['schemas']['Messages'];
export type Named = components['schemas']['Named'];
export type OpenBotChatRequest = components['schemas']['OpenBotChatRequest'];
export type OpenedBotChat = components['schemas']['OpenedBotChat'];
export type OwnOrganization = components['schemas']['OwnOrganization'];
export type PingData = components['schemas']['PingData'];
export type PingEvent = components['schemas']['PingEvent'];
export type Problem = components['schemas']['Problem'];
export type RatedMessage = components['schemas']['RatedMessage'];
export type Rating = components['schemas']['Rating'];
export type Read = components['schemas']['Read'];
export type ReadMarks = components['schemas']['ReadMarks'];
export type ReadRequest = components['schemas']['ReadRequest'];
export type ReplyTo = components['schemas']['ReplyTo'];
export type Return = components['schemas']['Return'];
export type SendMessageRequest = components['schemas']['SendMessageRequest'];
export type Sender = components['schemas']['Sender'];
export type SentMessage = components['schemas']['SentMessage'];
export type SetStateRequest = components['schemas']['SetStateRequest'];
export type SetTagsRequest = components['schemas']['SetTagsRequest'];
export type StartUploadRequest = components['schemas']['StartUploadRequest'];
export type StartedUpload = components['schemas']['StartedUpload'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionRequest = components['schemas']['SubscriptionRequest'];
export type Transfer = components['schemas']['Transfer'];
export type TransferHandoff = components['schemas']['TransferHandoff'];
export type TransferRequest = components['schemas']['TransferRequest'];
export type UsedTag = components['schemas']['UsedTag'];
export type UsedTags = components['schemas']['UsedTags'];
export type VisitorUpdatedData = components['schemas']['VisitorUpdatedData'];
export type VisitorUpdatedEvent = components['schemas']['VisitorUpdatedEvent'];
