// Generated from the OpenAPI document of the agent API by `npm run generate:types`. Do not edit.

import type * as shared from '../../packages/bot/src/shared-api.js';

export interface components {
    schemas: {
        AgentMessage: {
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
            /** @description Of a message that arrived as an e-mail: up to 10,000 characters with quotes; absent if the message has all of it */
            fullText?: string;
            /** @description Of an agent's or bot's message: what became of the e-mail about it; absent without one */
            mail?: components["schemas"]["MissedMail"];
        };
        AgentMessageRequest: {
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
            /** @description The same of one agent is never stored twice */
            clientMessageId?: string;
            /**
             * @description What follows once the message is stored. Omitted: nothing
             * @enum {string}
             */
            action?: "CLOSE" | "TRANSFER";
            /** @description Where `TRANSFER` moves the chat */
            actionGroupId?: string;
        };
        AgentMessages: {
            /** @description Up to `limit` and about 1 MB, at least one */
            messages: components["schemas"]["AgentMessage"][];
            /** @description The highest `seq` of the chat */
            latestSeq: number;
            /** @description Whether there are messages after the last of these */
            hasMore: boolean;
        };
        AgentReport: {
            /** @description Ordered by id */
            agents: components["schemas"]["AgentReportRow"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
            /**
             * @description The time zone of the days
             * @example Europe/Berlin
             */
            timeZone: string;
        };
        AgentReportRow: {
            /** @example agt_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            isEnabled: boolean;
            /** @description Chats where the agent wrote */
            chats: number;
            /** @description Messages that the agent wrote */
            replies: number;
            /** @description Stays in the queue that began, and that the agent ended by getting the chat */
            assigned: number;
            /** @description Of these stays: from queuing to the agent’s first message */
            medianFirstReplySeconds: number | null;
            /** @description Rated chats that the agent had last */
            rated: number;
            /** @description Of these: the mean of the scores, 1 to 5, to two decimals */
            averageScore: number | null;
        };
        AgentSearchRequest: {
            /** @description Words that all match. Needed without another filter than `senderType`, `from`, and `to` */
            q?: string;
            /** @description `nextCursor` of the page before, of the same search */
            cursor?: string;
            /** @description Chats of this group */
            groupId?: string;
            /**
             * @description Chats with this status
             * @enum {string}
             */
            status?: "QUEUED" | "ACTIVE" | "CLOSED" | "ARCHIVED";
            /** @description Chats of this visitor */
            visitorId?: string;
            /** @description Chats that this agent has, or had last if they have ended */
            agentId?: string;
            /** @description Chats with a message from this agent */
            participantId?: string;
            /** @description Chats with a message from this bot */
            botId?: string;
            /** @description Chats with one of these ratings; `*`: rated at all */
            rating?: ("1" | "2" | "3" | "4" | "5" | "*")[];
            /** @description Only chats with this tag; repeated: with all of them. A former name means the tag that it became */
            tag?: string[];
            /**
             * @description Chats whose matching message is from one of these. Needs `q`
             * @enum {string}
             */
            senderType?: "VISITOR" | "BOT" | "AGENT";
            /**
             * Format: date-time
             * @description Matches from this time on; without `q`, chats whose last message is
             */
            from?: string;
            /**
             * Format: date-time
             * @description Matches before this time; without `q`, chats whose last message is
             */
            to?: string;
            /** @description The most items in the response. Default: 20 */
            limit?: number;
            /**
             * @description Only chats whose visitor wrote after the agents’ read mark
             * @enum {boolean}
             */
            unread?: true;
        };
        AgentTransferRequest: {
            groupId?: string;
            agentId?: string;
            /** @description What the next agent should know; the visitor does not see it */
            note?: string;
        };
        AllReadMarks: {
            visitor: number;
            /** @description Bots and agents together */
            organization: number;
            /** @description All agents share one mark */
            agents: number;
        };
        AssignRequest: {
            agentId: string;
            /** @description Snoozes the chat for its new agent, such as after an undo. It isn’t snoozed if the time is over, or the visitor wrote after `seenSeq` */
            snooze?: components["schemas"]["SnoozeRequest"];
        };
        AttributeKey: shared.AttributeKey;
        AttributeKeys: shared.AttributeKeys;
        Block: {
            block: components["schemas"]["VisitorBlock"];
        };
        BlockRequest: {
            /**
             * Format: date-time
             * @description Omitted: until an agent unblocks the visitor
             */
            until?: string;
            /** @description For agents. The visitor never sees it */
            reason?: string;
        };
        ChangeChatRequest: shared.ChangeChatRequest;
        ChangePasswordRequest: {
            current?: string;
            password: string;
        };
        ChangePushRequest: {
            /** @description What you are notified about */
            kinds?: ("offer" | "assignment" | "mention" | "message")[];
            /** @description When nothing is sent; null: never */
            quietHours?: components["schemas"]["QuietHours"] | null;
            /** @description Whether notifications make no sound */
            isSilent?: boolean;
        };
        ChangeTagsRequest: shared.ChangeTagsRequest;
        ChangeVisitorRequest: shared.ChangeVisitorRequest;
        ChangedChat: shared.ChangedChat;
        ChangedVisitor: shared.ChangedVisitor;
        ChatDetail: {
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
            group: components["schemas"]["Named"];
            assignedTo: components["schemas"]["Named"] | null;
            /** @description The agent who had it last, even after it ended */
            lastAgent: components["schemas"]["Named"] | null;
            visitor: components["schemas"]["DetailVisitor"];
            lastMessage: components["schemas"]["LastMessage"] | null;
            /** @description If `lastMessage` is a system message: what the visitor, a bot, or an agent wrote before it */
            lastWords: components["schemas"]["LastMessage"] | null;
            /** @description The highest `seq` of its messages */
            messageCount: number;
            /** @description The visitor wrote after the agents’ read mark */
            isUnread: boolean;
            /** @description How far each side has read, as a `seq` */
            read: components["schemas"]["AllReadMarks"];
            /**
             * Format: date-time
             * @description The time of the visitor’s first message without an answer from a bot or an agent
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description Since when its bots haven’t taken the visitor’s message; null: they have, or it’s not noticed yet
             */
            botSilentSince: string | null;
            /**
             * Format: date-time
             * @description Since when it waits for an agent
             */
            queuedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastMessageAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
            /** @description Rises with every change other than a message. Of two rows, the one with the higher `rev` or `messageCount` is newer */
            rev: number;
            /** @description The visitor’s rating */
            score: number | null;
            /** @description By name */
            tags: string[];
            /** @description E-mails that agents are to check */
            mailsToCheck: number;
            /** @description The pending offer to an agent */
            offer: components["schemas"]["PendingOffer"] | null;
            /** @description Set while its agent snoozes it */
            snooze: components["schemas"]["Snooze"] | null;
            metadata: {
                [key: string]: unknown;
            };
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
            /** @description What a bot or an agent calls the chat */
            title: string | null;
            /** @description The latest stay in the queue, running or ended */
            handoff: components["schemas"]["Handoff"] | null;
            /** @description The agents who have it open */
            viewers: components["schemas"]["Named"][];
            /** @description Up to 10 of the same visitor, latest first */
            earlierChats: components["schemas"]["EarlierChat"][];
            /** @description The visitor’s rating */
            rating: components["schemas"]["Rating"] | null;
            /** @description How the visitor rated messages of bots: the newest 200, in the order of the messages */
            messageRatings: components["schemas"]["MessageRating"][];
            /** @description E-mails to accept or drop, oldest first, at most 50 */
            mails: components["schemas"]["MailToCheck"][];
            /** @description Whether `POST …/transcript` is possible now */
            canSendTranscript: boolean;
            /** @description What became of the newest e-mail about missed answers; null without one */
            missedMail: components["schemas"]["ChatMissedMail"] | null;
        };
        ChatMissedMail: {
            /** @description It is about the messages after this `seq` */
            afterSeq: number;
            /** @enum {string} */
            status: "WAITING" | "SENT" | "BOUNCED" | "FAILED" | "TOO_MANY";
            /**
             * Format: date-time
             * @description When it was sent; otherwise, when it was queued
             */
            at: string;
        };
        ChatRow: {
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
            group: components["schemas"]["Named"];
            assignedTo: components["schemas"]["Named"] | null;
            /** @description The agent who had it last, even after it ended */
            lastAgent: components["schemas"]["Named"] | null;
            visitor: components["schemas"]["RowVisitor"];
            lastMessage: components["schemas"]["LastMessage"] | null;
            /** @description If `lastMessage` is a system message: what the visitor, a bot, or an agent wrote before it */
            lastWords: components["schemas"]["LastMessage"] | null;
            /** @description The highest `seq` of its messages */
            messageCount: number;
            /** @description The visitor wrote after the agents’ read mark */
            isUnread: boolean;
            /** @description How far each side has read, as a `seq` */
            read: components["schemas"]["AllReadMarks"];
            /**
             * Format: date-time
             * @description The time of the visitor’s first message without an answer from a bot or an agent
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description Since when its bots haven’t taken the visitor’s message; null: they have, or it’s not noticed yet
             */
            botSilentSince: string | null;
            /**
             * Format: date-time
             * @description Since when it waits for an agent
             */
            queuedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastMessageAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
            /** @description Rises with every change other than a message. Of two rows, the one with the higher `rev` or `messageCount` is newer */
            rev: number;
            /** @description The visitor’s rating */
            score: number | null;
            /** @description By name */
            tags: string[];
            /** @description E-mails that agents are to check */
            mailsToCheck: number;
            /** @description The pending offer to an agent */
            offer: components["schemas"]["PendingOffer"] | null;
            /** @description Set while its agent snoozes it */
            snooze: components["schemas"]["Snooze"] | null;
        };
        ChatRows: {
            chats: components["schemas"]["ChatRow"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        ChatTags: shared.ChatTags;
        ClaimRequest: {
            /** @description A group of yours, that the chat moves to, such as to undo a transfer */
            groupId?: string;
        };
        Colleague: {
            /** @example agt_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            avatarUrl: string | null;
            /** @enum {string} */
            role: "AGENT" | "SUPERVISOR" | "ADMIN";
            groupIds: string[];
            /** @enum {string} */
            presence: "ONLINE" | "PAUSED" | "OFFLINE";
            /**
             * @description Why the agent is paused
             * @enum {string|null}
             */
            pauseReason: "BREAK" | "LUNCH" | "MEETING" | "MISSED_OFFERS" | "AWAY" | null;
            /** @description How many chats the agent has */
            openChats: number;
        };
        Colleagues: {
            agents: components["schemas"]["Colleague"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        CompletedFile: shared.CompletedFile;
        Counts: {
            mine: number;
            mineUnread: number;
            snoozed: number;
            waiting: number;
            bot: number;
            /** @description Notes that mention the agent, not seen yet */
            mentions: number;
        };
        DetailVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            email: string | null;
            /** @description Whether name and email come from a signed identity */
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
            /** @description Null: the visitor is not blocked */
            block: components["schemas"]["VisitorBlock"] | null;
            /**
             * @description What e-mails to the address meet: they are sent, they came back, or the visitor unsubscribed. Null without an address, or if this installation sends no e-mails
             * @enum {string|null}
             */
            mailStatus: "ACTIVE" | "BOUNCED" | "UNSUBSCRIBED" | null;
        };
        EarlierChat: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            status: "QUEUED" | "ACTIVE" | "CLOSED" | "ARCHIVED";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            closedAt: string | null;
            messageCount: number;
        };
        EndpointRequest: {
            endpoint: string;
        };
        FailureCause: {
            /** @example TimeoutError */
            name: string;
            /** @example The model did not answer in 60 s */
            message: string;
        };
        FieldError: shared.FieldError;
        File: shared.File;
        Followed: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            isFollowed: boolean;
        };
        FollowedChats: {
            /** @description Up to 50, last followed first */
            chats: components["schemas"]["ChatRow"][];
            /**
             * @description Always null: there is one page
             * @enum {string|null}
             */
            nextCursor: null;
        };
        FoundChats: {
            /** @description Up to 20 */
            chats: components["schemas"]["ChatRow"][];
        };
        FoundMessage: shared.FoundMessage;
        FoundNote: {
            /** @description A part of the content, or of a file’s name if only that matches */
            snippet: string;
            /** @description What matches in `snippet`: start and end in UTF-16 units, the end exclusive */
            ranges: number[][];
            /** @example not_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** Format: date-time */
            createdAt: string;
            author: components["schemas"]["Named"];
        };
        GoneRow: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            id: string;
            rev: number;
            /** @enum {boolean} */
            isGone: true;
            /**
             * @description The chat was erased, or removed after its time
             * @enum {boolean}
             */
            isRemoved?: true;
        };
        GroupOverview: {
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
            id: string;
            name: string;
            isDefault: boolean;
            /** @description After how many seconds a waiting chat is unanswered, unless its transfer says otherwise; 0: never */
            maxWaitSeconds: number;
        };
        Handoff: {
            /** @example hof_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description Why the bot transferred it; the visitor saw it */
            reason: string | null;
            /** @description For agents; visitors never see it */
            summary: string | null;
            /** @description The error that made a bot transfer it; visitors never see it */
            cause: components["schemas"]["FailureCause"] | null;
            /** Format: date-time */
            queuedAt: string;
        };
        LastFile: {
            name: string;
            /**
             * @description What the bytes are
             * @example image/png
             */
            type: string;
        };
        LastMessage: {
            /** @example msg_01h455vb4pex5vsknk084sn02q */
            id: string;
            seq: number;
            /** @enum {string} */
            type: "TEXT" | "IMAGE" | "BUTTON" | "QUICK_REPLY";
            /** @description The first 300 characters */
            content: string;
            sender: components["schemas"]["Sender"];
            /** @description Of a system message, with its `event`; null for other messages */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Absent without any */
            files?: components["schemas"]["LastFile"][];
        };
        LinkAgent: {
            name: string;
            email: string;
            organization: components["schemas"]["Named"];
        };
        LinkRequest: {
            token: string;
        };
        LinkSignInRequest: {
            /**
             * @description Whether the session is set as a cookie, or returned as a token. Omitted: `cookie`
             * @enum {string}
             */
            mode?: "cookie" | "token";
            token: string;
            /** @description A new password. Omitted: it stays as it is */
            password?: string;
        };
        LongestWaiting: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            visitor: components["schemas"]["WaitingVisitor"];
            /** Format: date-time */
            queuedAt: string;
        };
        MailToCheck: {
            /** @example inm_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @description The sender’s address, which nothing has verified */
            from: string | null;
            /** Format: date-time */
            receivedAt: string;
            text: string;
            files: components["schemas"]["File"][];
        };
        Mention: {
            note: components["schemas"]["Note"];
            chat: components["schemas"]["ChatRow"];
            /** Format: date-time */
            seenAt: string | null;
        };
        MentionEvent: {
            note: components["schemas"]["Note"];
            chat: components["schemas"]["ChatRow"];
        };
        Mentions: {
            /** @description Newest first */
            mentions: components["schemas"]["Mention"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        MentionsSeen: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
        };
        Message: shared.Message;
        MessageRating: shared.MessageRating;
        MissedMail: {
            /**
             * @description `TOO_MANY`: the address is not verified, and has reached its limit
             * @enum {string}
             */
            status: "WAITING" | "SENT" | "BOUNCED" | "FAILED" | "TOO_MANY";
            /**
             * Format: date-time
             * @description When it was sent; otherwise, when it was queued
             */
            at: string;
        };
        Named: shared.Named;
        NewNoteRequest: {
            /**
             * @description Only agents see it
             * @example Has called before
             */
            content: string;
            /** @description The ids of agents to notify */
            mentions?: string[];
            /** @description The ids of completed uploads of the agent in this chat */
            files?: string[];
        };
        NewOwnReplyRequest: {
            /**
             * @description The language of `content`. A shortcut may have a reply in each language. Null: any
             * @example de
             */
            language?: string | null;
            /**
             * @description What the console does after the reply is sent. Null: nothing
             * @enum {string|null}
             */
            action?: "CLOSE" | "TRANSFER" | null;
            /** @description Where `TRANSFER` moves the chat */
            actionGroupId?: string | null;
            /**
             * @description Of `a` to `z`, `0` to `9`, `_` and `-`; unique in its language
             * @example hours
             */
            shortcut: string;
            /** @example Ada here. How can I help? */
            content: string;
        };
        NewReplyRequest: {
            /**
             * @description The language of `content`. A shortcut may have a reply in each language. Null: any
             * @example de
             */
            language?: string | null;
            /**
             * @description What the console does after the reply is sent. Null: nothing
             * @enum {string|null}
             */
            action?: "CLOSE" | "TRANSFER" | null;
            /** @description Where `TRANSFER` moves the chat */
            actionGroupId?: string | null;
            /** @description Only agents of this group get it. Null: all agents */
            groupId?: string | null;
            /**
             * @description Of `a` to `z`, `0` to `9`, `_` and `-`; unique in its language
             * @example hours
             */
            shortcut: string;
            /** @example We are here from 9 to 17. */
            content: string;
        };
        NewSession: {
            agent: components["schemas"]["OwnProfile"];
            organization: components["schemas"]["Named"];
            /** Format: date-time */
            expiresAt: string;
            /** @description With the mode `token`: `prl_ags_…` */
            token?: string;
        };
        NewViewRequest: {
            /** @example Refunds of this week */
            name: string;
            /**
             * @description Words and filters as the console writes them; checked when they are used
             * @example tag:refund is:open
             */
            query: string;
            /** @description Whether the team sees it. Only supervisors and administrators share views. Default: false */
            isShared?: boolean;
            /** @description Its place among the views; several may have the same. Default: the last */
            position?: number;
        };
        Note: {
            /** @example not_01h455vb4pex5vsknk084sn02q */
            id: string;
            content: string;
            /** @description With the name at that time */
            author: components["schemas"]["Named"];
            /** @description The chat’s highest `seq` when it was written */
            afterSeq: number;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its author last changed it
             */
            editedAt: string | null;
            /** @description The agents whom it mentions */
            mentions: components["schemas"]["Named"][];
            /** @description Absent without any */
            files?: components["schemas"]["File"][];
        };
        NoteChangeRequest: {
            /** @description May be omitted with `files` */
            content?: string;
            /** @description The ids of agents to notify */
            mentions?: string[];
            /** @description The files that the note has then: its own, and completed uploads of the agent in this chat */
            files?: string[];
        };
        Notes: {
            /** @description Oldest first */
            notes: components["schemas"]["Note"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Offer: {
            /** @example off_01h455vb4pex5vsknk084sn02q */
            id: string;
            chat: components["schemas"]["ChatRow"];
            /** Format: date-time */
            expiresAt: string;
        };
        OfferEnded: {
            /** @example off_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            reason: "ACCEPTED" | "DECLINED" | "EXPIRED" | "WITHDRAWN";
        };
        Offers: {
            /** @description Up to 100, soonest expiry first */
            offers: components["schemas"]["Offer"][];
            /**
             * @description Always null: there is one page
             * @enum {string|null}
             */
            nextCursor: null;
        };
        OwnProfile: {
            id: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "AGENT" | "SUPERVISOR" | "ADMIN";
            /** @description The most chats that routing assigns at the same time */
            capacity: number;
            avatarUrl: string | null;
            groups: components["schemas"]["Named"][];
            /** @description Whether routing may assign chats */
            isAccepting: boolean;
            /** @enum {string} */
            presence: "ONLINE" | "PAUSED" | "OFFLINE";
            /**
             * @description Why the agent is paused
             * @enum {string|null}
             */
            pauseReason: "BREAK" | "LUNCH" | "MEETING" | "MISSED_OFFERS" | "AWAY" | null;
            hasPassword: boolean;
            /** @description Whether the agent gets e-mails about chats that were assigned, and notes that mention them, while none of their pages is open; null: this installation sends none */
            mailWhenAway: boolean | null;
        };
        OwnSession: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Exact to a minute
             */
            lastUsedAt: string;
            userAgent: string | null;
            /** @description Whether it is the session of this request */
            isCurrent: boolean;
        };
        PasswordResetRequest: {
            email: string;
        };
        PasswordSignInRequest: {
            /**
             * @description Whether the session is set as a cookie, or returned as a token. Omitted: `cookie`
             * @enum {string}
             */
            mode?: "cookie" | "token";
            email: string;
            password: string;
            organizationId?: string;
        };
        PendingOffer: {
            /** @example agt_01h455vb4pex5vsknk084sn02q */
            agentId: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Presence: {
            isAccepting: boolean;
            /**
             * @description `OFFLINE` without a connected socket
             * @enum {string}
             */
            presence: "ONLINE" | "PAUSED" | "OFFLINE";
            /**
             * @description Why you are paused
             * @enum {string|null}
             */
            reason: "BREAK" | "LUNCH" | "MEETING" | "MISSED_OFFERS" | "AWAY" | null;
        };
        PresenceEvent: {
            /** @example agt_01h455vb4pex5vsknk084sn02q */
            agentId: string;
            /** @enum {string} */
            presence: "ONLINE" | "PAUSED" | "OFFLINE";
            isAccepting: boolean;
            /**
             * @description Why the agent is paused
             * @enum {string|null}
             */
            reason: "BREAK" | "LUNCH" | "MEETING" | "MISSED_OFFERS" | "AWAY" | null;
        };
        PresenceRequest: {
            /** @description Whether routing may give you chats; kept until you change it */
            isAccepting: boolean;
            /**
             * @description Why you pause; colleagues see it. Omitted: no reason
             * @enum {string}
             */
            reason?: "BREAK" | "LUNCH" | "MEETING";
        };
        Problem: shared.Problem;
        Push: {
            /** @description The `applicationServerKey` to subscribe with, in base64url */
            publicKey: string;
            /** @description What you are notified about */
            kinds: ("offer" | "assignment" | "mention" | "message")[];
            /** @description When nothing is sent; null: never */
            quietHours: components["schemas"]["QuietHours"] | null;
            /** @description Whether notifications make no sound */
            isSilent: boolean;
        };
        PutSubscriptionRequest: {
            /** @description The https address that the browser got from its push service */
            endpoint: string;
            keys: components["schemas"]["SubscriptionKeysRequest"];
            /** @description Not used */
            expirationTime?: number | null;
            /**
             * @description The language of notifications, `en` or `de`
             * @example de
             */
            language?: string;
        };
        QuietHours: {
            /** @example 22:00 */
            from: string;
            /**
             * @description Earlier than `from`: on the next day
             * @example 07:00
             */
            to: string;
            /**
             * @description The IANA time zone
             * @example Europe/Berlin
             */
            timeZone: string;
        };
        RatedVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
        };
        Rating: shared.Rating;
        RatingReport: {
            /** @description Newest first */
            ratings: components["schemas"]["ReportedRating"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
            /**
             * @description The time zone of the days
             * @example Europe/Berlin
             */
            timeZone: string;
        };
        Read: shared.Read;
        ReadRequest: shared.ReadRequest;
        ReopenRequest: {
            /** @description Undoes the end of a chat that was yours, or of any for a supervisor, within 5 minutes. Its bot or agent gets it back, or it waits again in its old place. An open chat stays as it is */
            undo?: boolean;
        };
        Replies: {
            replies: components["schemas"]["Reply"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        Reply: {
            /** @example rpl_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @example hours */
            shortcut: string;
            content: string;
            /** @example de */
            language: string | null;
            /** @description Null: all agents get it */
            groupId: string | null;
            /** @enum {string|null} */
            action: "CLOSE" | "TRANSFER" | null;
            /** @description Where `TRANSFER` moves the chat */
            actionGroupId: string | null;
            /** @description Whether it is the agent’s own */
            isOwn: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        ReplyTo: shared.ReplyTo;
        Report: {
            /** @description One for each day, in order */
            days: components["schemas"]["ReportDay"][];
            /**
             * @description The time zone of the days
             * @example Europe/Berlin
             */
            timeZone: string;
        };
        ReportDay: {
            /** Format: date */
            day: string;
            /** @description Chats that began */
            created: number;
            /** @description Stays in the queue that began */
            handoffs: number;
            /** @description Of these hand-offs: an agent got the chat */
            assigned: number;
            /** @description Of these hand-offs: the agent who got the chat wrote */
            replied: number;
            /** @description Of these hand-offs: no agent got the chat in time */
            unanswered: number;
            /** @description Of these hand-offs: from queuing to the assignment */
            medianWaitSeconds: number | null;
            /** @description Of these hand-offs: from queuing to the agent’s first message */
            medianFirstReplySeconds: number | null;
            /** @description Chats that ended and weren’t reopened */
            closed: number;
            /** @description Chats that visitors rated */
            rated: number;
            /** @description Of these: no agent had the chat */
            ratedWithoutAgent: number;
            /** @description Of the rated chats: the mean of the scores, 1 to 5, to two decimals */
            averageScore: number | null;
        };
        ReportedRating: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @description 5 is the best */
            score: number;
            comment: string | null;
            /**
             * Format: date-time
             * @description When it was first given
             */
            ratedAt: string;
            visitor: components["schemas"]["RatedVisitor"];
            /** @description The agent who had the chat last */
            agent: components["schemas"]["Named"] | null;
            group: components["schemas"]["Named"];
        };
        ReturnRequest: {
            /** @description What the bot should know; the visitor does not see it */
            note?: string;
        };
        RowVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            email: string | null;
            /** @description Whether name and email come from a signed identity */
            isVerified: boolean;
        };
        Search: {
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
            /**
             * @description The search took 2 s: go on with `nextCursor`
             * @enum {boolean}
             */
            partial?: true;
            results: components["schemas"]["SearchResult"][];
        };
        SearchResult: {
            /** @description The newest match, if it’s a message */
            message?: components["schemas"]["FoundMessage"];
            /**
             * @description Only a word of the visitor’s name matches, with one edit
             * @enum {boolean}
             */
            isApproximate?: true;
            chat: components["schemas"]["ChatRow"];
            /** @description The newest match, if it’s a note */
            note?: components["schemas"]["FoundNote"];
        };
        Sender: shared.Sender;
        SeqHint: shared.SeqHint;
        Session: {
            agent: components["schemas"]["OwnProfile"];
            organization: components["schemas"]["Named"];
            /** Format: date-time */
            expiresAt: string;
        };
        SessionEnded: {
            /** @enum {string} */
            reason: "SIGNED_OUT" | "EXPIRED" | "PASSWORD_CHANGED" | "DISABLED" | "DELETED";
        };
        Sessions: {
            sessions: components["schemas"]["OwnSession"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        SetTagsRequest: shared.SetTagsRequest;
        Snooze: {
            /**
             * Format: date-time
             * @description Null: until the visitor writes
             */
            until: string | null;
        };
        SnoozeRequest: {
            /**
             * Format: date-time
             * @description Up to 366 days from now. Omitted or null: until the visitor writes, which always wakes the chat
             */
            until?: string | null;
            /** @description The latest `seq` that you saw. If the visitor wrote after it, the chat isn’t snoozed */
            seenSeq?: number;
        };
        Stale: {
            /**
             * Format: date-time
             * @description The service's time
             */
            now: string;
        };
        StartUploadRequest: shared.StartUploadRequest;
        StartedUpload: shared.StartedUpload;
        StoredMessage: shared.StoredMessage;
        SubscriptionKeysRequest: {
            /** @description The browser's public key, in base64url */
            p256dh: string;
            /** @description The browser's authentication secret, in base64url */
            auth: string;
        };
        Team: {
            /** @description Ordered by id */
            agents: components["schemas"]["TeamMember"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        TeamGroup: {
            /** @description The members who are online and accept chats */
            onlineAgents: number;
            /** @description Up to 1,000 */
            waitingChats: number;
            /** @description Whether it is within the office hours. Outside of them, the group is `OFFLINE` */
            isOpen: boolean;
            /** @example grp_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description After how many seconds a waiting chat is unanswered, unless its transfer says otherwise; 0: never */
            maxWaitSeconds: number;
            /** @description The chat that has waited longest for a person; null if none waits */
            longestWaiting: components["schemas"]["LongestWaiting"] | null;
        };
        TeamMember: {
            /** @example agt_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            avatarUrl: string | null;
            /** @enum {string} */
            role: "AGENT" | "SUPERVISOR" | "ADMIN";
            groupIds: string[];
            /** @enum {string} */
            presence: "ONLINE" | "PAUSED" | "OFFLINE";
            /**
             * @description Why the agent is paused
             * @enum {string|null}
             */
            pauseReason: "BREAK" | "LUNCH" | "MEETING" | "MISSED_OFFERS" | "AWAY" | null;
            /** @description How many chats the agent has */
            openChats: number;
            /**
             * Format: date-time
             * @description Since when the agent has this presence and this reason; null if it is not known
             */
            presenceSince: string | null;
            /** @description The most chats that routing gives the agent */
            capacity: number;
            /** @description Of the agent’s chats, the one whose visitor has waited longest for an answer */
            oldestUnanswered: components["schemas"]["UnansweredChat"] | null;
        };
        Typing: shared.Typing;
        TypingEvent: shared.TypingEvent;
        TypingRequest: shared.TypingRequest;
        UnansweredChat: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            visitor: components["schemas"]["WaitingVisitor"];
            /**
             * Format: date-time
             * @description The time of the visitor’s first message without an answer
             */
            waitingSince: string;
            /**
             * Format: date-time
             * @description From then on the chat counts as late: `lateAfterSeconds` of the organization after `waitingSince`
             */
            lateAt: string;
        };
        UpdateOwnReplyRequest: {
            /**
             * @description The language of `content`. A shortcut may have a reply in each language. Null: any
             * @example de
             */
            language?: string | null;
            /**
             * @description What the console does after the reply is sent. Null: nothing
             * @enum {string|null}
             */
            action?: "CLOSE" | "TRANSFER" | null;
            /** @description Where `TRANSFER` moves the chat */
            actionGroupId?: string | null;
            /**
             * @description Of `a` to `z`, `0` to `9`, `_` and `-`; unique in its language
             * @example hours
             */
            shortcut?: string;
            content?: string;
        };
        UpdateProfileRequest: {
            /** @description As visitors and colleagues see it */
            name?: string;
            /** @description A PNG, JPEG, or WebP picture of at most 2097152 bytes: as a `data:` URL in base64, or its address, which Parley fetches now. Parley serves it at the address that it answers. Null: none */
            avatarUrl?: string | null;
            /** @description Whether the agent gets e-mails about chats that were assigned, and notes that mention them, while none of their pages is open */
            mailWhenAway?: boolean;
        };
        UpdateReplyRequest: {
            /**
             * @description The language of `content`. A shortcut may have a reply in each language. Null: any
             * @example de
             */
            language?: string | null;
            /**
             * @description What the console does after the reply is sent. Null: nothing
             * @enum {string|null}
             */
            action?: "CLOSE" | "TRANSFER" | null;
            /** @description Where `TRANSFER` moves the chat */
            actionGroupId?: string | null;
            /** @description Only agents of this group get it. Null: all agents */
            groupId?: string | null;
            /**
             * @description Of `a` to `z`, `0` to `9`, `_` and `-`; unique in its language
             * @example hours
             */
            shortcut?: string;
            content?: string;
        };
        UpdateViewRequest: {
            name?: string;
            /** @description Words and filters as the console writes them; checked when they are used */
            query?: string;
            /** @description Whether the team sees it. Only supervisors and administrators share views */
            isShared?: boolean;
            /** @description Its place among the views; several may have the same */
            position?: number;
        };
        UsedTag: shared.UsedTag;
        UsedTags: shared.UsedTags;
        View: {
            /** @example viw_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description Words and filters as the console writes them; checked when they are used */
            query: string;
            /** @description Whether it is of the team */
            isShared: boolean;
            /** @description Its place among the views; several may have the same */
            position: number;
        };
        Viewers: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @description The agents who follow the chat */
            agents: components["schemas"]["Named"][];
        };
        Views: {
            views: components["schemas"]["View"][];
        };
        VisitorBlock: {
            /**
             * Format: date-time
             * @description Null: until an agent unblocks them
             */
            until: string | null;
            reason: string | null;
            /** @description The agent who blocked the visitor */
            by: components["schemas"]["Named"];
            /** Format: date-time */
            blockedAt: string;
        };
        WaitingVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string | null;
            email: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AgentMessage = components['schemas']['AgentMessage'];
export type AgentMessageRequest = components['schemas']['AgentMessageRequest'];
export type AgentMessages = components['schemas']['AgentMessages'];
export type AgentReport = components['schemas']['AgentReport'];
export type AgentReportRow = components['schemas']['AgentReportRow'];
export type AgentSearchRequest = components['schemas']['AgentSearchRequest'];
export type AgentTransferRequest = components['schemas']['AgentTransferRequest'];
export type AllReadMarks = components['schemas']['AllReadMarks'];
export type AssignRequest = components['schemas']['AssignRequest'];
export type AttributeKey = components['schemas']['AttributeKey'];
export type AttributeKeys = components['schemas']['AttributeKeys'];
export type Block = components['schemas']['Block'];
export type BlockRequest = components['schemas']['BlockRequest'];
export type ChangeChatRequest = components['schemas']['ChangeChatRequest'];
export type ChangePasswordRequest = components['schemas']['ChangePasswordRequest'];
export type ChangePushRequest = components['schemas']['ChangePushRequest'];
export type ChangeTagsRequest = components['schemas']['ChangeTagsRequest'];
export type ChangeVisitorRequest = components['schemas']['ChangeVisitorRequest'];
export type ChangedChat = components['schemas']['ChangedChat'];
export type ChangedVisitor = components['schemas']['ChangedVisitor'];
export type ChatDetail = components['schemas']['ChatDetail'];
export type ChatMissedMail = components['schemas']['ChatMissedMail'];
export type ChatRow = components['schemas']['ChatRow'];
export type ChatRows = components['schemas']['ChatRows'];
export type ChatTags = components['schemas']['ChatTags'];
export type ClaimRequest = components['schemas']['ClaimRequest'];
export type Colleague = components['schemas']['Colleague'];
export type Colleagues = components['schemas']['Colleagues'];
export type CompletedFile = components['schemas']['CompletedFile'];
export type Counts = components['schemas']['Counts'];
export type DetailVisitor = components['schemas']['DetailVisitor'];
export type EarlierChat = components['schemas']['EarlierChat'];
export type EndpointRequest = components['schemas']['EndpointRequest'];
export type FailureCause = components['schemas']['FailureCause'];
export type FieldError = components['schemas']['FieldError'];
export type File = components['schemas']['File'];
export type Followed = components['schemas']['Followed'];
export type FollowedChats = components['schemas']['FollowedChats'];
export type FoundChats = components['schemas']['FoundChats'];
export type FoundMessage = components['schemas']['FoundMessage'];
export type FoundNote = components['schemas']['FoundNote'];
export type GoneRow = components['schemas']['GoneRow'];
export type GroupOverview = components['schemas']['GroupOverview'];
export type Handoff = components['schemas']['Handoff'];
export type LastFile = components['schemas']['LastFile'];
export type LastMessage = components['schemas']['LastMessage'];
export type LinkAgent = components['schemas']['LinkAgent'];
export type LinkRequest = components['schemas']['LinkRequest'];
export type LinkSignInRequest = components['schemas']['LinkSignInRequest'];
export type LongestWaiting = components['schemas']['LongestWaiting'];
export type MailToCheck = components['schemas']['MailToCheck'];
export type Mention = components['schemas']['Mention'];
export type MentionEvent = components['schemas']['MentionEvent'];
export type Mentions = components['schemas']['Mentions'];
export type MentionsSeen = components['schemas']['MentionsSeen'];
export type Message = components['schemas']['Message'];
export type MessageRating = components['schemas']['MessageRating'];
export type MissedMail = components['schemas']['MissedMail'];
export type Named = components['schemas']['Named'];
export type NewNoteRequest = components['schemas']['NewNoteRequest'];
export type NewOwnReplyRequest = components['schemas']['NewOwnReplyRequest'];
export type NewReplyRequest = components['schemas']['NewReplyRequest'];
export type NewSession = components['schemas']['NewSession'];
export type NewViewRequest = components['schemas']['NewViewRequest'];
export type Note = components['schemas']['Note'];
export type NoteChangeRequest = components['schemas']['NoteChangeRequest'];
export type Notes = components['schemas']['Notes'];
export type Offer = components['schemas']['Offer'];
export type OfferEnded = components['schemas']['OfferEnded'];
export type Offers = components['schemas']['Offers'];
export type OwnProfile = components['schemas']['OwnProfile'];
export type OwnSession = components['schemas']['OwnSession'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PasswordSignInRequest = components['schemas']['PasswordSignInRequest'];
export type PendingOffer = components['schemas']['PendingOffer'];
export type Presence = components['schemas']['Presence'];
export type PresenceEvent = components['schemas']['PresenceEvent'];
export type PresenceRequest = components['schemas']['PresenceRequest'];
export type Problem = components['schemas']['Problem'];
export type Push = components['schemas']['Push'];
export type PutSubscriptionRequest = components['schemas']['PutSubscriptionRequest'];
export type QuietHours = components['schemas']['QuietHours'];
export type RatedVisitor = components['schemas']['RatedVisitor'];
export type Rating = components['schemas']['Rating'];
export type RatingReport = components['schemas']['RatingReport'];
export type Read = components['schemas']['Read'];
export type ReadRequest = components['schemas']['ReadRequest'];
export type ReopenRequest = components['schemas']['ReopenRequest'];
export type Replies = components['schemas']['Replies'];
export type Reply = components['schemas']['Reply'];
export type ReplyTo = components['schemas']['ReplyTo'];
export type Report = components['schemas']['Report'];
export type ReportDay = components['schemas']['ReportDay'];
export type ReportedRating = components['schemas']['ReportedRating'];
export type ReturnRequest = components['schemas']['ReturnRequest'];
export type RowVisitor = components['schemas']['RowVisitor'];
export type Search = components['schemas']['Search'];
export type SearchResult = components['schemas']['SearchResult'];
export type Sender = components['schemas']['Sender'];
export type SeqHint = components['schemas']['SeqHint'];
export type Session = components['schemas']['Session'];
export type SessionEnded = components['schemas']['SessionEnded'];
export type Sessions = components['schemas']['Sessions'];
export type SetTagsRequest = components['schemas']['SetTagsRequest'];
export type Snooze = components['schemas']['Snooze'];
export type SnoozeRequest = components['schemas']['SnoozeRequest'];
export type Stale = components['schemas']['Stale'];
export type StartUploadRequest = components['schemas']['StartUploadRequest'];
export type StartedUpload = components['schemas']['StartedUpload'];
export type StoredMessage = components['schemas']['StoredMessage'];
export type SubscriptionKeysRequest = components['schemas']['SubscriptionKeysRequest'];
export type Team = components['schemas']['Team'];
export type TeamGroup = components['schemas']['TeamGroup'];
export type TeamMember = components['schemas']['TeamMember'];
export type Typing = components['schemas']['Typing'];
export type TypingEvent = components['schemas']['TypingEvent'];
export type TypingRequest = components['schemas']['TypingRequest'];
export type UnansweredChat = components['schemas']['UnansweredChat'];
export type UpdateOwnReplyRequest = components['schemas']['UpdateOwnReplyRequest'];
export type UpdateProfileRequest = components['schemas']['UpdateProfileRequest'];
export type UpdateReplyRequest = components['schemas']['UpdateReplyRequest'];
export type UpdateViewRequest = components['schemas']['UpdateViewRequest'];
export type UsedTag = components['schemas']['UsedTag'];
export type UsedTags = components['schemas']['UsedTags'];
export type View = components['schemas']['View'];
export type Viewers = components['schemas']['Viewers'];
export type Views = components['schemas']['Views'];
export type VisitorBlock = components['schemas']['VisitorBlock'];
export type WaitingVisitor = components['schemas']['WaitingVisitor'];
