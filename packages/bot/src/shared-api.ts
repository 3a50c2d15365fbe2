// Generated from what several OpenAPI documents have by `npm run generate:types`. Do not edit.

export interface components {
    schemas: {
        CompletedFile: {
            file: components["schemas"]["File"];
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
        File: {
            /** @example upl_01h455vb4pex5vsknk084sn02q */
            id: string;
            name: string;
            /** @description Bytes */
            size: number;
            /**
             * @description What the bytes are
             * @example image/png
             */
            type: string;
            /** @description Pixels of a picture, as shown */
            width?: number;
            height?: number;
            /** @description Of audio and video, if the file says it */
            durationSeconds?: number;
            /** @description Where the bytes are. It differs between readers */
            url: string;
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
            /** @description Absent without any */
            files?: components["schemas"]["File"][];
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
            code: "unauthorized" | "forbidden" | "validation_failed" | "malformed_json" | "body_too_large" | "not_found" | "conflict" | "not_ready" | "mail_off" | "no_address" | "precondition_failed" | "unsupported_media_type" | "rate_limited" | "internal_error" | "unavailable" | "already_assigned" | "not_assigned" | "offered" | "agent_unavailable" | "no_bot" | "not_owner" | "nobody_available" | "not_waiting" | "idempotency_key_reused" | "superseded" | "offer_ended" | "too_many" | "wrong_password" | "organization_required" | "offer_over" | "blocked" | "captcha_required" | "not_ended" | "handoff_off" | "rating_off" | "rating_over" | "not_uploaded" | "size_mismatch" | "type_not_allowed" | "image_too_large" | "infected" | "quota_exceeded";
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
        Sender: {
            /** @enum {string} */
            type: "VISITOR" | "BOT" | "AGENT" | "SYSTEM";
            id: string | null;
            name: string | null;
            /** @description Whether a bot was an AI when it sent this. Absent for others */
            isAi?: boolean;
        };
        StartUploadRequest: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            /** @example invoice.pdf */
            name: string;
            /** @description Bytes, at most `FILE_MAX_SIZE` */
            size: number;
            /** @description Decides nothing: the bytes say what they are */
            type?: string;
        };
        StartedUpload: {
            /** @example upl_01h455vb4pex5vsknk084sn02q */
            id: string;
            /** @enum {string} */
            method: "PUT";
            /** @description Where the bytes go, without a token */
            url: string;
            /** @description To send with the bytes */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description Until when the PUT may start
             */
            expiresAt: string;
        };
        ChangeChatRequest: {
            /**
             * @description The chat's title in lists. Null removes it: the visitor's first words are shown again
             * @example Order 4711: wrong size
             */
            title?: string | null;
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
        ChangeTagsRequest: {
            /**
             * @description The chat gets these. A tag that does not exist is added
             * @example [
             *       "Refund",
             *       "VIP"
             *     ]
             */
            add?: string[];
            /**
             * @description The chat loses these
             * @example [
             *       "Refund",
             *       "VIP"
             *     ]
             */
            remove?: string[];
        };
        ChangeVisitorRequest: {
            /**
             * @description What is known of the visitor, merged by key; null removes a key. At most 50 keys like `^[a-zA-Z0-9_.-]{1,64}$`, and 4096 bytes as JSON
             * @example {
             *       "plan": "gold",
             *       "seats": 5,
             *       "trial": null
             *     }
             */
            attributes: {
                [key: string]: (string | number | boolean) | null;
            };
        };
        ChangedChat: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            title: string | null;
            /**
             * @description All attributes of the chat
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
        };
        ChangedVisitor: {
            /** @example vis_01h455vb4pex5vsknk084sn02q */
            visitorId: string;
            /**
             * @description All attributes of the visitor, after the change
             * @example {
             *       "plan": "gold",
             *       "seats": 5
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
        };
        ChatTags: {
            /** @description The tags of the chat, by name */
            tags: string[];
        };
        FoundMessage: {
            /** @description A part of the content, or of a file’s name if only that matches */
            snippet: string;
            /** @description What matches in `snippet`: start and end in UTF-16 units, the end exclusive */
            ranges: number[][];
            /** @example msg_01h455vb4pex5vsknk084sn02q */
            id: string;
            seq: number;
            /** Format: date-time */
            createdAt: string;
            sender: components["schemas"]["Sender"];
        };
        SeqHint: {
            /** @example cht_01h455vb4pex5vsknk084sn02q */
            chatId: string;
            latestSeq: number;
        };
        SetTagsRequest: {
            /**
             * @description The tags of the chat. A tag that does not exist is added
             * @example [
             *       "Refund",
             *       "VIP"
             *     ]
             */
            tags: string[];
        };
        StoredMessage: {
            message: components["schemas"]["Message"];
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
            /** @description With `text`: whether the visitor can stop the bot */
            canStop?: boolean;
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
        UsedTag: {
            name: string;
            /**
             * @description `#rrggbb`; null: none
             * @example #4353ff
             */
            color: string | null;
            /** @description How many chats have it, up to 1,000 */
            chats: number;
        };
        UsedTags: {
            /** @description The 50 most used */
            tags: components["schemas"]["UsedTag"][];
        };
        Actor: {
            /** @enum {string} */
            type: "BOT" | "AGENT" | "VISITOR" | "ADMIN" | "SYSTEM";
            id: string | null;
            name: string | null;
        };
        AiDisclosureText: {
            text?: string;
        };
        Assignee: {
            id: string;
            name: string;
            avatarUrl: string | null;
        };
        AttributeKey: {
            /** @example plan */
            key: string;
            /** @description Whether filters find all chats. Until then, they are a 409 with `not_ready` */
            isReady: boolean;
        };
        AttributeKeys: {
            /** @description In the order of the keys */
            keys: components["schemas"]["AttributeKey"][];
        };
        Chat: {
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
        };
        ChatAssignedData: {
            chat: components["schemas"]["EventChat"];
            agent: components["schemas"]["Named"];
            /** @enum {string} */
            how: "CLAIMED" | "OFFERED" | "AUTOMATIC" | "ASSIGNED";
            /** @description The time in the queue; 0 for a chat that was with the bots */
            waitedSeconds: number;
            previousAgent: components["schemas"]["Named"] | null;
            /** @description Who assigned it, when `how` is `ASSIGNED` */
            by?: components["schemas"]["Actor"];
        };
        /** @description An agent got the chat: by a claim, an offer, routing, or another person */
        ChatAssignedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.assigned";
            data: components["schemas"]["ChatAssignedData"];
        };
        ChatClosedData: {
            chat: components["schemas"]["EventChat"];
            by: components["schemas"]["Actor"];
        };
        /** @description An open chat was closed */
        ChatClosedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.closed";
            data: components["schemas"]["ChatClosedData"];
        };
        ChatCreatedData: {
            chat: components["schemas"]["EventChat"];
        };
        /** @description A chat started */
        ChatCreatedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.created";
            data: components["schemas"]["ChatCreatedData"];
        };
        ChatGroup: {
            id: string;
            name: string;
            /** @description The only bot that gets the group's chats; null: every bot does */
            botId: string | null;
        };
        ChatRatedData: {
            chat: components["schemas"]["EventChat"];
            rating: components["schemas"]["Rating"];
            by: components["schemas"]["Actor"];
        };
        /** @description The visitor rated the chat, or changed the rating */
        ChatRatedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.rated";
            data: components["schemas"]["ChatRatedData"];
        };
        ChatReopenedData: {
            chat: components["schemas"]["EventChat"];
            by: components["schemas"]["Actor"];
            /** @enum {string} */
            owner: "BOT" | "QUEUE" | "AGENT" | "NOBODY";
            agent: components["schemas"]["Named"] | null;
        };
        /** @description A closed chat was opened again */
        ChatReopenedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.reopened";
            data: components["schemas"]["ChatReopenedData"];
        };
        ChatReturnedData: {
            chat: components["schemas"]["EventChat"];
            by: components["schemas"]["Actor"];
            /** @description What the agent, or the other bot, wants the bot to know */
            note: string | null;
            /** @description If a bot passed it to another one: the group that had the chat */
            previousGroupId?: string;
            /** @description If a bot passed it to another one: why */
            reason?: string | null;
        };
        /** @description The chat went back to the bots */
        ChatReturnedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.returned";
            data: components["schemas"]["ChatReturnedData"];
        };
        ChatTaggedData: {
            chat: components["schemas"]["EventChat"];
            /** @description The tags that the chat got */
            added: string[];
            /** @description The tags that it lost */
            removed: string[];
            /** @description All tags that it has now, by name */
            tags: string[];
            by: components["schemas"]["Actor"];
        };
        /** @description The tags of a chat changed */
        ChatTaggedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.tagged";
            data: components["schemas"]["ChatTaggedData"];
        };
        ChatTransferredData: {
            chat: components["schemas"]["EventChat"];
            /** @description The group that had the chat */
            previousGroupId: string;
            /** @description The bot that transferred it */
            bot: components["schemas"]["Named"] | null;
            reason: string | null;
            by: components["schemas"]["Actor"];
            /** @example hof_01h455vb4pex5vsknk084sn02q */
            handoffId: string;
            /** @description The agent who had the chat */
            previousAgent: components["schemas"]["Named"] | null;
        };
        /** @description A chat moved to a group, where it waits for an agent */
        ChatTransferredEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.transferred";
            data: components["schemas"]["ChatTransferredData"];
        };
        ChatUnansweredData: {
            chat: components["schemas"]["EventChat"];
            /** @example hof_01h455vb4pex5vsknk084sn02q */
            handoffId: string;
            waitedSeconds: number;
            /** @enum {string} */
            availability: "AVAILABLE" | "BUSY" | "OFFLINE";
            /**
             * @description What became of the chat
             * @enum {string}
             */
            then: "KEPT" | "RETURNED_TO_BOT";
        };
        /** @description No agent took the chat in time */
        ChatUnansweredEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.unanswered";
            data: components["schemas"]["ChatUnansweredData"];
        };
        ChatUnassignedData: {
            chat: components["schemas"]["EventChat"];
            agent: components["schemas"]["Named"];
            /** @enum {string} */
            reason: "RELEASED" | "OFFLINE" | "DISABLED" | "DELETED" | "LEFT_GROUP" | "NO_ROOM";
        };
        /** @description The chat left its agent and waits again */
        ChatUnassignedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.unassigned";
            data: components["schemas"]["ChatUnassignedData"];
        };
        ChatUpdatedData: {
            chat: components["schemas"]["EventChat"];
            /** @description The new values of `attributes` by key; null: it was removed */
            changed: {
                [key: string]: (string | number | boolean) | null;
            };
            by: components["schemas"]["Actor"];
        };
        /** @description Attributes of a chat changed */
        ChatUpdatedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat.updated";
            data: components["schemas"]["ChatUpdatedData"];
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
            /**
             * @description What bots, agents, and administrators know of the visitor. The visitor never sees it
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
        };
        Chats: {
            /** @description Up to `limit` and about 1 MB, at least one */
            chats: components["schemas"]["Chat"][];
            /** @description Ask for the next page with it; null at the end */
            nextCursor: string | null;
        };
        /** @description An event. Its `type` says what `data` has */
        Event: components["schemas"]["MessageCreatedEvent"] | components["schemas"]["ChatCreatedEvent"] | components["schemas"]["ChatTransferredEvent"] | components["schemas"]["ChatAssignedEvent"] | components["schemas"]["ChatUnassignedEvent"] | components["schemas"]["ChatReturnedEvent"] | components["schemas"]["ChatUnansweredEvent"] | components["schemas"]["ChatReopenedEvent"] | components["schemas"]["ChatClosedEvent"] | components["schemas"]["ChatRatedEvent"] | components["schemas"]["ChatTaggedEvent"] | components["schemas"]["ChatUpdatedEvent"] | components["schemas"]["VisitorUpdatedEvent"] | components["schemas"]["MessageRatedEvent"] | components["schemas"]["HandoffRequestedEvent"];
        EventChat: {
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
        };
        FieldTexts: {
            label?: string;
            /** @description What is shown in the place of choices, by these */
            optionLabels?: {
                [key: string]: string;
            };
            placeholder?: string;
        };
        FormField: {
            /** @description The name of the value in the metadata of the chat: 1 to 64 of `a-z A-Z 0-9 _ . -` */
            key: string;
            label: string;
            /** @enum {string} */
            type: "text" | "textarea" | "email" | "tel" | "number" | "date" | "select" | "checkbox";
            isRequired?: boolean;
            /** @description The choices of a `select`, as they are stored */
            options?: string[];
            /** @description What is shown in the place of choices, by these */
            optionLabels?: {
                [key: string]: string;
            };
            placeholder?: string;
        };
        HandoffRequestedData: {
            chat: components["schemas"]["EventChat"];
            by: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the chat is transferred, unless a bot transfers it, ends it, or writes
             */
            transfersAt: string;
        };
        /** @description The visitor asked for a person */
        HandoffRequestedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "handoff.requested";
            data: components["schemas"]["HandoffRequestedData"];
        };
        MessageCreatedData: {
            chat: components["schemas"]["EventChat"];
            message: components["schemas"]["Message"];
        };
        /** @description A message was stored, from any sender */
        MessageCreatedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.created";
            data: components["schemas"]["MessageCreatedData"];
        };
        MessageRatedData: {
            chat: components["schemas"]["EventChat"];
            /** @description Which message of a bot it is; its text is not repeated */
            message: components["schemas"]["RatedMessage"];
            rating: components["schemas"]["MessageRating"];
            by: components["schemas"]["Actor"];
        };
        /** @description The visitor rated a message of a bot, or changed the rating */
        MessageRatedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message.rated";
            data: components["schemas"]["MessageRatedData"];
        };
        PingData: {
            /** @example whk_01h455vb4pex5vsknk084sn02q */
            webhookId: string;
        };
        /** @description An administrator tested the webhook */
        PingEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /** @enum {string} */
            type: "ping";
            data: components["schemas"]["PingData"];
        };
        ProactiveMessage: {
            /** @description Chats that begin with the message have it in their metadata, as proactiveMessage */
            id: string;
            text: string;
            /** @description Only pages whose path begins with one of these */
            paths?: string[];
            /** @description Not on pages whose path begins with one of these */
            excludedPaths?: string[];
            /** @description Seconds on the page */
            afterSeconds?: number;
            /** @description Pages seen in this visit, with this one */
            minPages?: number;
            /** @description How far down the page the visitor has scrolled, in percent */
            afterScrollPercent?: number;
            /**
             * @description Whether the visitor was on the site in an earlier visit
             * @enum {string}
             */
            visitor?: "new" | "returning";
        };
        Queue: {
            position: number;
            /** @description Null when too few chats were assigned lately to tell */
            estimatedWaitSeconds: number | null;
            /** @description Whether it's within the group's office hours */
            isOpen: boolean;
            /** @description Whether an agent of the group is online */
            isStaffed: boolean;
            /**
             * Format: date-time
             * @description When the group opens; null while it is open, and if it never opens
             */
            nextOpening: string | null;
        };
        RatedMessage: {
            /** @example msg_01h455vb4pex5vsknk084sn02q */
            id: string;
            seq: number;
            sender: components["schemas"]["Sender"];
        };
        Translation: {
            greeting?: string;
            consent?: string;
            questions?: string[];
            /** @description The texts of form fields, by their keys */
            formFields?: {
                [key: string]: components["schemas"]["FieldTexts"];
            };
            aiDisclosure?: components["schemas"]["AiDisclosureText"];
            /** @description Texts of proactive messages, by their ids */
            proactiveMessages?: {
                [key: string]: string;
            };
        };
        VisitorUpdatedData: {
            visitor: components["schemas"]["ChatVisitor"];
            /** @description The new values of `attributes` by key; null: it was removed */
            changed: {
                [key: string]: (string | number | boolean) | null;
            };
            /** @description The new values of `verifiedAttributes` by key; null: it was removed */
            changedVerified: {
                [key: string]: (string | number | boolean) | null;
            };
            /** @description The visitor, if an identity's attributes changed */
            by: components["schemas"]["Actor"];
        };
        /** @description Attributes of a visitor changed */
        VisitorUpdatedEvent: {
            /**
             * @description The same with every delivery of the event
             * @example evt_01h455vb4pex5vsknk084sn02q
             */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @example org_01h455vb4pex5vsknk084sn02q */
            organizationId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "visitor.updated";
            data: components["schemas"]["VisitorUpdatedData"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type CompletedFile = components['schemas']['CompletedFile'];
export type FieldError = components['schemas']['FieldError'];
export type File = components['schemas']['File'];
export type Message = components['schemas']['Message'];
export type MessageRating = components['schemas']['MessageRating'];
export type Messages = components['schemas']['Messages'];
export type Named = components['schemas']['Named'];
export type Problem = components['schemas']['Problem'];
export type Rating = components['schemas']['Rating'];
export type Read = components['schemas']['Read'];
export type ReadMarks = components['schemas']['ReadMarks'];
export type ReadRequest = components['schemas']['ReadRequest'];
export type ReplyTo = components['schemas']['ReplyTo'];
export type Sender = components['schemas']['Sender'];
export type StartUploadRequest = components['schemas']['StartUploadRequest'];
export type StartedUpload = components['schemas']['StartedUpload'];
export type ChangeChatRequest = components['schemas']['ChangeChatRequest'];
export type ChangeTagsRequest = components['schemas']['ChangeTagsRequest'];
export type ChangeVisitorRequest = components['schemas']['ChangeVisitorRequest'];
export type ChangedChat = components['schemas']['ChangedChat'];
export type ChangedVisitor = components['schemas']['ChangedVisitor'];
export type ChatTags = components['schemas']['ChatTags'];
export type FoundMessage = components['schemas']['FoundMessage'];
export type SeqHint = components['schemas']['SeqHint'];
export type SetTagsRequest = components['schemas']['SetTagsRequest'];
export type StoredMessage = components['schemas']['StoredMessage'];
export type Typing = components['schemas']['Typing'];
export type TypingEvent = components['schemas']['TypingEvent'];
export type TypingRequest = components['schemas']['TypingRequest'];
export type UsedTag = components['schemas']['UsedTag'];
export type UsedTags = components['schemas']['UsedTags'];
export type Actor = components['schemas']['Actor'];
export type AiDisclosureText = components['schemas']['AiDisclosureText'];
export type Assignee = components['schemas']['Assignee'];
export type AttributeKey = components['schemas']['AttributeKey'];
export type AttributeKeys = components['schemas']['AttributeKeys'];
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
export type Event = components['schemas']['Event'];
export type EventChat = components['schemas']['EventChat'];
export type FieldTexts = components['schemas']['FieldTexts'];
export type FormField = components['schemas']['FormField'];
export type HandoffRequestedData = components['schemas']['HandoffRequestedData'];
export type HandoffRequestedEvent = components['schemas']['HandoffRequestedEvent'];
export type MessageCreatedData = components['schemas']['MessageCreatedData'];
export type MessageCreatedEvent = components['schemas']['MessageCreatedEvent'];
export type MessageRatedData = components['schemas']['MessageRatedData'];
export type MessageRatedEvent = components['schemas']['MessageRatedEvent'];
export type PingData = components['schemas']['PingData'];
export type PingEvent = components['schemas']['PingEvent'];
export type ProactiveMessage = components['schemas']['ProactiveMessage'];
export type Queue = components['schemas']['Queue'];
export type RatedMessage = components['schemas']['RatedMessage'];
export type Translation = components['schemas']['Translation'];
export type VisitorUpdatedData = components['schemas']['VisitorUpdatedData'];
export type VisitorUpdatedEvent = components['schemas']['VisitorUpdatedEvent'];
