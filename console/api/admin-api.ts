// Generated from the OpenAPI document of the admin API by `npm run generate:types`. Do not edit.

import type * as shared from '../../packages/bot/src/shared-api.js';

export interface components {
    schemas: {
        AccessToken: {
            /** @example tok_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            /** @description The last characters of the token */
            lastFour: string;
            /** @description Null: everything besides `search` and `search:all` */
            scopes: ("read" | "write" | "handover" | "search" | "search:all")[] | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Exact to some seconds
             */
            lastUsedAt: string | null;
        };
        AccessTokens: {
            tokens: components["schemas"]["AccessToken"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Actor: shared.Actor;
        AdminChat: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            status: "QUEUED" | "ACTIVE" | "CLOSED" | "ARCHIVED";
            /** @enum {string} */
            channel: "WIDGET";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastMessageAt: string | null;
            /**
             * Format: date-time
             * @description The first message of a bot or agent
             */
            firstResponseAt: string | null;
            /** @description The highest `seq` of its messages */
            messageCount: number;
            /** @description What the page said when the chat was created. It is never verified */
            metadata: {
                [key: string]: unknown;
            };
            visitor: components["schemas"]["ChatVisitor"];
            group: components["schemas"]["ChatGroup"];
            /**
             * @description Who is expected to answer
             * @enum {string}
             */
            owner: "BOT" | "QUEUE" | "AGENT" | "NOBODY";
            /** @description The agent who has it */
            assignedTo: components["schemas"]["Named"] | null;
            /** @description The tags of the chat, by name. Visitors never see them */
            tags: string[];
            /**
             * @description What bots, agents, and administrators know of the chat. The visitor never sees it
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** @description What a bot or an agent calls the chat */
            title: string | null;
            /** @description Up to 5 latest, oldest first */
            messages: components["schemas"]["Message"][];
            /** @description What the visitor read before the first word of an AI; null if none wrote, or the widget did not begin the chat */
            aiDisclosure: components["schemas"]["ShownDisclosure"] | null;
        };
        AdminGroup: {
            /** @example grp_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            isDefault: boolean;
            /** @enum {string} */
            routing: "MANUAL" | "OFFER" | "AUTOMATIC";
            offerSeconds: number;
            maxPendingOffers: number;
            /** @description 0: never unanswered */
            maxWaitSeconds: number;
            /** @enum {string} */
            onUnanswered: "KEEP" | "RETURN_TO_BOT";
            /** @description 0: never */
            offlineReassignSeconds: number;
            /** @description Null: as the organization says */
            officeHours: components["schemas"]["OfficeHours"] | null;
            /** @description The only bot that gets the group's chats; null: every bot */
            botId: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        Agent: {
            /** @example agt_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "AGENT" | "SUPERVISOR" | "ADMIN";
            /** @description The most chats that routing assigns to the agent at the same time */
            capacity: number;
            isEnabled: boolean;
            avatarUrl: string | null;
            groupIds: string[];
            /** Format: date-time */
            createdAt: string;
        };
        Agents: {
            agents: components["schemas"]["Agent"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        AiDisclosureText: shared.AiDisclosureText;
        ArrivedMail: {
            /** @example inm_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            status: "STORED" | "TO_CHECK" | "ACCEPTED" | "DROPPED" | "REFUSED" | "PROCESSED";
            /** @description Why it was refused, or what a returned e-mail says: `hard`, `soft`, `delayed`, `complaint`, or `other` */
            reason: string | null;
            from: string | null;
            chatId: string | null;
            /** @description The e-mail of ours that it answers */
            mailId: string;
            /** Format: date-time */
            receivedAt: string;
        };
        ArrivedMails: {
            mails: components["schemas"]["ArrivedMail"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Assignee: shared.Assignee;
        Attempt: {
            /** Format: date-time */
            at: string;
            /** @description The status of the answer; null without an answer */
            status: number | null;
            error: string | null;
            durationMs: number;
        };
        AttributeKey: shared.AttributeKey;
        AttributeKeys: shared.AttributeKeys;
        Audit: {
            entries: components["schemas"]["AuditEntry"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        AuditActor: {
            /** @enum {string} */
            type: "BOT" | "AGENT" | "VISITOR" | "ADMIN" | "SYSTEM";
            /** @description Null for `ADMIN_TOKEN` */
            id: string | null;
            name: string | null;
        };
        AuditEntry: {
            /** @example aud_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["AuditActor"];
            /** @enum {string} */
            action: "session.created" | "session.failed" | "session.throttled" | "link.created" | "link.revoked" | "password.changed" | "password.failed" | "organization.created" | "organization.changed" | "organization.retention_changed" | "organization.mail_changed" | "organization.deleted" | "organization.restored" | "group.created" | "group.changed" | "group.deleted" | "agent.created" | "agent.changed" | "agent.role_changed" | "agent.email_changed" | "agent.groups_changed" | "agent.enabled" | "agent.disabled" | "agent.deleted" | "bot.created" | "bot.changed" | "bot.deleted" | "connection.created" | "connection.changed" | "connection.paused" | "connection.resumed" | "connection.deleted" | "connection.tested" | "connection.secret_rotated" | "token.created" | "token.revoked" | "webhook.created" | "webhook.changed" | "webhook.enabled" | "webhook.disabled" | "webhook.secret_rotated" | "organization.identity_secret_rotated" | "webhook.deleted" | "reply.created" | "reply.changed" | "reply.deleted" | "widget.changed" | "tag.changed" | "tag.merged" | "tag.deleted" | "visitor.blocked" | "visitor.unblocked" | "visitors.listed" | "visitor.exported" | "visitor.unsubscribed" | "visitor.resubscribed" | "visitor.address_removed" | "mail.accepted" | "mail.dropped" | "visitor.erasure_began" | "visitor.erased" | "chats.listed" | "chats.exported" | "audit.exported" | "retention.removed" | "anonymous.removed";
            /** @description The id of what was changed */
            target: string | null;
            /** @description Its name at that time; null for a visitor */
            targetName: string | null;
            /** @description Field by field; never a secret */
            changes: components["schemas"]["FieldChange"][];
            sourceAddress: string | null;
        };
        BlockedVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description The id that your own server signed */
            externalId: string | null;
            name: string | null;
            email: string | null;
            /** @description Whether `name` and `email` came with an identity that your own server signed */
            isVerified: boolean;
            /** @description What the page says. It is never verified */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description What bots, agents, and administrators know of the visitor
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /**
             * @description What the identity that your own server signed says of the visitor
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            verifiedAttributes: {
                [key: string]: string | number | boolean;
            };
            /** Format: date-time */
            createdAt: string;
            block: components["schemas"]["ExportedBlock"];
        };
        BlockedVisitors: {
            visitors: components["schemas"]["BlockedVisitor"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Bot: {
            /** @example bot_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description Whether it may only act in chats that it has */
            onlyOwnChats: boolean;
            /** @description Whether it's an AI, which visitors read before its first word */
            isAi: boolean;
            /** @description Whether events are kept for it, to be fetched */
            hasSubscription: boolean;
            /** @description Whether an address answers for it */
            hasConnection: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        BotEvents: {
            /** @description What the bot gets next, oldest first */
            events: components["schemas"]["Event"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        BotSubscription: {
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
            /**
             * Format: date-time
             * @description The time of the oldest of them
             */
            oldestAt: string | null;
        };
        BotUsage: {
            days: components["schemas"]["UsageDay"][];
        };
        Bots: {
            bots: components["schemas"]["Bot"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Captcha: {
            /** @enum {string} */
            provider: "TURNSTILE" | "HCAPTCHA";
            siteKey: string;
            verifyUrl: string | null;
        };
        CaptchaRequest: {
            /** @enum {string} */
            provider: "TURNSTILE" | "HCAPTCHA";
            /** @description Pages show the captcha with it */
            siteKey: string;
            /** @description Checks the responses. It is never returned */
            secret: string;
            /** @description Checks the responses in the place of the provider, in the same way; omitted: the provider */
            verifyUrl?: string;
        };
        CaptchaSetting: {
            /** @description Null: visitors solve none */
            captcha: components["schemas"]["Captcha"] | null;
        };
        ChangeVisitorRequest: shared.ChangeVisitorRequest;
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
        Connection: {
            /** @enum {string} */
            kind: "agui" | "openai" | "dify" | "n8n" | "script";
            /** @description A query is shown as `?***` */
            url?: string;
            /** @description Whether it has a key */
            hasKey: boolean;
            /** @description The names of its headers */
            headerNames: string[];
            isEnabled: boolean;
            /** @enum {string} */
            onNewMessage: "collect" | "queue" | "interrupt";
            collectFor: number;
            history?: number;
            share?: ("groups" | "page" | "visitor" | "notes" | "files")[];
            tools?: ("hand_over" | "offer_choices" | "set_tags" | "close_chat")[];
            tries?: number;
            failure: components["schemas"]["Failure"] | null;
            targetGroupId: string | null;
            showSteps?: boolean;
            maxRuns?: number;
            dailyTokens?: number | null;
            /** @enum {string} */
            protocol?: "0" | "1";
            /** @enum {string} */
            resumeHistory?: "full" | "none";
            instructions?: string | null;
            model?: string | null;
            temperature?: number | null;
            includeUsage?: boolean;
            body?: {
                [key: string]: unknown;
            };
            inputs?: {
                [key: string]: unknown;
            };
            /** @description Null: the built-in script */
            script?: components["schemas"]["Script"] | null;
            /** Format: date-time */
            createdAt: string;
            health: components["schemas"]["ConnectionHealth"];
        };
        ConnectionFailure: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            code: "unreachable" | "timeout" | "truncated" | "status" | "endpoint_error" | "protocol" | "empty" | "refused_address" | "redirect" | "content_type" | "too_large" | "filtered" | "unsupported" | "busy" | "limit" | "budget";
        };
        ConnectionHealth: {
            /** Format: date-time */
            lastSuccessAt: string | null;
            lastFailure: components["schemas"]["ConnectionFailure"] | null;
            /** @description For how many turns in a row the endpoint was unreachable, timed out, or answered 5xx */
            failuresInRow: number;
        };
        ConnectionPreview: {
            /** @description A query is shown as `?***` */
            url: string;
            /** @description Secrets are `***` */
            headers: {
                [key: string]: string;
            };
            /** @description The JSON of the request */
            body: {
                [key: string]: unknown;
            };
        };
        ConnectionSecret: {
            /** @description Signs the requests. It is returned only this once */
            secret: string;
        };
        ConnectionTest: {
            ok: boolean;
            /** @description What it said; before an error, the part that came */
            text: string;
            /** @description How many of each event came */
            events: {
                [key: string]: number;
            };
            firstTokenMs: number | null;
            durationMs: number;
            usage: components["schemas"]["Usage"] | null;
            protocolVersion: string | null;
            warnings: string[];
            error: components["schemas"]["TestError"] | null;
        };
        CreateAccessTokenRequest: {
            name?: string;
            /**
             * Format: date-time
             * @description Omitted: never
             */
            expiresAt?: string;
            /** @description What the token may do. Omitted: everything besides `search` and `search:all`, even what later releases add */
            scopes?: ("read" | "write" | "handover" | "search" | "search:all")[];
        };
        CreateAgentRequest: {
            groupIds?: string[];
            /**
             * @description A new agent: `AGENT`
             * @enum {string}
             */
            role?: "AGENT" | "SUPERVISOR" | "ADMIN";
            /** @description The most chats that routing assigns. A new agent: 6 */
            capacity?: number;
            isEnabled?: boolean;
            /** @description A PNG, JPEG, or WebP picture of at most 2097152 bytes: as a `data:` URL in base64, or its address, which Parley fetches now. Parley serves it at the address that it answers. Null: none */
            avatarUrl?: string | null;
            name: string;
            /** Format: email */
            email: string;
        };
        CreateBotRequest: {
            /** @description Whether the bot may only act in chats that it has. A new bot: false */
            onlyOwnChats?: boolean;
            /** @description Whether it's an AI, which visitors read before its first word. A new bot, and one with a connection: true */
            isAi?: boolean;
            name: string;
        };
        CreateChatRequest: {
            visitor?: components["schemas"]["NewVisitorRequest"];
            groupId?: string;
        };
        CreateGroupRequest: {
            /**
             * @description `MANUAL`: every agent of the group sees its chats, and the first claim has one. `OFFER`: one agent after the other is asked. `AUTOMATIC`: chats are assigned. A new group: `MANUAL`
             * @enum {string}
             */
            routing?: "MANUAL" | "OFFER" | "AUTOMATIC";
            /** @description Until an offer expires. A new group: 30 */
            offerSeconds?: number;
            /** @description The most pending offers of an agent. Offers from other groups count too. A new group: 2 */
            maxPendingOffers?: number;
            /** @description After so long, a waiting chat is unanswered; 0: never. A new group: 180 */
            maxWaitSeconds?: number;
            /**
             * @description `KEEP`: it keeps waiting. `RETURN_TO_BOT`: the bots get it, if there are any. A new group: `KEEP`
             * @enum {string}
             */
            onUnanswered?: "KEEP" | "RETURN_TO_BOT";
            /** @description After so long offline, the chats of an agent wait again; 0: never. A new group: 120 */
            offlineReassignSeconds?: number;
            /** @description When its agents answer; null: as the organization says */
            officeHours?: components["schemas"]["OfficeHoursRequest"] | null;
            /**
             * @description The only bot that gets the group's chats. Null: every bot does
             * @example bot_01h455vb4pex5vsknk084sn02q
             */
            botId?: string | null;
            name: string;
            isDefault?: boolean;
        };
        CreateOperatorRequest: {
            name: string;
            /**
             * Format: date-time
             * @description Omitted: never
             */
            expiresAt?: string;
        };
        CreateOrganizationRequest: {
            /** @description Empty: any */
            allowedOrigins?: string[];
            retentionDays?: number | null;
            /** @description Whether the agent who has a chat sees what its visitor is writing; omitted: false */
            typingPreview?: boolean;
            /** @description Whether the audit log stores the clients' IP addresses; false also removes the stored ones; omitted: true */
            storeAddresses?: boolean;
            /** @description Whether all bots may only act in chats that they have; false: as each bot says */
            onlyOwnChats?: boolean;
            /** @description Whether visitors may send files; omitted: false */
            visitorUploads?: boolean;
            /** @description Bytes of files that may be stored; null: no limit; omitted: 10 GB */
            fileQuota?: number | null;
            name: string;
            /** @description Whether it begins with a bot that follows the built-in script; a bot of your own would answer beside it */
            simpleBot?: boolean;
        };
        CreateSignInLinkRequest: {
            /** @description Whether the link is mailed to the agent; omitted: false */
            send?: boolean;
        };
        CreateWebhookRequest: {
            events?: ("message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested")[];
            senderTypes?: ("VISITOR" | "BOT" | "AGENT" | "SYSTEM")[];
            isEnabled?: boolean;
            url: string;
        };
        Deliveries: {
            deliveries: components["schemas"]["Delivery"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Delivery: {
            /** @example dlv_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description The same for every webhook that gets the event */
            eventId: string;
            /** @enum {string} */
            type: "message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested";
            /** @description Null for `visitor.updated` */
            chatId: string | null;
            /** @description The visitor of `visitor.updated`; otherwise null */
            visitorId: string | null;
            /** @enum {string} */
            status: "pending" | "in_flight" | "delivered" | "dead";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null unless it is pending
             */
            nextAttemptAt: string | null;
            attempts: components["schemas"]["Attempt"][];
        };
        /** @description An event. Its `type` says what `data` has */
        Event: shared.Event;
        EventChat: shared.EventChat;
        ExportedArrivedMail: {
            /** @example inm_01h455vb4pex5vsknk084sn02q */
            id: string;
            from: string | null;
            status: string;
            reason: string | null;
            /** @description What it says, while agents are to check it */
            text: string | null;
            /** Format: date-time */
            receivedAt: string;
        };
        ExportedBlock: {
            /**
             * Format: date-time
             * @description Null: without an end
             */
            until: string | null;
            reason: string | null;
            by: components["schemas"]["Named"];
            /** Format: date-time */
            blockedAt: string;
        };
        ExportedBotNote: {
            /** @description The author's name */
            by: string | null;
            text: string;
        };
        ExportedBotState: {
            /** @example bot_01h455vb4pex5vsknk084sn02q */
            botId: string;
            state: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updatedAt: string;
        };
        ExportedChat: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            status: "QUEUED" | "ACTIVE" | "CLOSED" | "ARCHIVED";
            /**
             * @description Who is expected to answer
             * @enum {string}
             */
            owner: "BOT" | "QUEUE" | "AGENT" | "NOBODY";
            /** @enum {string} */
            channel: "WIDGET";
            group: components["schemas"]["Named"] | null;
            /** @description The agent who has it */
            assignedTo: components["schemas"]["Assignee"] | null;
            /** @description Null while it does not wait for an agent */
            queue: components["schemas"]["Queue"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastMessageAt: string | null;
            /** @description The highest `seq` of its messages */
            messageCount: number;
            metadata: {
                [key: string]: unknown;
            };
            read: components["schemas"]["ReadMarks"];
            /** @description The visitor's rating */
            rating: components["schemas"]["Rating"] | null;
            /** @description What a bot or an agent calls the chat */
            title: string | null;
            /** @description What the visitor read before the first word of an AI; null if none wrote, or the widget did not begin the chat */
            aiDisclosure: components["schemas"]["ShownDisclosure"] | null;
            /** @description The newest note to the bot that got the chat */
            botNote: components["schemas"]["ExportedBotNote"] | null;
            /**
             * @description What bots, agents, and administrators know of the chat
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** @description All of them, in order */
            messages: components["schemas"]["ExportedMessage"][];
            /** @description What bots keep about the chat */
            botStates: components["schemas"]["ExportedBotState"][];
            /** @description Its stays in the queue, with what bots and agents wrote for agents */
            handoffs: components["schemas"]["ExportedHandoff"][];
            /** @description Agents' notes */
            notes: components["schemas"]["ExportedNote"][];
            /** @description The wish for a person that is not answered yet */
            personRequests: components["schemas"]["ExportedPersonRequest"][];
            /** @description The tags of the chat */
            tags: components["schemas"]["ExportedTag"][];
            /** @description E-mails about the chat, without their texts */
            mails: components["schemas"]["ExportedMail"][];
            /** @description E-mails that arrived for the chat */
            arrivedMails: components["schemas"]["ExportedArrivedMail"][];
            /** @description What a connected bot's endpoint gets back */
            transcript: components["schemas"]["ExportedTranscript"][];
            /** @description The turns of connected bots */
            turns: components["schemas"]["ExportedTurn"][];
        };
        ExportedHandoff: {
            /** @example hof_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description Who queued the chat */
            by: components["schemas"]["AuditActor"];
            reason: string | null;
            /** @description For agents */
            summary: string | null;
            /** @description The agent's note to the bot */
            note: string | null;
            /** Format: date-time */
            beganAt: string;
            /** Format: date-time */
            endedAt: string | null;
            outcome: string | null;
        };
        ExportedMail: {
            /** @example eml_01h455vb4pex5vsknk084sn02q */
            id: string;
            kind: string;
            to: string;
            status: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            sentAt: string | null;
        };
        ExportedMessage: {
            /** @example msg_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @description The count in its chat: 1, 2, 3 …, without a gap */
            seq: number;
            /** @enum {string} */
            type: "TEXT" | "IMAGE" | "BUTTON" | "QUICK_REPLY";
            content: string;
            /** @description `{}` when none was sent */
            metadata: {
                [key: string]: unknown;
            };
            sender: components["schemas"]["Sender"];
            /** Format: date-time */
            createdAt: string;
            replyTo?: components["schemas"]["ReplyTo"];
            /** @description Absent without any */
            files?: components["schemas"]["File"][];
            /**
             * Format: date-time
             * @description When the message was deleted. It keeps its `seq`, and its content is empty
             */
            deletedAt?: string;
            /** @description How the visitor rated a message of a bot */
            rating?: components["schemas"]["ExportedRating"];
        };
        ExportedNote: {
            /** @example not_01h455vb4pex5vsknk084sn02q */
            id: string;
            content: string;
            author: components["schemas"]["Named"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            editedAt: string | null;
        };
        ExportedPersonRequest: {
            /** Format: date-time */
            requestedAt: string;
        };
        ExportedRating: {
            /** @enum {string} */
            rating: "UP" | "DOWN";
            comment: string | null;
            /** Format: date-time */
            ratedAt: string;
            /**
             * Format: date-time
             * @description The last change; null: never
             */
            changedAt: string | null;
        };
        ExportedTag: {
            name: string;
        };
        ExportedTranscript: {
            /** @description In the form of the endpoint */
            content: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updatedAt: string;
        };
        ExportedTurn: {
            /** @example trn_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            status: "WAITING" | "RUNNING" | "DONE" | "HANDED_OVER" | "INTERRUPTED" | "CANCELLED" | "ABORTED" | "FAILED";
            /**
             * @description Why it has failed
             * @enum {string|null}
             */
            code: "unreachable" | "timeout" | "truncated" | "status" | "endpoint_error" | "protocol" | "empty" | "refused_address" | "redirect" | "content_type" | "too_large" | "filtered" | "unsupported" | "busy" | "limit" | "budget" | null;
            /** @description The first of the visitor's messages that it answers */
            firstSeq: number;
            /** @description The last one */
            lastSeq: number;
            /** @description The messages that it has stored */
            messageIds: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
            /** @description As the endpoint reports it */
            usage: components["schemas"]["Usage"] | null;
            /** @example bot_01h455vb4pex5vsknk084sn02q */
            botId: string;
        };
        Failure: {
            sentence?: string;
            reason?: string;
            targetGroupId?: string;
        };
        FieldChange: {
            field: string;
            /** @description As the API answers it; null where there was or is none; up to 2,000 characters */
            from: (string | number | boolean | Record<string, never> | unknown[]) | null;
            /** @description As the API answers it; null where there was or is none; up to 2,000 characters */
            to: (string | number | boolean | Record<string, never> | unknown[]) | null;
        };
        FieldError: shared.FieldError;
        FieldTexts: shared.FieldTexts;
        File: shared.File;
        FilesSummary: {
            /** @description Completed files */
            files: number;
            /** @description Their bytes */
            bytes: number;
            /** @description The bytes of unfinished uploads */
            unfinished: number;
            /** @description `fileQuota`; null: no limit */
            quota: number | null;
        };
        FormField: shared.FormField;
        Groups: {
            groups: components["schemas"]["AdminGroup"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        HandoffRequestedData: shared.HandoffRequestedData;
        /** @description The visitor asked for a person */
        HandoffRequestedEvent: shared.HandoffRequestedEvent;
        Health: {
            troubles: components["schemas"]["Trouble"][];
        };
        HoursException: {
            /**
             * Format: date
             * @example 2026-12-24
             */
            date: string;
            /** @description Empty: closed */
            ranges: components["schemas"]["HoursRange"][];
        };
        HoursRange: {
            /** @example 09:00 */
            from: string;
            /**
             * @description Up to `24:00`. Not later than `from`: on the next day
             * @example 17:00
             */
            to: string;
        };
        IdentitySecret: {
            /** @description Signs the identities of visitors. It is returned only this once */
            identitySecret: string;
            /**
             * Format: date-time
             * @description Until when the old secret is valid
             */
            previousExpiresAt: string;
        };
        InstallationAudit: {
            entries: components["schemas"]["InstallationEntry"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        InstallationEntry: {
            /** @example aud_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["AuditActor"];
            /** @enum {string} */
            action: "organization.created" | "organization.deleted" | "organization.restored" | "organization.copied" | "organization.exported" | "organization.imported" | "organization.removal_began" | "organization.removed" | "operator.created" | "operator.revoked";
            /** @description The id of the organization or the operator */
            target: string;
            /** @description Its name at that time */
            targetName: string | null;
            /** @description Of a deletion `removeAt`; of a removal the number of rows by their kind; of an operator `expiresAt` */
            details: {
                [key: string]: (string | number) | null;
            };
        };
        ListedOrganization: {
            /** @example org_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description The public key of the chat widget */
            widgetKey: string;
            allowedOrigins: string[];
            retentionDays: number | null;
            timeZone: string;
            /** @description When people answer; null: always */
            officeHours: components["schemas"]["OfficeHours"] | null;
            /** @description After how many minutes without input agents are `AWAY`; 0: never */
            awayAfterMinutes: number;
            /** @description After how many seconds agents get a chat whose bots haven't taken the visitor's message; 0: never */
            botSilenceSeconds: number;
            /** @description After how many seconds agents get a chat whose bots haven't answered the visitor; 0: never */
            botReplySeconds: number;
            /** @description After how many seconds without an answer a chat that an agent has counts as late */
            lateAfterSeconds: number;
            mail: components["schemas"]["MailSettings"];
            /** @description Whether the agent who has a chat sees what its visitor is writing */
            typingPreview: boolean;
            /** @description Whether the audit log stores the clients' IP addresses */
            storeAddresses: boolean;
            /** @description Whether all bots may only act in chats that they have; false: as each bot says */
            onlyOwnChats: boolean;
            /** @description Whether visitors may send files */
            visitorUploads: boolean;
            /** @description Bytes of files that may be stored; null: no limit */
            fileQuota: number | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was deleted; only if it is
             */
            deletedAt?: string;
            /**
             * Format: date-time
             * @description When its data is removed; only if it is deleted
             */
            removeAt?: string;
            /** @description Whether it can still be restored; only if it is deleted */
            isRestorable?: boolean;
        };
        Mail: {
            /** @example eml_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            kind: "missed" | "transcript" | "invitation" | "password_reset" | "assigned" | "mentioned" | "test";
            to: string;
            chatId: string | null;
            visitorId: string | null;
            agentId: string | null;
            /** @enum {string} */
            status: "WAITING" | "SENT" | "BOUNCED" | "FAILED" | "LAPSED";
            /** @description What the mail server said last, or why the mail lapsed */
            lastError: string | null;
            /** @description How often the mail server was asked */
            attempts: number;
            /**
             * Format: date-time
             * @description Null unless it is waiting
             */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            sentAt: string | null;
        };
        MailSettings: {
            /** @description The sender's name; null: the organization's */
            fromName: string | null;
            /** @description After how many seconds a visitor gets an e-mail about a missed answer, from 60. 0: never. A new organization: 300 */
            missedAfterSeconds: number;
            /**
             * @description When visitors get a transcript: never, if one is asked for, or also each time a chat ends
             * @enum {string}
             */
            transcript: "NEVER" | "ON_REQUEST" | "ALWAYS";
            /** @description The address of the picture at the top of e-mails; null: none */
            logoUrl: string | null;
            /** @description Whether agents' push notifications have the visitor's name and the beginning of the message */
            pushContent: boolean;
        };
        MailSettingsRequest: {
            /** @description The sender's name; null: the organization's */
            fromName?: string | null;
            /** @description After how many seconds a visitor gets an e-mail about a missed answer, from 60. 0: never. A new organization: 300 */
            missedAfterSeconds?: number;
            /**
             * @description When visitors get a transcript: never, if one is asked for, or also each time a chat ends
             * @enum {string}
             */
            transcript?: "NEVER" | "ON_REQUEST" | "ALWAYS";
            /** @description A PNG, JPEG, or WebP picture of at most 2097152 bytes: as a `data:` URL in base64, or its address, which Parley fetches now. Parley serves it at the address that it answers. Null: none */
            logoUrl?: string | null;
            /** @description Whether agents' push notifications have the visitor's name and the beginning of the message */
            pushContent?: boolean;
        };
        MailSetup: {
            /** @description Whether it sends e-mails: `SMTP_URL`, `MAIL_FROM`, and `PUBLIC_URL` are set */
            isOn: boolean;
            /** @description The address that e-mails come from; null if none are sent */
            from: string | null;
            /** @description Whether answers arrive: `IMAP_URL` or `MAIL_INBOUND_TOKEN` is set */
            takesReplies: boolean;
        };
        Mails: {
            mails: components["schemas"]["Mail"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        MergeTagRequest: {
            /**
             * @description The tag that the chats get
             * @example tag_01h455vb4pex5vsknk084sn02q
             */
            into: string;
        };
        Message: shared.Message;
        MessageCreatedData: shared.MessageCreatedData;
        /** @description A message was stored, from any sender */
        MessageCreatedEvent: shared.MessageCreatedEvent;
        MessageRatedData: shared.MessageRatedData;
        /** @description The visitor rated a message of a bot, or changed the rating */
        MessageRatedEvent: shared.MessageRatedEvent;
        MessageRating: shared.MessageRating;
        Named: shared.Named;
        NewAccessToken: {
            /** @example tok_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            /** @description The last characters of the token */
            lastFour: string;
            /** @description Null: everything besides `search` and `search:all` */
            scopes: ("read" | "write" | "handover" | "search" | "search:all")[] | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Exact to some seconds
             */
            lastUsedAt: string | null;
            /** @description The token. It is returned only this once */
            token: string;
        };
        NewChat: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            status: "QUEUED" | "ACTIVE" | "CLOSED" | "ARCHIVED";
            /** @enum {string} */
            channel: "WIDGET";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastMessageAt: string | null;
            /**
             * Format: date-time
             * @description The first message of a bot or agent
             */
            firstResponseAt: string | null;
            /** @description The highest `seq` of its messages */
            messageCount: number;
            /** @description What the page said when the chat was created. It is never verified */
            metadata: {
                [key: string]: unknown;
            };
            visitor: components["schemas"]["ChatVisitor"];
            group: components["schemas"]["ChatGroup"];
            /**
             * @description Who is expected to answer
             * @enum {string}
             */
            owner: "BOT" | "QUEUE" | "AGENT" | "NOBODY";
            /** @description The agent who has it */
            assignedTo: components["schemas"]["Named"] | null;
            /** @description The tags of the chat, by name. Visitors never see them */
            tags: string[];
            /**
             * @description What bots, agents, and administrators know of the chat. The visitor never sees it
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** @description What a bot or an agent calls the chat */
            title: string | null;
            /** @description Up to 5 latest, oldest first */
            messages: components["schemas"]["Message"][];
            /** @description What the visitor read before the first word of an AI; null if none wrote, or the widget did not begin the chat */
            aiDisclosure: components["schemas"]["ShownDisclosure"] | null;
            /** @description Opens the chat as its visitor */
            visitorToken: string;
        };
        NewOperator: {
            /** @description The last characters of the token */
            lastFour: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Exact to some seconds
             */
            lastUsedAt: string | null;
            /** @example opr_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description The token. It is returned only this once */
            token: string;
        };
        NewOrganization: {
            /** @example org_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description The public key of the chat widget */
            widgetKey: string;
            allowedOrigins: string[];
            retentionDays: number | null;
            timeZone: string;
            /** @description When people answer; null: always */
            officeHours: components["schemas"]["OfficeHours"] | null;
            /** @description After how many minutes without input agents are `AWAY`; 0: never */
            awayAfterMinutes: number;
            /** @description After how many seconds agents get a chat whose bots haven't taken the visitor's message; 0: never */
            botSilenceSeconds: number;
            /** @description After how many seconds agents get a chat whose bots haven't answered the visitor; 0: never */
            botReplySeconds: number;
            /** @description After how many seconds without an answer a chat that an agent has counts as late */
            lateAfterSeconds: number;
            mail: components["schemas"]["MailSettings"];
            /** @description Whether the agent who has a chat sees what its visitor is writing */
            typingPreview: boolean;
            /** @description Whether the audit log stores the clients' IP addresses */
            storeAddresses: boolean;
            /** @description Whether all bots may only act in chats that they have; false: as each bot says */
            onlyOwnChats: boolean;
            /** @description Whether visitors may send files */
            visitorUploads: boolean;
            /** @description Bytes of files that may be stored; null: no limit */
            fileQuota: number | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Signs the identities of visitors. It is returned only this once */
            identitySecret: string;
        };
        NewVisitorRequest: {
            name?: string;
            email?: string;
        };
        NewWebhook: {
            /** @example whk_01h455vb4pex5vsknk084sn02q */
            id: string;
            url: string;
            events: ("message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested")[];
            senderTypes: ("VISITOR" | "BOT" | "AGENT" | "SYSTEM")[];
            isEnabled: boolean;
            /** @description Why the service disabled it */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description Until when events are signed with the secret before, too
             */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Signs the events. It is returned only this once */
            secret: string;
        };
        Node: {
            id: string;
            /** @description The version of Parley */
            version: string;
            /** @description The commit that it was built from; `unknown` if the build did not know it */
            commit: string;
            /** @description Whether it stores in the same database as the node that answers */
            usesSameDatabase: boolean;
            /** @description Whether it has the same `SECRET_KEY` as the node that answers */
            usesSameKey: boolean;
        };
        Nodes: {
            /** @description The node that answers */
            self: components["schemas"]["Node"];
            /** @description The nodes on the same Redis that described themselves in the last 15 s */
            others: components["schemas"]["Node"][];
        };
        OfficeHours: {
            /**
             * @description The IANA time zone of all times
             * @example Europe/Berlin
             */
            timeZone: string;
            /** @description The ranges that begin on each day */
            week: {
                monday: components["schemas"]["HoursRange"][];
                tuesday: components["schemas"]["HoursRange"][];
                wednesday: components["schemas"]["HoursRange"][];
                thursday: components["schemas"]["HoursRange"][];
                friday: components["schemas"]["HoursRange"][];
                saturday: components["schemas"]["HoursRange"][];
                sunday: components["schemas"]["HoursRange"][];
            };
            /** @description What holds on a date instead of its weekday */
            exceptions: components["schemas"]["HoursException"][];
        };
        OfficeHoursRequest: {
            /** @example Europe/Berlin */
            timeZone: string;
            /** @description The ranges that begin on each day; an omitted day is closed */
            week: {
                monday?: components["schemas"]["HoursRange"][];
                tuesday?: components["schemas"]["HoursRange"][];
                wednesday?: components["schemas"]["HoursRange"][];
                thursday?: components["schemas"]["HoursRange"][];
                friday?: components["schemas"]["HoursRange"][];
                saturday?: components["schemas"]["HoursRange"][];
                sunday?: components["schemas"]["HoursRange"][];
            };
            exceptions?: components["schemas"]["HoursException"][];
        };
        Operator: {
            /** @description The last characters of the token */
            lastFour: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Exact to some seconds
             */
            lastUsedAt: string | null;
            /** @example opr_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
        };
        Operators: {
            operators: components["schemas"]["Operator"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Organization: {
            /** @example org_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description The public key of the chat widget */
            widgetKey: string;
            allowedOrigins: string[];
            retentionDays: number | null;
            timeZone: string;
            /** @description When people answer; null: always */
            officeHours: components["schemas"]["OfficeHours"] | null;
            /** @description After how many minutes without input agents are `AWAY`; 0: never */
            awayAfterMinutes: number;
            /** @description After how many seconds agents get a chat whose bots haven't taken the visitor's message; 0: never */
            botSilenceSeconds: number;
            /** @description After how many seconds agents get a chat whose bots haven't answered the visitor; 0: never */
            botReplySeconds: number;
            /** @description After how many seconds without an answer a chat that an agent has counts as late */
            lateAfterSeconds: number;
            mail: components["schemas"]["MailSettings"];
            /** @description Whether the agent who has a chat sees what its visitor is writing */
            typingPreview: boolean;
            /** @description Whether the audit log stores the clients' IP addresses */
            storeAddresses: boolean;
            /** @description Whether all bots may only act in chats that they have; false: as each bot says */
            onlyOwnChats: boolean;
            /** @description Whether visitors may send files */
            visitorUploads: boolean;
            /** @description Bytes of files that may be stored; null: no limit */
            fileQuota: number | null;
            /** Format: date-time */
            createdAt: string;
        };
        Organizations: {
            organizations: components["schemas"]["ListedOrganization"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        PictureRequest: {
            /**
             * Format: byte
             * @description A PNG or a WebP picture in base64: at most 65536 bytes, and 512 by 512 pixels
             */
            content: string;
        };
        Pictures: {
            /** @description Of the button; null: none */
            launcher: string | null;
            /** @description Of bots; null: none */
            bot: string | null;
        };
        Ping: {
            /** @description The status of the answer; null without an answer */
            status: number | null;
            durationMs: number;
            error: string | null;
        };
        PingData: shared.PingData;
        /** @description An administrator tested the webhook */
        PingEvent: shared.PingEvent;
        PreviewConnectionRequest: {
            /** @description The chat whose next request is shown */
            chatId: string;
        };
        ProactiveMessage: shared.ProactiveMessage;
        Problem: shared.Problem;
        PutConnection: {
            /** @enum {string} */
            kind: "agui" | "openai" | "dify" | "n8n" | "script";
            /** @description A query is shown as `?***` */
            url?: string;
            /** @description Whether it has a key */
            hasKey: boolean;
            /** @description The names of its headers */
            headerNames: string[];
            isEnabled: boolean;
            /** @enum {string} */
            onNewMessage: "collect" | "queue" | "interrupt";
            collectFor: number;
            history?: number;
            share?: ("groups" | "page" | "visitor" | "notes" | "files")[];
            tools?: ("hand_over" | "offer_choices" | "set_tags" | "close_chat")[];
            tries?: number;
            failure: components["schemas"]["Failure"] | null;
            targetGroupId: string | null;
            showSteps?: boolean;
            maxRuns?: number;
            dailyTokens?: number | null;
            /** @enum {string} */
            protocol?: "0" | "1";
            /** @enum {string} */
            resumeHistory?: "full" | "none";
            instructions?: string | null;
            model?: string | null;
            temperature?: number | null;
            includeUsage?: boolean;
            body?: {
                [key: string]: unknown;
            };
            inputs?: {
                [key: string]: unknown;
            };
            /** @description Null: the built-in script */
            script?: components["schemas"]["Script"] | null;
            /** Format: date-time */
            createdAt: string;
            health: components["schemas"]["ConnectionHealth"];
            /** @description What signs its requests. Shown once, if it is new */
            secret?: string;
        };
        PutConnectionRequest: {
            /** @description Sent as `Authorization: Bearer`. It's never returned. Omitted: it stays; an empty text removes it */
            key?: string;
            /** @description Sent with each request: at most 20, and 16384 bytes. They're never returned. Omitted: they stay; `{}` removes them */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description What a message during a turn does. Default: `collect`
             * @enum {string|null}
             */
            onNewMessage?: "collect" | "queue" | "interrupt" | null;
            /** @description Milliseconds after the newest message. Default: 800 */
            collectFor?: number | null;
            /** @description `agui`, `openai`, `n8n`: the most messages that a request has. Default: 100 */
            history?: number | null;
            /** @description What the endpoint gets besides the conversation. Default: `["groups", "page"]` */
            share?: ("groups" | "page" | "visitor" | "notes" | "files")[] | null;
            /** @description `agui`, `openai`: which of Parley's tools are offered; `[]` for models without tools. Default: all */
            tools?: ("hand_over" | "offer_choices" | "set_tags" | "close_chat")[] | null;
            /** @description The most runs of a step. Default: 3; `dify`, `n8n`: 1 */
            tries?: number | null;
            /** @description What happens if a turn fails. Default: the chat goes to the default group */
            failure?: {
                /** @description What the visitor reads */
                sentence?: string;
                /** @description The reason of the hand-over */
                reason?: string;
                /** @description The group that gets the chat */
                targetGroupId?: string;
            } | null;
            /** @description Where other hand-overs without a group go. Default: the default group */
            targetGroupId?: string | null;
            /** @description False pauses it. Default: true */
            isEnabled?: boolean;
            /** @description Whether visitors see the names of tools while they run. Default: true */
            showSteps?: boolean | null;
            /** @description The most concurrent runs. Default: 100 */
            maxRuns?: number | null;
            /** @description `openai`: the instructions of the model */
            instructions?: string | null;
            /** @description `openai`: the temperature of the model. Default: what the endpoint has */
            temperature?: number | null;
            /** @description `openai`: whether the stream is asked for its usage. Default: true */
            includeUsage?: boolean | null;
            /** @description `openai`: added to each request, at most 4096 bytes. Not messages, model, stream, stream_options, tools, n */
            body?: {
                [key: string]: unknown;
            } | null;
            /** @description Tokens a day, in UTC; then agents get the chats. Default: no limit */
            dailyTokens?: number | null;
            /**
             * @description `agui`: `0` for endpoints from before 1.0. Default: `1`
             * @enum {string|null}
             */
            protocol?: "0" | "1" | null;
            /**
             * @description `agui`: the history that a run with answers to questions has. Default: `full`
             * @enum {string|null}
             */
            resumeHistory?: "full" | "none" | null;
            /** @description `dify`: the variables of the app, at most 4096 bytes */
            inputs?: {
                [key: string]: unknown;
            } | null;
            /** @description `script`: what the bot says. Default: the built-in script, in the language of the chat */
            script?: components["schemas"]["Script"] | null;
            /** @description `openai`: the name of the model. Required */
            model?: string | null;
            /**
             * @description The wire that the endpoint speaks; `script`: no endpoint, but a script answers
             * @enum {string}
             */
            kind: "agui" | "openai" | "dify" | "n8n" | "script";
            /**
             * @description Required for all kinds but `script`. `openai`, `dify`: the base of the API, such as `https://api.example/v1`. `n8n`: the address of the Chat Trigger. `agui`: the address of the agent. A query counts as a secret
             * @example https://api.example/v1
             */
            url?: string;
        };
        Queue: shared.Queue;
        RatedMessage: shared.RatedMessage;
        Rating: shared.Rating;
        ReadMarks: shared.ReadMarks;
        RedeliverRequest: {
            /** Format: date-time */
            since: string;
        };
        Redeliveries: {
            count: number;
        };
        ReplyTo: shared.ReplyTo;
        Resealed: {
            /** @description How many secrets it encrypted with `SECRET_KEY` */
            resealed: number;
            /** @description How many secrets neither key opens; they stay as they are */
            unreadable: number;
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Run: {
            /** @example run_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description The first, or one for each round of tool answers */
            step: number;
            try: number;
            /**
             * @description Null while it is running
             * @enum {string|null}
             */
            outcome: "DONE" | "FAILED" | "ABORTED" | "CANCELLED" | "INTERRUPTED" | "GIVEN_BACK" | "LOST" | null;
            /** @enum {string|null} */
            code: "unreachable" | "timeout" | "truncated" | "status" | "endpoint_error" | "protocol" | "empty" | "refused_address" | "redirect" | "content_type" | "too_large" | "filtered" | "unsupported" | "busy" | "limit" | "budget" | null;
            /** @description At most 300 characters, without secrets */
            detail: string | null;
            httpStatus: number | null;
            protocolVersion: string | null;
            /** Format: date-time */
            startedAt: string;
            durationMs: number | null;
            firstTokenMs: number | null;
            /** @description The size of the answer */
            bytes: number | null;
            /** @description As the endpoint reports it */
            usage: components["schemas"]["Usage"] | null;
            warnings: string[];
        };
        Script: {
            steps: components["schemas"]["ScriptStep"][];
            fallback?: components["schemas"]["ScriptFallback"];
        };
        ScriptChoice: {
            /** @description What the button says */
            label: string;
            next: components["schemas"]["ScriptNext"];
        };
        ScriptFallback: {
            /** @description Default: a sentence in the chat's language */
            text?: string;
            /** @description The miss that hands the chat over. Default: 2 */
            misses?: number;
            /** @description The group that gets the chat then */
            groupId?: string;
        };
        ScriptNext: {
            /**
             * @description Goes to a step, hands the chat over, or closes it
             * @enum {string}
             */
            action: "step" | "hand_over" | "close";
            /** @description `step`: the id of the step */
            step?: string;
            /** @description `hand_over`: the group. Default: the connection's `targetGroupId` */
            groupId?: string;
        };
        ScriptStep: {
            /**
             * @description Letters, digits, `_`, and `-`
             * @example hours
             */
            id: string;
            /** @description Markdown */
            text: string;
            choices?: components["schemas"]["ScriptChoice"][];
            /**
             * @description What the visitor types: any text, their name, or their e-mail address
             * @enum {string}
             */
            ask?: "text" | "name" | "email";
            /** @description What follows without a choice */
            next?: components["schemas"]["ScriptNext"];
            /** @description Words that lead here, each with 1 to 50 characters */
            keywords?: string[];
        };
        SearchIndex: {
            /** @description Whether nodes are listing all chats for the index. Changes are found all the same */
            isRebuilding: boolean;
        };
        Sender: shared.Sender;
        SentDelivery: {
            /** @example dlv_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description The same for every webhook that gets the event */
            eventId: string;
            /** @enum {string} */
            type: "message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested";
            /** @description Null for `visitor.updated` */
            chatId: string | null;
            /** @description The visitor of `visitor.updated`; otherwise null */
            visitorId: string | null;
            /** @enum {string} */
            status: "pending" | "in_flight" | "delivered" | "dead";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null unless it is pending
             */
            nextAttemptAt: string | null;
            attempts: components["schemas"]["Attempt"][];
            /** @description The body that is sent */
            payload: string;
        };
        SetAttributeKeysRequest: {
            /**
             * @description All attribute keys that filters of chats can use. The same key twice counts once
             * @example [
             *       "plan",
             *       "order"
             *     ]
             */
            keys: string[];
        };
        Setup: {
            /** @description The last page that loaded the widget */
            widget: components["schemas"]["WidgetSighting"] | null;
            /** @description Whether there is more than one enabled agent */
            hasInvited: boolean;
            /** @description Whether more than one of them has signed in */
            hasColleague: boolean;
            /**
             * Format: date-time
             * @description When a bot used its token, or a connected one answered, last
             */
            botUsedAt: string | null;
            /** @description Whether an agent has written to a visitor */
            hasAnswered: boolean;
        };
        ShownDisclosure: {
            text: string;
            /** @description The BCP 47 tag of the widget's language */
            locale: string;
            /** @description The first message of an AI, before which it was shown */
            seq: number;
        };
        SignInLink: {
            /** @example lnk_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description Works once. It is returned only now */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Tag: {
            name: string;
            /**
             * @description `#rrggbb`; null: none
             * @example #4353ff
             */
            color: string | null;
            /** @description How many chats have it, up to 1,000 */
            chats: number;
            /** @example tag_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description The names that it had, or merged tags have had; the newest first */
            formerNames: string[];
        };
        Tags: {
            tags: components["schemas"]["Tag"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        TestConnectionRequest: {
            /** @description What the visitor says. Default: `Hello` */
            message?: string;
            /** @description Tried without being saved, with the saved secrets as for PUT. Omitted: the saved connection */
            connection?: components["schemas"]["PutConnectionRequest"];
        };
        TestError: {
            /** @enum {string} */
            code: "unreachable" | "timeout" | "truncated" | "status" | "endpoint_error" | "protocol" | "empty" | "refused_address" | "redirect" | "content_type" | "too_large" | "filtered" | "unsupported" | "busy" | "limit" | "budget";
            /** @description At most 300 characters, without secrets */
            detail: string;
        };
        TestMailRequest: {
            /** Format: email */
            to: string;
        };
        Translation: shared.Translation;
        Trouble: {
            /** @enum {string} */
            kind: "webhook_failing" | "webhook_disabled" | "bot_silent" | "connection_failing" | "connection_paused" | "nobody_online" | "mail_failing" | "mail_to_check";
            /** @description Of the webhook, bot, or group, or of the chat whose e-mail waits for the longest time; null for e-mails that fail, and for chats that any bot could take */
            id: string | null;
            /** @description The webhook’s URL, or the name of the bot or group */
            name: string | null;
            /**
             * Format: date-time
             * @description When it began, as far as it’s known
             */
            since: string | null;
            /** @description Deliveries that were given up, chats without an answer, turns that failed in a row, waiting chats, e-mails, or chats with an e-mail to check; at most 1,000 */
            count: number | null;
        };
        Turn: {
            /** @example trn_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description Null: the chat was erased */
            chatId: string | null;
            /** @enum {string} */
            status: "WAITING" | "RUNNING" | "DONE" | "HANDED_OVER" | "INTERRUPTED" | "CANCELLED" | "ABORTED" | "FAILED";
            /**
             * @description Why it has failed
             * @enum {string|null}
             */
            code: "unreachable" | "timeout" | "truncated" | "status" | "endpoint_error" | "protocol" | "empty" | "refused_address" | "redirect" | "content_type" | "too_large" | "filtered" | "unsupported" | "busy" | "limit" | "budget" | null;
            /** @description The first of the visitor's messages that it answers */
            firstSeq: number;
            /** @description The last one */
            lastSeq: number;
            /** @description The messages that it has stored */
            messageIds: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
            /** @description Milliseconds from its beginning to the first token */
            firstTokenMs: number | null;
            /** @description As the endpoint reports it */
            usage: components["schemas"]["Usage"] | null;
            runs: components["schemas"]["Run"][];
        };
        Turns: {
            /** @description Newest first */
            turns: components["schemas"]["Turn"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        UpdateAgentRequest: {
            groupIds?: string[];
            /**
             * @description A new agent: `AGENT`
             * @enum {string}
             */
            role?: "AGENT" | "SUPERVISOR" | "ADMIN";
            /** @description The most chats that routing assigns. A new agent: 6 */
            capacity?: number;
            isEnabled?: boolean;
            /** @description A PNG, JPEG, or WebP picture of at most 2097152 bytes: as a `data:` URL in base64, or its address, which Parley fetches now. Parley serves it at the address that it answers. Null: none */
            avatarUrl?: string | null;
            name?: string;
            /** Format: email */
            email?: string;
        };
        UpdateBotRequest: {
            /** @description Whether the bot may only act in chats that it has. A new bot: false */
            onlyOwnChats?: boolean;
            /** @description Whether it's an AI, which visitors read before its first word. A new bot, and one with a connection: true */
            isAi?: boolean;
            name?: string;
        };
        UpdateChatRequest: {
            /** @enum {string} */
            status: "QUEUED" | "ACTIVE" | "CLOSED" | "ARCHIVED";
            /**
             * @description What is known of the chat, merged by key; null removes a key. At most 50 keys like `^[a-zA-Z0-9_.-]{1,64}$`, and 4096 bytes as JSON
             * @example {
             *       "plan": "gold",
             *       "seats": 5,
             *       "trial": null
             *     }
             */
            attributes?: {
                [key: string]: (string | number | boolean) | null;
            };
        };
        UpdateConnectionRequest: {
            /** @description Sent as `Authorization: Bearer`. It's never returned. Omitted: it stays; an empty text removes it */
            key?: string;
            /** @description Sent with each request: at most 20, and 16384 bytes. They're never returned. Omitted: they stay; `{}` removes them */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description What a message during a turn does. Default: `collect`
             * @enum {string|null}
             */
            onNewMessage?: "collect" | "queue" | "interrupt" | null;
            /** @description Milliseconds after the newest message. Default: 800 */
            collectFor?: number | null;
            /** @description `agui`, `openai`, `n8n`: the most messages that a request has. Default: 100 */
            history?: number | null;
            /** @description What the endpoint gets besides the conversation. Default: `["groups", "page"]` */
            share?: ("groups" | "page" | "visitor" | "notes" | "files")[] | null;
            /** @description `agui`, `openai`: which of Parley's tools are offered; `[]` for models without tools. Default: all */
            tools?: ("hand_over" | "offer_choices" | "set_tags" | "close_chat")[] | null;
            /** @description The most runs of a step. Default: 3; `dify`, `n8n`: 1 */
            tries?: number | null;
            /** @description What happens if a turn fails. Default: the chat goes to the default group */
            failure?: {
                /** @description What the visitor reads */
                sentence?: string;
                /** @description The reason of the hand-over */
                reason?: string;
                /** @description The group that gets the chat */
                targetGroupId?: string;
            } | null;
            /** @description Where other hand-overs without a group go. Default: the default group */
            targetGroupId?: string | null;
            /** @description False pauses it. Default: true */
            isEnabled?: boolean;
            /** @description Whether visitors see the names of tools while they run. Default: true */
            showSteps?: boolean | null;
            /** @description The most concurrent runs. Default: 100 */
            maxRuns?: number | null;
            /** @description `openai`: the instructions of the model */
            instructions?: string | null;
            /** @description `openai`: the temperature of the model. Default: what the endpoint has */
            temperature?: number | null;
            /** @description `openai`: whether the stream is asked for its usage. Default: true */
            includeUsage?: boolean | null;
            /** @description `openai`: added to each request, at most 4096 bytes. Not messages, model, stream, stream_options, tools, n */
            body?: {
                [key: string]: unknown;
            } | null;
            /** @description Tokens a day, in UTC; then agents get the chats. Default: no limit */
            dailyTokens?: number | null;
            /**
             * @description `agui`: `0` for endpoints from before 1.0. Default: `1`
             * @enum {string|null}
             */
            protocol?: "0" | "1" | null;
            /**
             * @description `agui`: the history that a run with answers to questions has. Default: `full`
             * @enum {string|null}
             */
            resumeHistory?: "full" | "none" | null;
            /** @description `dify`: the variables of the app, at most 4096 bytes */
            inputs?: {
                [key: string]: unknown;
            } | null;
            /** @description `script`: what the bot says. Default: the built-in script, in the language of the chat */
            script?: components["schemas"]["Script"] | null;
            /** @description `openai`: the name of the model. Required */
            model?: string | null;
            /** @description `openai`, `dify`: the base of the API, such as `https://api.example/v1`. `n8n`: the address of the Chat Trigger. `agui`: the address of the agent. A query counts as a secret */
            url?: string;
        };
        UpdateGroupRequest: {
            /**
             * @description `MANUAL`: every agent of the group sees its chats, and the first claim has one. `OFFER`: one agent after the other is asked. `AUTOMATIC`: chats are assigned. A new group: `MANUAL`
             * @enum {string}
             */
            routing?: "MANUAL" | "OFFER" | "AUTOMATIC";
            /** @description Until an offer expires. A new group: 30 */
            offerSeconds?: number;
            /** @description The most pending offers of an agent. Offers from other groups count too. A new group: 2 */
            maxPendingOffers?: number;
            /** @description After so long, a waiting chat is unanswered; 0: never. A new group: 180 */
            maxWaitSeconds?: number;
            /**
             * @description `KEEP`: it keeps waiting. `RETURN_TO_BOT`: the bots get it, if there are any. A new group: `KEEP`
             * @enum {string}
             */
            onUnanswered?: "KEEP" | "RETURN_TO_BOT";
            /** @description After so long offline, the chats of an agent wait again; 0: never. A new group: 120 */
            offlineReassignSeconds?: number;
            /** @description When its agents answer; null: as the organization says */
            officeHours?: components["schemas"]["OfficeHoursRequest"] | null;
            /**
             * @description The only bot that gets the group's chats. Null: every bot does
             * @example bot_01h455vb4pex5vsknk084sn02q
             */
            botId?: string | null;
            name?: string;
            isDefault?: boolean;
        };
        UpdateOrganizationRequest: {
            /** @description Empty: any */
            allowedOrigins?: string[];
            retentionDays?: number | null;
            /** @description Whether the agent who has a chat sees what its visitor is writing; omitted: false */
            typingPreview?: boolean;
            /** @description Whether the audit log stores the clients' IP addresses; false also removes the stored ones; omitted: true */
            storeAddresses?: boolean;
            /** @description Whether all bots may only act in chats that they have; false: as each bot says */
            onlyOwnChats?: boolean;
            /** @description Whether visitors may send files; omitted: false */
            visitorUploads?: boolean;
            /** @description Bytes of files that may be stored; null: no limit; omitted: 10 GB */
            fileQuota?: number | null;
            name?: string;
            /** @example Europe/Berlin */
            timeZone?: string;
            /** @description After how many minutes without input agents get no chats (`AWAY`); 0: never */
            awayAfterMinutes?: number;
            /** @description After how many seconds agents get a chat whose bots haven't taken the visitor's message; 0: never */
            botSilenceSeconds?: number;
            /** @description After how many seconds agents get a chat whose bots haven't answered the visitor; 0: never */
            botReplySeconds?: number;
            /** @description After how many seconds without an answer a chat that an agent has counts as late */
            lateAfterSeconds?: number;
            /** @description When people answer, in groups without hours of their own; null: always */
            officeHours?: components["schemas"]["OfficeHoursRequest"] | null;
            /** @description Omitted fields stay as they are */
            mail?: components["schemas"]["MailSettingsRequest"];
        };
        UpdateTagRequest: {
            name?: string;
            /**
             * @description `#rrggbb`; null: none
             * @example #4353ff
             */
            color?: string | null;
        };
        UpdateWebhookRequest: {
            events?: ("message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested")[];
            senderTypes?: ("VISITOR" | "BOT" | "AGENT" | "SYSTEM")[];
            isEnabled?: boolean;
            url?: string;
        };
        UpdateWidgetRequest: {
            /** @description What the header says; null: the name of the organization */
            name?: string | null;
            /** @description Shown before the visitor’s first word */
            greeting?: string | null;
            /** @description After so many seconds on a page the greeting is shown beside the closed button; null: it is not */
            greetingAfterSeconds?: number | null;
            /** @description It is shown so only on pages whose path begins with one of these; empty: on all */
            greetingPaths?: string[] | null;
            /** @description Messages beside the closed button: the first one whose rules hold, up to 10, and 20,000 bytes of JSON. Each has an id of its own */
            proactiveMessages?: components["schemas"]["ProactiveMessage"][] | null;
            /** @description The main color of the widget */
            color?: string | null;
            /** @description Text on that color; null: black or white */
            colorText?: string | null;
            /** @enum {string|null} */
            theme?: "auto" | "light" | "dark" | null;
            /**
             * @description The corner; null: where lines end in the language
             * @enum {string|null}
             */
            position?: "left" | "right" | null;
            /**
             * @description The closed button's icon; null: a speech bubble
             * @enum {string|null}
             */
            launcherIcon?: "question" | "headset" | "smile" | "sparkles" | null;
            /** @description A BCP 47 tag; null: of the page or the browser */
            locale?: string | null;
            /** @description Whether a message may make a sound; null: true */
            sound?: boolean | null;
            /** @description The page that says what happens with what visitors write */
            privacyUrl?: string | null;
            /** @description Shown with that link before the first message */
            consent?: string | null;
            /**
             * @description Asked before the first message; null: not asked
             * @enum {string|null}
             */
            askName?: "optional" | "required" | null;
            /**
             * @description Asked before the first message; null: not asked
             * @enum {string|null}
             */
            askEmail?: "optional" | "required" | null;
            /** @description Asked before the first message of a chat, for its metadata: at most 6 fields and 10,000 bytes of JSON. A key is none of url, title, referrer, language, timeZone, screen, proactiveMessage */
            formFields?: components["schemas"]["FormField"][] | null;
            officeHours?: string | null;
            /** @description First questions that a visitor may ask with a click */
            questions?: string[] | null;
            /** @description Greeting, consent, questions, form fields, the disclosure of an AI, and proactive messages in other languages, by BCP 47 tag: up to 20, and 20,000 bytes of JSON. What is absent is said as without a language */
            translations?: {
                [key: string]: components["schemas"]["Translation"];
            } | null;
            /** @description Whether visitors are asked to rate a chat that has ended; null: false */
            rating?: boolean | null;
            /** @description Whether visitors can rate each message of a bot, thumbs up or down; null: false */
            messageRating?: boolean | null;
            /** @description Visitors may ask for a person after so many messages of bots; 0: always; null: never */
            personAfter?: number | null;
            /** @description Whether chats and messages contain the visitor’s page, language, time zone, and screen size; null: false */
            pageContext?: boolean | null;
            /** @description The domain whose subdomains share a visitor's session, by a cookie; null: each site has its own */
            cookieDomain?: string | null;
            /** @description What visitors read before the first word of an AI: `text`, up to 200 characters. Null, or without `text`: Parley's own words, in each of its languages */
            aiDisclosure?: components["schemas"]["AiDisclosureText"] | null;
        };
        Usage: {
            inputTokens?: number;
            outputTokens?: number;
            cachedInputTokens?: number;
            reasoningTokens?: number;
        };
        UsageDay: {
            /** Format: date */
            day: string;
            /** @description How many turns ended */
            turns: number;
            failed: number;
            /** @description Without the failed ones */
            handedOver: number;
            inputTokens: number;
            outputTokens: number;
        };
        VisitorDetail: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description The id that your own server signed */
            externalId: string | null;
            name: string | null;
            email: string | null;
            /** @description Whether `name` and `email` came with an identity that your own server signed */
            isVerified: boolean;
            /** @description What the page says. It is never verified */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description What bots, agents, and administrators know of the visitor
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /**
             * @description What the identity that your own server signed says of the visitor
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            verifiedAttributes: {
                [key: string]: string | number | boolean;
            };
            /** Format: date-time */
            createdAt: string;
            /**
             * @description What e-mails to the address meet: they are sent, they came back, or the visitor unsubscribed. Null without an address
             * @enum {string|null}
             */
            mailStatus: "ACTIVE" | "BOUNCED" | "UNSUBSCRIBED" | null;
        };
        VisitorExport: {
            visitor: components["schemas"]["VisitorDetail"];
            /** @description Null: the visitor is not blocked */
            block: components["schemas"]["ExportedBlock"] | null;
            chats: components["schemas"]["ExportedChat"][];
        };
        VisitorUpdatedData: shared.VisitorUpdatedData;
        /** @description Attributes of a visitor changed */
        VisitorUpdatedEvent: shared.VisitorUpdatedEvent;
        Visitors: {
            visitors: components["schemas"]["VisitorDetail"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Webhook: {
            /** @example whk_01h455vb4pex5vsknk084sn02q */
            id: string;
            url: string;
            events: ("message.created" | "chat.created" | "chat.transferred" | "chat.assigned" | "chat.unassigned" | "chat.returned" | "chat.unanswered" | "chat.reopened" | "chat.closed" | "chat.rated" | "chat.tagged" | "chat.updated" | "visitor.updated" | "message.rated" | "handoff.requested")[];
            senderTypes: ("VISITOR" | "BOT" | "AGENT" | "SYSTEM")[];
            isEnabled: boolean;
            /** @description Why the service disabled it */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description Until when events are signed with the secret before, too
             */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        WebhookSecret: {
            /** @description Signs the events. It is returned only this once */
            secret: string;
        };
        Webhooks: {
            webhooks: components["schemas"]["Webhook"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Widget: {
            name: string | null;
            greeting: string | null;
            greetingAfterSeconds: number | null;
            greetingPaths: string[];
            proactiveMessages: components["schemas"]["ProactiveMessage"][];
            color: string | null;
            colorText: string | null;
            /** @enum {string|null} */
            theme: "auto" | "light" | "dark" | null;
            /** @enum {string|null} */
            position: "left" | "right" | null;
            /** @enum {string|null} */
            launcherIcon: "question" | "headset" | "smile" | "sparkles" | null;
            locale: string | null;
            sound: boolean;
            privacyUrl: string | null;
            consent: string | null;
            /** @enum {string|null} */
            askName: "optional" | "required" | null;
            /** @enum {string|null} */
            askEmail: "optional" | "required" | null;
            formFields: components["schemas"]["FormField"][];
            officeHours: string | null;
            questions: string[];
            /** @description The texts in other languages, by BCP 47 tag */
            translations: {
                [key: string]: components["schemas"]["Translation"];
            };
            rating: boolean;
            messageRating: boolean;
            personAfter: number | null;
            pageContext: boolean;
            cookieDomain: string | null;
            /** @description What visitors read before the first word of an AI; null: Parley's own words */
            aiDisclosure: components["schemas"]["AiDisclosureText"] | null;
        };
        WidgetSighting: {
            /**
             * Format: date-time
             * @description Exact to about a minute
             */
            seenAt: string;
            /** @example https://example.com */
            origin: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccessToken = components['schemas']['AccessToken'];
export type AccessTokens = components['schemas']['AccessTokens'];
export type Actor = components['schemas']['Actor'];
export type AdminChat = components['schemas']['AdminChat'];
export type AdminGroup = components['schemas']['AdminGroup'];
export type Agent = components['schemas']['Agent'];
export type Agents = components['schemas']['Agents'];
export type AiDisclosureText = components['schemas']['AiDisclosureText'];
export type ArrivedMail = components['schemas']['ArrivedMail'];
export type ArrivedMails = components['schemas']['ArrivedMails'];
export type Assignee = components['schemas']['Assignee'];
export type Attempt = components['schemas']['Attempt'];
export type AttributeKey = components['schemas']['AttributeKey'];
export type AttributeKeys = components['schemas']['AttributeKeys'];
export type Audit = components['schemas']['Audit'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type BlockedVisitor = components['schemas']['BlockedVisitor'];
export type BlockedVisitors = components['schemas']['BlockedVisitors'];
export type Bot = components['schemas']['Bot'];
export type BotEvents = components['schemas']['BotEvents'];
export type BotSubscription = components['schemas']['BotSubscription'];
export type BotUsage = components['schemas']['BotUsage'];
export type Bots = components['schemas']['Bots'];
export type Captcha = components['schemas']['Captcha'];
export type CaptchaRequest = components['schemas']['CaptchaRequest'];
export type CaptchaSetting = components['schemas']['CaptchaSetting'];
export type ChangeVisitorRequest = components['schemas']['ChangeVisitorRequest'];
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
export type Connection = components['schemas']['Connection'];
export type ConnectionFailure = components['schemas']['ConnectionFailure'];
export type ConnectionHealth = components['schemas']['ConnectionHealth'];
export type ConnectionPreview = components['schemas']['ConnectionPreview'];
export type ConnectionSecret = components['schemas']['ConnectionSecret'];
export type ConnectionTest = components['schemas']['ConnectionTest'];
export type CreateAccessTokenRequest = components['schemas']['CreateAccessTokenRequest'];
export type CreateAgentRequest = components['schemas']['CreateAgentRequest'];
export type CreateBotRequest = components['schemas']['CreateBotRequest'];
export type CreateChatRequest = components['schemas']['CreateChatRequest'];
export type CreateGroupRequest = components['schemas']['CreateGroupRequest'];
export type CreateOperatorRequest = components['schemas']['CreateOperatorRequest'];
export type CreateOrganizationRequest = components['schemas']['CreateOrganizationRequest'];
export type CreateSignInLinkRequest = components['schemas']['CreateSignInLinkRequest'];
export type CreateWebhookRequest = components['schemas']['CreateWebhookRequest'];
export type Deliveries = components['schemas']['Deliveries'];
export type Delivery = components['schemas']['Delivery'];
export type Event = components['schemas']['Event'];
export type EventChat = components['schemas']['EventChat'];
export type ExportedArrivedMail = components['schemas']['ExportedArrivedMail'];
export type ExportedBlock = components['schemas']['ExportedBlock'];
export type ExportedBotNote = components['schemas']['ExportedBotNote'];
export type ExportedBotState = components['schemas']['ExportedBotState'];
export type ExportedChat = components['schemas']['ExportedChat'];
export type ExportedHandoff = components['schemas']['ExportedHandoff'];
export type ExportedMail = components['schemas']['ExportedMail'];
export type ExportedMessage = components['schemas']['ExportedMessage'];
export type ExportedNote = components['schemas']['ExportedNote'];
export type ExportedPersonRequest = components['schemas']['ExportedPersonRequest'];
export type ExportedRating = components['schemas']['ExportedRating'];
export type ExportedTag = components['schemas']['ExportedTag'];
export type ExportedTranscript = components['schemas']['ExportedTranscript'];
export type ExportedTurn = components['schemas']['ExportedTurn'];
export type Failure = components['schemas']['Failure'];
export type FieldChange = components['schemas']['FieldChange'];
export type FieldError = components['schemas']['FieldError'];
export type FieldTexts = components['schemas']['FieldTexts'];
export type File = components['schemas']['File'];
export type FilesSummary = components['schemas']['FilesSummary'];
export type FormField = components['schemas']['FormField'];
export type Groups = components['schemas']['Groups'];
export type HandoffRequestedData = components['schemas']['HandoffRequestedData'];
export type HandoffRequestedEvent = components['schemas']['HandoffRequestedEvent'];
export type Health = components['schemas']['Health'];
export type HoursException = components['schemas']['HoursException'];
export type HoursRange = components['schemas']['HoursRange'];
export type IdentitySecret = components['schemas']['IdentitySecret'];
export type InstallationAudit = components['schemas']['InstallationAudit'];
export type InstallationEntry = components['schemas']['InstallationEntry'];
export type ListedOrganization = components['schemas']['ListedOrganization'];
export type Mail = components['schemas']['Mail'];
export type MailSettings = components['schemas']['MailSettings'];
export type MailSettingsRequest = components['schemas']['MailSettingsRequest'];
export type MailSetup = components['schemas']['MailSetup'];
export type Mails = components['schemas']['Mails'];
export type MergeTagRequest = components['schemas']['MergeTagRequest'];
export type Message = components['schemas']['Message'];
export type MessageCreatedData = components['schemas']['MessageCreatedData'];
export type MessageCreatedEvent = components['schemas']['MessageCreatedEvent'];
export type MessageRatedData = components['schemas']['MessageRatedData'];
export type MessageRatedEvent = components['schemas']['MessageRatedEvent'];
export type MessageRating = components['schemas']['MessageRating'];
export type Named = components['schemas']['Named'];
export type NewAccessToken = components['schemas']['NewAccessToken'];
export type NewChat = components['schemas']['NewChat'];
export type NewOperator = components['schemas']['NewOperator'];
export type NewOrganization = components['schemas']['NewOrganization'];
export type NewVisitorRequest = components['schemas']['NewVisitorRequest'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type Node = components['schemas']['Node'];
export type Nodes = components['schemas']['Nodes'];
export type OfficeHours = components['schemas']['OfficeHours'];
export type OfficeHoursRequest = components['schemas']['OfficeHoursRequest'];
export type Operator = components['schemas']['Operator'];
export type Operators = components['schemas']['Operators'];
export type Organization = components['schemas']['Organization'];
export type Organizations = components['schemas']['Organizations'];
export type PictureRequest = components['schemas']['PictureRequest'];
export type Pictures = components['schemas']['Pictures'];
export type Ping = components['schemas']['Ping'];
export type PingData = components['schemas']['PingData'];
export type PingEvent = components['schemas']['PingEvent'];
export type PreviewConnectionRequest = components['schemas']['PreviewConnectionRequest'];
export type ProactiveMessage = components['schemas']['ProactiveMessage'];
export type Problem = components['schemas']['Problem'];
export type PutConnection = components['schemas']['PutConnection'];
export type PutConnectionRequest = components['schemas']['PutConnectionRequest'];
export type Queue = components['schemas']['Queue'];
export type RatedMessage = components['schemas']['RatedMessage'];
export type Rating = components['schemas']['Rating'];
export type ReadMarks = components['schemas']['ReadMarks'];
export type RedeliverRequest = components['schemas']['RedeliverRequest'];
export type Redeliveries = components['schemas']['Redeliveries'];
export type ReplyTo = components['schemas']['ReplyTo'];
export type Resealed = components['schemas']['Resealed'];
export type Run = components['schemas']['Run'];
export type Script = components['schemas']['Script'];
export type ScriptChoice = components['schemas']['ScriptChoice'];
export type ScriptFallback = components['schemas']['ScriptFallback'];
export type ScriptNext = components['schemas']['ScriptNext'];
export type ScriptStep = components['schemas']['ScriptStep'];
export type SearchIndex = components['schemas']['SearchIndex'];
export type Sender = components['schemas']['Sender'];
export type SentDelivery = components['schemas']['SentDelivery'];
export type SetAttributeKeysRequest = components['schemas']['SetAttributeKeysRequest'];
export type Setup = components['schemas']['Setup'];
export type ShownDisclosure = components['schemas']['ShownDisclosure'];
export type SignInLink = components['schemas']['SignInLink'];
export type Tag = components['schemas']['Tag'];
export type Tags = components['schemas']['Tags'];
export type TestConnectionRequest = components['schemas']['TestConnectionRequest'];
export type TestError = components['schemas']['TestError'];
export type TestMailRequest = components['schemas']['TestMailRequest'];
export type Translation = components['schemas']['Translation'];
export type Trouble = components['schemas']['Trouble'];
export type Turn = components['schemas']['Turn'];
export type Turns = components['schemas']['Turns'];
export type UpdateAgentRequest = components['schemas']['UpdateAgentRequest'];
export type UpdateBotRequest = components['schemas']['UpdateBotRequest'];
export type UpdateChatRequest = components['schemas']['UpdateChatRequest'];
export type UpdateConnectionRequest = components['schemas']['UpdateConnectionRequest'];
export type UpdateGroupRequest = components['schemas']['UpdateGroupRequest'];
export type UpdateOrganizationRequest = components['schemas']['UpdateOrganizationRequest'];
export type UpdateTagRequest = components['schemas']['UpdateTagRequest'];
export type UpdateWebhookRequest = components['schemas']['UpdateWebhookRequest'];
export type UpdateWidgetRequest = components['schemas']['UpdateWidgetRequest'];
export type Usage = components['schemas']['Usage'];
export type UsageDay = components['schemas']['UsageDay'];
export type VisitorDetail = components['schemas']['VisitorDetail'];
export type VisitorExport = components['schemas']['VisitorExport'];
export type VisitorUpdatedData = components['schemas']['VisitorUpdatedData'];
export type VisitorUpdatedEvent = components['schemas']['VisitorUpdatedEvent'];
export type Visitors = components['schemas']['Visitors'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type Webhooks = components['schemas']['Webhooks'];
export type Widget = components['schemas']['Widget'];
export type WidgetSighting = components['schemas']['WidgetSighting'];
