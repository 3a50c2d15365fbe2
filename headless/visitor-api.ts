// Generated from the OpenAPI document of the visitor API by `npm run generate:types`. Do not edit.

export interface components {
    schemas: {
        Assignee: {
            id: string;
            name: string;
            avatarUrl: string | null;
        };
        ChatGroup: {
            id: string;
            name: string;
            /** @description The only bot that gets the group's chats; null: every bot does */
            botId: string | null;
        };
        ChatState: {
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
        };
        ChatVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            email: string | null;
            /** @description Whether `name` and `email` came with an identity that your own server signed */
            isVerified: boolean;
            /** @description The `sub` of the identity that your own server signed; null for an anonymous visitor */
            externalId: string | null;
            /** @description What the page says about the visitor. It is never verified: anyone may have typed it */
            metadata: {
                [key: string]: unknown;
            };
        };
        ClosedChat: {
            chat: components["schemas"]["ChatState"];
        };
        CreateSessionRequest: {
            /** @description The organization's public key, `prl_wk_…` */
            widgetKey: string;
            visitor?: components["schemas"]["VisitorRequest"];
            /** @description A JWT (HS256) that your server signed with the organization's identity secret */
            identity?: string;
            /** @description With `identity` and the token of an anonymous visitor: the signed person takes over its open chats */
            merge?: boolean;
        };
        FieldError: {
            /**
             * @description A JSON Pointer into the body, `?name` for a query field, a header by its name
             * @example /content
             */
            pointer?: string;
            /** @description In place of `pointer`: a query field whose form is right and whose value is not */
            parameter?: string;
            /** @example must have 1 to 5000 characters */
            detail: string;
        };
        GivenMessageRating: {
            rating: components["schemas"]["MessageRating"];
        };
        GivenRating: {
            rating: components["schemas"]["Rating"];
        };
        Message: {
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
            /**
             * Format: date-time
             * @description When the message was deleted. It keeps its `seq`, and its content is empty
             */
            deletedAt?: string;
        };
        MessageRating: {
            /** @example msg_01h455vb4pex5vsknk084sn02q */
            messageId: string;
            /** @description The `seq` of the message */
            seq: number;
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
        MessageRatings: {
            /** @description The newest 200, in the order of the messages */
            ratings: components["schemas"]["MessageRating"][];
        };
        Messages: {
            /** @description Up to `limit` and about 1 MB, at least one */
            messages: components["schemas"]["Message"][];
            /** @description The highest `seq` of the chat */
            latestSeq: number;
            /** @description Whether there are messages after the last of these */
            hasMore: boolean;
        };
        Named: {
            id: string;
            name: string;
        };
        OpenChatRequest: {
            /** @description Omitted: the visitor's open chat, or a new one */
            chatId?: string;
            /** @description Without `chatId`: a new chat beside the open ones, or an open one without a message. At most 20 are open */
            isNew?: boolean;
            /** @description Only messages after this `seq`; omitted: 0 */
            afterSeq?: number;
            /** @description Stored only if this request creates the chat */
            metadata?: {
                [key: string]: unknown;
            };
        };
        OpenedChat: {
            /** @description Up to `limit` and about 1 MB, at least one */
            messages: components["schemas"]["Message"][];
            /** @description The highest `seq` of the chat */
            latestSeq: number;
            /** @description Whether there are messages after the last of these */
            hasMore: boolean;
            chat: components["schemas"]["ChatState"];
            /** @description Whether the agent who has the chat sees what the visitor is writing */
            typingPreview: boolean;
            /** @description Deleted messages, without their content, among the last 200 up to `afterSeq`; at most 100 */
            deleted: components["schemas"]["Message"][];
        };
        PersonRequest: {
            chat: components["schemas"]["ChatState"];
        };
        Problem: {
            /**
             * Format: uri-reference
             * @description The page that explains the code
             * @example https://chat.example/docs/errors#validation_failed
             */
            type: string;
            /**
             * @description What the code means, in a few words
             * @example Invalid field
             */
            title: string;
            /** @example 400 */
            status: number;
            /** @example content must have 1 to 5000 characters */
            detail: string;
            /**
             * @example validation_failed
             * @enum {string}
             */
            code: "unauthorized" | "forbidden" | "validation_failed" | "malformed_json" | "body_too_large" | "not_found" | "conflict" | "precondition_failed" | "unsupported_media_type" | "rate_limited" | "internal_error" | "unavailable" | "already_assigned" | "not_assigned" | "offered" | "agent_unavailable" | "no_bot" | "not_owner" | "nobody_available" | "not_waiting" | "idempotency_key_reused" | "superseded" | "offer_ended" | "too_many" | "wrong_password" | "organization_required" | "offer_over" | "blocked" | "captcha_required" | "not_ended" | "handoff_off" | "rating_off" | "rating_over";
            /** @description The same as the header X-Request-Id */
            requestId: string;
            /** @description One entry per offending field */
            errors?: components["schemas"]["FieldError"][];
            /**
             * @description Who has the chat, when that is why the request was refused
             * @enum {string}
             */
            owner?: "BOT" | "QUEUE" | "AGENT" | "NOBODY";
            /** @description The agent who has the chat */
            assignedTo?: components["schemas"]["Named"] | null;
            /** @description Of `offered`: the agent who was asked */
            offeredTo?: components["schemas"]["Named"] | null;
            /**
             * Format: date-time
             * @description Of `offered`: when the offer expires
             */
            expiresAt?: string;
            /** @description Of `offer_ended`: why it ended */
            reason?: string;
            /** @description Of `precondition_failed` of a bot's state: its version */
            version?: number;
            /**
             * @description Of `nobody_available`
             * @enum {string}
             */
            availability?: "AVAILABLE" | "BUSY" | "OFFLINE";
            /**
             * Format: date-time
             * @description Of `nobody_available`: when the group opens; null while it is open, and if it never opens
             */
            nextOpening?: string | null;
            /** @description Of `organization_required`: where the password is right */
            organizations?: components["schemas"]["Named"][];
        };
        PublicCaptcha: {
            /** @enum {string} */
            provider: "TURNSTILE" | "HCAPTCHA";
            siteKey: string;
        };
        PublicWidget: {
            /** @description What the header says */
            name: string | null;
            greeting: string | null;
            greetingAfterSeconds: number | null;
            greetingPaths: string[];
            color: string | null;
            colorText: string | null;
            /** @enum {string|null} */
            theme: "auto" | "light" | "dark" | null;
            /** @enum {string|null} */
            position: "left" | "right" | null;
            locale: string | null;
            sound: boolean;
            privacyUrl: string | null;
            consent: string | null;
            /** @enum {string|null} */
            askName: "optional" | "required" | null;
            /** @enum {string|null} */
            askEmail: "optional" | "required" | null;
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
            /** @description The default group's office hours; null: always open */
            hours: components["schemas"]["WidgetHours"] | null;
            /** @description What a new visitor solves first */
            captcha: components["schemas"]["PublicCaptcha"] | null;
        };
        Queue: {
            position: number;
            /** @description Null when too few chats were assigned lately to tell */
            estimatedWaitSeconds: number | null;
            /** @description Whether it's within the group's office hours */
            isOpen: boolean;
            /**
             * Format: date-time
             * @description When the group opens; null while it is open, and if it never opens
             */
            nextOpening: string | null;
        };
        RateMessageRequest: {
            /** @enum {string} */
            rating: "UP" | "DOWN";
            /** @description Empty: none */
            comment?: string;
        };
        RateRequest: {
            /** @description 5 is the best */
            score: number;
            /** @description Empty: none */
            comment?: string;
        };
        Rating: {
            /** @description 5 is the best */
            score: number;
            comment: string | null;
            /** Format: date-time */
            ratedAt: string;
            /**
             * Format: date-time
             * @description The last change; null: never
             */
            changedAt: string | null;
        };
        Read: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @description How far your side has read; never less than before */
            seq: number;
        };
        ReadMarks: {
            visitor: number;
            /** @description Bots and agents together */
            organization: number;
        };
        ReadRequest: {
            /** @description At most the highest `seq` of the chat */
            seq: number;
        };
        ReplyTo: {
            messageId: string;
            value: string;
        };
        ReplyToRequest: {
            /** @description A `QUICK_REPLY` or `BUTTON` message in the same chat */
            messageId: string;
            /** @description The `value` of one of its options */
            value: string;
        };
        Sender: {
            /** @enum {string} */
            type: "VISITOR" | "BOT" | "AGENT" | "SYSTEM";
            id: string | null;
            name: string | null;
        };
        SeqHint: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            latestSeq: number;
        };
        SessionVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            email: string | null;
        };
        StoredMessage: {
            message: components["schemas"]["Message"];
        };
        Translation: {
            greeting?: string;
            consent?: string;
            questions?: string[];
        };
        Typing: {
            /** @description Typing ends by itself after 10 s, and with the message */
            isTyping: boolean;
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
        };
        TypingEvent: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            sender: components["schemas"]["Sender"];
            isTyping: boolean;
            /** @description Everything that the sender has written so far */
            text?: string;
            /** @description With `text`: what the bot is doing. The next text without it ends it */
            status?: string;
            /** @description With `text`: the `seq` that the message will follow */
            afterSeq?: number;
            /** @description With `text`: the higher one is newer */
            at?: number;
        };
        TypingRequest: {
            /** @description Typing ends by itself after 10 s, and with the message */
            isTyping: boolean;
            /** @description Everything that you have written so far. It is shown immediately, stored nowhere, and replaced by the message. Empty: clears the text. Omitted: the text stays */
            text?: string;
        };
        VisitorChat: {
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
            /** @description Up to 5 latest, oldest first */
            messages: components["schemas"]["Message"][];
            read: components["schemas"]["ReadMarks"];
        };
        VisitorChats: {
            chats: components["schemas"]["VisitorChat"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        VisitorMessageRequest: {
            /**
             * @description What is said, in Unicode code points
             * @example Hello! How can I help you?
             */
            content: string;
            /**
             * @description Omitted: `TEXT`
             * @enum {string}
             */
            type?: "TEXT" | "IMAGE" | "BUTTON" | "QUICK_REPLY";
            /**
             * @description Arbitrary JSON object, at most 10,240 bytes of `JSON.stringify(metadata)`. A `QUICK_REPLY` needs `options`: a non-empty array of `{label, value}`
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
            /** @description Your id for the message: the same id never stores a second one */
            clientMessageId?: string;
            /** @description The choice that this message takes */
            replyTo?: components["schemas"]["ReplyToRequest"];
        };
        VisitorRequest: {
            name?: string;
            email?: string;
            metadata?: {
                [key: string]: unknown;
            };
            /** @description What the captcha gave the page, for a new visitor of an organization that has one. It is not stored */
            captcha?: string;
        };
        VisitorSession: {
            /** @description A JWT, for `Authorization: Bearer` and for the socket */
            token: string;
            /** Format: date-time */
            expiresAt: string;
            visitor: components["schemas"]["SessionVisitor"];
            /** @description Whether the agent who has a chat sees what the visitor is writing */
            typingPreview: boolean;
        };
        WidgetHours: {
            /**
             * Format: date-time
             * @description When the current or next open time begins
             */
            opensAt: string;
            /**
             * Format: date-time
             * @description When it ends
             */
            closesAt: string;
            /**
             * Format: date-time
             * @description When the one after it begins
             */
            reopensAt: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Assignee = components['schemas']['Assignee'];
export type ChatGroup = components['schemas']['ChatGroup'];
export type ChatState = components['schemas']['ChatState'];
export type ChatVisitor = components['schemas']['ChatVisitor'];
export type ClosedChat = components['schemas']['ClosedChat'];
export type CreateSessionRequest = components['schemas']['CreateSessionRequest'];
export type FieldError = components['schemas']['FieldError'];
export type GivenMessageRating = components['schemas']['GivenMessageRating'];
export type GivenRating = components['schemas']['GivenRating'];
export type Message = components['schemas']['Message'];
export type MessageRating = components['schemas']['MessageRating'];
export type MessageRatings = components['schemas']['MessageRatings'];
export type Messages = components['schemas']['Messages'];
export type Named = components['schemas']['Named'];
export type OpenChatRequest = components['schemas']['OpenChatRequest'];
export type OpenedChat = components['schemas']['OpenedChat'];
export type PersonRequest = components['schemas']['PersonRequest'];
export type Problem = components['schemas']['Problem'];
export type PublicCaptcha = components['schemas']['PublicCaptcha'];
export type PublicWidget = components['schemas']['PublicWidget'];
export type Queue = components['schemas']['Queue'];
export type RateMessageRequest = components['schemas']['RateMessageRequest'];
export type RateRequest = components['schemas']['RateRequest'];
export type Rating = components['schemas']['Rating'];
export type Read = components['schemas']['Read'];
export type ReadMarks = components['schemas']['ReadMarks'];
export type ReadRequest = components['schemas']['ReadRequest'];
export type ReplyTo = components['schemas']['ReplyTo'];
export type ReplyToRequest = components['schemas']['ReplyToRequest'];
export type Sender = components['schemas']['Sender'];
export type SeqHint = components['schemas']['SeqHint'];
export type SessionVisitor = components['schemas']['SessionVisitor'];
export type StoredMessage = components['schemas']['StoredMessage'];
export type Translation = components['schemas']['Translation'];
export type Typing = components['schemas']['Typing'];
export type TypingEvent = components['schemas']['TypingEvent'];
export type TypingRequest = components['schemas']['TypingRequest'];
export type VisitorChat = components['schemas']['VisitorChat'];
export type VisitorChats = components['schemas']['VisitorChats'];
export type VisitorMessageRequest = components['schemas']['VisitorMessageRequest'];
export type VisitorRequest = components['schemas']['VisitorRequest'];
export type VisitorSession = components['schemas']['VisitorSession'];
export type WidgetHours = components['schemas']['WidgetHours'];
