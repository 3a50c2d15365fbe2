// Generated from the OpenAPI document of the visitor API by `npm run generate:types`. Do not edit.

import type * as shared from '../packages/bot/src/shared-api.js';

export interface components {
    schemas: {
        AiDisclosureText: shared.AiDisclosureText;
        Assignee: shared.Assignee;
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
        ClosedChat: {
            chat: components["schemas"]["ChatState"];
        };
        CompletedFile: shared.CompletedFile;
        CreateSessionRequest: {
            /** @description The organization's public key, `prl_wk_…` */
            widgetKey: string;
            visitor?: components["schemas"]["VisitorRequest"];
            /** @description A JWT (HS256) that your server signed with the organization's identity secret */
            identity?: string;
            /** @description With `identity` and the token of an anonymous visitor: the signed person takes over its open chats */
            merge?: boolean;
        };
        FieldError: shared.FieldError;
        FieldTexts: shared.FieldTexts;
        File: shared.File;
        FormField: shared.FormField;
        GivenMessageRating: {
            rating: components["schemas"]["MessageRating"];
        };
        GivenRating: {
            rating: components["schemas"]["Rating"];
        };
        LinkOrganization: {
            name: string;
            /** @description The page shows the chat with it */
            widgetKey: string;
        };
        LinkVisitor: {
            name: string | null;
        };
        Message: shared.Message;
        MessageRating: shared.MessageRating;
        MessageRatings: {
            /** @description The newest 200, in the order of the messages */
            ratings: components["schemas"]["MessageRating"][];
        };
        Messages: shared.Messages;
        Named: shared.Named;
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
            /** @description The BCP 47 tag of the language that the client shows its words in. If this request creates the chat, the words of `aiDisclosure` in it are recorded */
            locale?: string;
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
            /** @description Null: visitors may send no files */
            visitorUploads: components["schemas"]["VisitorUploads"] | null;
            /** @description Whether its bot is connected to an address: its answers can be stopped and tried again while the bots have the chat */
            isConnected: boolean;
            /** @description Deleted messages, without their content, among the last 200 up to `afterSeq`; at most 100 */
            deleted: components["schemas"]["Message"][];
        };
        PersonRequest: {
            chat: components["schemas"]["ChatState"];
        };
        ProactiveMessage: shared.ProactiveMessage;
        Problem: shared.Problem;
        PublicAiDisclosure: {
            text: string;
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
            /** @description What a client shows before the first word of an AI: the first message, live text, or typing with `sender.isAi` */
            aiDisclosure: components["schemas"]["PublicAiDisclosure"] | null;
            /** @description The default group's office hours; null: always open */
            hours: components["schemas"]["WidgetHours"] | null;
            /** @description What a new visitor solves first */
            captcha: components["schemas"]["PublicCaptcha"] | null;
            /** @description The name of the button’s picture; null: none */
            launcherPicture: string | null;
            /** @description The name of the picture of bots; null: none */
            botPicture: string | null;
            /** @description Null: visitors may send no files */
            visitorUploads: components["schemas"]["VisitorUploads"] | null;
            /** @description Whether visitors get an e-mail about answers that they miss */
            canMail: boolean;
            /** @description Whether visitors can have a transcript of a chat sent by e-mail */
            canSendTranscript: boolean;
        };
        Queue: shared.Queue;
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
        Rating: shared.Rating;
        Read: shared.Read;
        ReadMarks: shared.ReadMarks;
        ReadRequest: shared.ReadRequest;
        ReplyTo: shared.ReplyTo;
        ReplyToRequest: {
            /** @description A `QUICK_REPLY` or `BUTTON` message in the same chat */
            messageId: string;
            /** @description The `value` of one of its options */
            value: string;
        };
        Sender: shared.Sender;
        SentChat: {
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
            /** @description As in the answer to `chat:open`. Absent if it has not changed since */
            isConnected?: boolean;
        };
        SeqHint: shared.SeqHint;
        SessionVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            email: string | null;
        };
        StartUploadRequest: shared.StartUploadRequest;
        StartedUpload: shared.StartedUpload;
        StoppedAnswer: {
            /** @description Whether an answer was being written that can be stopped. A bot that calls the bot API ends it after its next live text */
            isStopped: boolean;
        };
        StoredMessage: shared.StoredMessage;
        Translation: shared.Translation;
        Typing: shared.Typing;
        TypingEvent: shared.TypingEvent;
        TypingRequest: shared.TypingRequest;
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
            /**
             * @description Who is expected to answer
             * @enum {string}
             */
            owner: "BOT" | "QUEUE" | "AGENT" | "NOBODY";
            /** @description The agent who has it */
            assignedTo: components["schemas"]["Named"] | null;
            /** @description What a bot or an agent calls the chat; without it, the first 80 characters of what the visitor wrote first */
            title: string | null;
            /** @description Up to 5 latest, oldest first */
            messages: components["schemas"]["Message"][];
            visitor: components["schemas"]["VisitorOfChat"];
            group: components["schemas"]["Named"];
            read: components["schemas"]["ReadMarks"];
        };
        VisitorChats: {
            chats: components["schemas"]["VisitorChat"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
            /** @description Whether the visitor unsubscribed from e-mails, and can ask for them again: `POST …/resubscribe` */
            isUnsubscribed: boolean;
        };
        VisitorLink: {
            organization: components["schemas"]["LinkOrganization"];
            visitor: components["schemas"]["LinkVisitor"];
            /**
             * Format: date-time
             * @description When the chat began
             */
            startedAt: string;
            /** @description Whether the organization allows its chat on the page that asks */
            canContinue: boolean;
        };
        VisitorLinkRequest: {
            token: string;
        };
        VisitorMessageRequest: {
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
            /** @description Your id for the message: the same id never stores a second one */
            clientMessageId?: string;
            /** @description The choice that this message takes */
            replyTo?: components["schemas"]["ReplyToRequest"];
        };
        VisitorOfChat: {
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
            /** @description Null: visitors may send no files */
            visitorUploads: components["schemas"]["VisitorUploads"] | null;
        };
        VisitorUploads: {
            /** @description Bytes of a file */
            maxSize: number;
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
export type AiDisclosureText = components['schemas']['AiDisclosureText'];
export type Assignee = components['schemas']['Assignee'];
export type ChatState = components['schemas']['ChatState'];
export type ClosedChat = components['schemas']['ClosedChat'];
export type CompletedFile = components['schemas']['CompletedFile'];
export type CreateSessionRequest = components['schemas']['CreateSessionRequest'];
export type FieldError = components['schemas']['FieldError'];
export type FieldTexts = components['schemas']['FieldTexts'];
export type File = components['schemas']['File'];
export type FormField = components['schemas']['FormField'];
export type GivenMessageRating = components['schemas']['GivenMessageRating'];
export type GivenRating = components['schemas']['GivenRating'];
export type LinkOrganization = components['schemas']['LinkOrganization'];
export type LinkVisitor = components['schemas']['LinkVisitor'];
export type Message = components['schemas']['Message'];
export type MessageRating = components['schemas']['MessageRating'];
export type MessageRatings = components['schemas']['MessageRatings'];
export type Messages = components['schemas']['Messages'];
export type Named = components['schemas']['Named'];
export type OpenChatRequest = components['schemas']['OpenChatRequest'];
export type OpenedChat = components['schemas']['OpenedChat'];
export type PersonRequest = components['schemas']['PersonRequest'];
export type ProactiveMessage = components['schemas']['ProactiveMessage'];
export type Problem = components['schemas']['Problem'];
export type PublicAiDisclosure = components['schemas']['PublicAiDisclosure'];
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
export type SentChat = components['schemas']['SentChat'];
export type SeqHint = components['schemas']['SeqHint'];
export type SessionVisitor = components['schemas']['SessionVisitor'];
export type StartUploadRequest = components['schemas']['StartUploadRequest'];
export type StartedUpload = components['schemas']['StartedUpload'];
export type StoppedAnswer = components['schemas']['StoppedAnswer'];
export type StoredMessage = components['schemas']['StoredMessage'];
export type Translation = components['schemas']['Translation'];
export type Typing = components['schemas']['Typing'];
export type TypingEvent = components['schemas']['TypingEvent'];
export type TypingRequest = components['schemas']['TypingRequest'];
export type VisitorChat = components['schemas']['VisitorChat'];
export type VisitorChats = components['schemas']['VisitorChats'];
export type VisitorLink = components['schemas']['VisitorLink'];
export type VisitorLinkRequest = components['schemas']['VisitorLinkRequest'];
export type VisitorMessageRequest = components['schemas']['VisitorMessageRequest'];
export type VisitorOfChat = components['schemas']['VisitorOfChat'];
export type VisitorRequest = components['schemas']['VisitorRequest'];
export type VisitorSession = components['schemas']['VisitorSession'];
export type VisitorUploads = components['schemas']['VisitorUploads'];
export type WidgetHours = components['schemas']['WidgetHours'];
