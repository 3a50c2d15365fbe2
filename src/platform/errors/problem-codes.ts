/** The parts of the page of errors, in its order. @public scripts/reference reads it from the build */
export const PROBLEM_GROUPS = {
  requests: 'Every request',
  chats: 'Changes of a chat',
  bots: 'Bots',
  agents: 'Agents and signing in',
  visitors: 'Visitors',
  files: 'Files',
} as const;

interface ProblemRow {
  status: number;
  /** A summary that is the same for every occurrence (RFC 9457, section 3.1.3). */
  title: string;
  group: keyof typeof PROBLEM_GROUPS;
  /** What it means, as Markdown. */
  meaning: string;
  /** What to do, as Markdown. */
  action: string;
  /** Whether the same request may succeed later. */
  isTransient?: true;
}

/**
 * Every `code` of an error, over HTTP and sockets (CONTRACT: Conventions). No other code compiles. The page of errors, the OpenAPI
 * documents, and the clients' `errorCodes` are generated from it (`npm run generate:reference`).
 */
export const PROBLEMS = {
  unauthorized: {
    status: 401,
    title: 'Not authenticated',
    group: 'requests',
    meaning:
      'The token is missing, malformed, unknown, expired, or revoked, or the email address or password is wrong.',
    action: 'Get a new token: create one, start a new session, or sign in again. The same token stays rejected.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    group: 'requests',
    meaning:
      "The token is valid, but doesn't permit this: the agent's role is too low, the page's origin isn't in `allowedOrigins`, or the request needs `ADMIN_TOKEN`.",
    action: 'Read `detail`: it names the missing role, origin, or token.',
  },
  validation_failed: {
    status: 400,
    title: 'Invalid field',
    group: 'requests',
    meaning: 'At least one field breaks its rule. `errors` names each of them.',
    action: 'Correct the fields in `errors`.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    group: 'requests',
    meaning: "The body isn't complete JSON in UTF-8.",
    action: 'Send valid JSON in UTF-8.',
  },
  body_too_large: {
    status: 400,
    title: 'Body too large',
    group: 'requests',
    meaning: 'The body has more bytes or values than [its route or event allows](../operate/security.md#bodies).',
    action: 'Send less, and JSON without indentation. `detail` has the limit.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    group: 'requests',
    meaning:
      "The object doesn't exist, or you may not see it: it belongs to another organization, another visitor, or another group. Or no such route, event, or namespace exists.",
    action: "Check the ids and the address. A retry doesn't help.",
  },
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    group: 'requests',
    meaning:
      'The object is in a state that rules the request out: a chat is closed, a unique value is taken, or a limit of the organization is reached.',
    action: 'Read `detail` and the object, then decide again.',
  },
  not_ready: {
    status: 409,
    title: 'Not ready yet',
    group: 'requests',
    meaning: 'The key of the filter was added a moment ago, and the existing chats are still being read.',
    action: 'Try again later: it takes up to 60 s for 100,000 chats. `GET …/attribute-keys` says when it is ready.',
    isTransient: true,
  },
  mail_off: {
    status: 409,
    title: 'Mail is off',
    group: 'requests',
    meaning: 'This installation sends no e-mails, or the organization sends none of this kind.',
    action: 'Set [up mail](../operate/mail.md), or change `mail` of the organization.',
  },
  no_address: {
    status: 409,
    title: 'No e-mail address',
    group: 'requests',
    meaning: 'The visitor has no e-mail address, or one that e-mails came back from, or unsubscribed.',
    action: 'Ask the visitor for another address. `detail` says what it is.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed since you read it',
    group: 'requests',
    meaning: 'The object changed since the version that `If-Match` names. Nothing was stored.',
    action: 'Read the object again, apply your change to it, and send its new `ETag`.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    group: 'requests',
    meaning: "The body isn't `application/json` in UTF-8, or has a `Content-Encoding` that the route doesn't accept.",
    action: 'Send `Content-Type: application/json`. Compress with `gzip` or `deflate`, or not at all.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    group: 'requests',
    meaning: 'You reached [a limit](../operate/security.md#limits). The request had no effect.',
    action: 'Wait as many seconds as `Retry-After` says, then send the request again.',
    isTransient: true,
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    group: 'requests',
    meaning: 'A bug in Parley. The log of the node has the cause under the `requestId`.',
    action: 'Retry with back-off, and report the `requestId` to the people who run Parley.',
    isTransient: true,
  },
  unavailable: {
    status: 503,
    title: 'Unavailable at the moment',
    group: 'requests',
    meaning:
      "The database can't be reached, the node is shutting down or overloaded, or the request took too long. It may have had its effect.",
    action:
      'Wait as many seconds as `Retry-After` says, then retry with the same `Idempotency-Key` or `clientMessageId`.',
    isTransient: true,
  },
  already_assigned: {
    status: 409,
    title: 'Chat already assigned',
    group: 'chats',
    meaning: 'Another agent has the chat. `assignedTo` is that agent.',
    action: 'Leave the chat to `assignedTo`. A supervisor may assign it to another agent.',
  },
  not_assigned: {
    status: 409,
    title: 'Chat not assigned to you',
    group: 'chats',
    meaning: "Only the chat's agent may do this. `owner` and `assignedTo` say who has the chat now.",
    action: 'Claim the chat first, if it waits or is with a bot.',
  },
  offered: {
    status: 409,
    title: 'Chat offered to another agent',
    group: 'chats',
    meaning: 'Routing offered the chat to the agent in `offeredTo`, until `expiresAt`.',
    action: 'Wait until the offer ends, or choose another chat.',
  },
  agent_unavailable: {
    status: 409,
    title: 'Agent unavailable',
    group: 'chats',
    meaning: "The chat can't be assigned to this agent, who is disabled or isn't in the chat's group.",
    action: "Choose another agent, or transfer the chat to one of the agent's groups first.",
  },
  no_bot: {
    status: 409,
    title: 'No bot in the organization',
    group: 'chats',
    meaning: "The chat can't be returned to the bots, because the organization has none.",
    action: 'Create a bot, or transfer the chat to a group.',
  },
  not_owner: {
    status: 409,
    title: 'Chat with another owner',
    group: 'bots',
    meaning:
      'The request has `ifOwner`, or the bot has `onlyOwnChats`, and the chat is with `owner` now. Nothing was stored.',
    action: 'Stop answering this chat. A bot gets `chat.returned` when the chat comes back.',
  },
  nobody_available: {
    status: 409,
    title: 'No agent available',
    group: 'bots',
    meaning:
      'The transfer has `ifUnavailable: "FAIL"`, and no agent of the group can take the chat. `availability` is the state of the group, and `nextOpening` the time when its office hours begin. The chat stays with the bot.',
    action: 'Tell the visitor when agents answer, or transfer without `ifUnavailable`, so that the chat waits.',
  },
  not_waiting: {
    status: 409,
    title: 'Chat not waiting',
    group: 'bots',
    meaning: "The bot wants the chat back, but the chat isn't waiting for an agent. It's with `owner`.",
    action: 'Leave the chat to `owner`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key already used',
    group: 'bots',
    meaning: 'The `Idempotency-Key` was used with another body in the last 24 hours.',
    action: 'Send a new key for a new request. Send the same body in a retry.',
  },
  superseded: {
    status: 409,
    title: 'Superseded by a newer poll',
    group: 'bots',
    meaning: "A newer call is waiting for this bot's events. Only one can wait.",
    action:
      'Stop polling in this process. Copies of one bot poll with `share`; other processes need a bot of their own.',
  },
  offer_ended: {
    status: 409,
    title: 'Offer ended',
    group: 'agents',
    meaning: 'The offer was answered, expired, or was withdrawn. `reason` says which.',
    action: 'Remove the offer from the screen. The chat may still be free to claim.',
  },
  too_many: {
    status: 409,
    title: 'Too many followed chats',
    group: 'agents',
    meaning: 'This socket follows 20 chats already, or the agent follows 50.',
    action: 'Unfollow a chat, by `chat:unfollow` or by deleting its `followed`, then follow this one.',
  },
  wrong_password: {
    status: 403,
    title: 'Wrong password',
    group: 'agents',
    meaning: 'To change the password, the current one is needed, and `current` is wrong.',
    action: 'Ask the agent for the current password, or use a sign-in link.',
  },
  organization_required: {
    status: 409,
    title: 'Organization required',
    group: 'agents',
    meaning: 'The email address and password are right in several `organizations`.',
    action: 'Ask the agent to choose one, and sign in again with its `organizationId`.',
  },
  offer_over: {
    status: 409,
    title: 'Choices replaced',
    group: 'visitors',
    meaning: 'A newer message replaced the choices that `replyTo` answers.',
    action: 'Show only the newest choices as clickable. The visitor can send the text as a message.',
  },
  blocked: {
    status: 403,
    title: 'Visitor blocked',
    group: 'visitors',
    meaning: 'An agent has blocked this visitor.',
    action: "Say that the chat isn't available, without a reason. Keep the token: a new one would be a new visitor.",
  },
  captcha_required: {
    status: 403,
    title: 'Captcha required',
    group: 'visitors',
    meaning: 'A new visitor of this organization solves a captcha first, or the response was not accepted.',
    action:
      'Show the captcha that the [settings](../website/settings.md#captcha) name, and send its response as `visitor.captcha`. Each response works once.',
  },
  not_ended: {
    status: 409,
    title: 'Chat not ended',
    group: 'visitors',
    meaning: 'The chat is open. Only a closed chat can be rated.',
    action: 'Ask for the rating when the chat is closed.',
  },
  handoff_off: {
    status: 409,
    title: 'Asking for a person turned off',
    group: 'visitors',
    meaning: "The organization doesn't let visitors ask for a person.",
    action: 'Offer it only if the [settings](../website/settings.md) have a number in `personAfter`.',
  },
  rating_off: {
    status: 409,
    title: 'Ratings turned off',
    group: 'visitors',
    meaning: "The organization doesn't ask for ratings of chats, or of messages.",
    action:
      'Ask for a rating only if the [settings](../website/settings.md) have `rating: true`, and of messages only with `messageRating: true`.',
  },
  rating_over: {
    status: 409,
    title: 'Rating final',
    group: 'visitors',
    meaning: 'A rating can be changed 10 times, and the rating of a chat for 24 hours only.',
    action: 'Show the rating without a way to change it.',
  },
  not_uploaded: {
    status: 409,
    title: 'No bytes yet',
    group: 'files',
    meaning: 'No whole body has arrived for this upload: no PUT yet, one that is under way, or one that was cut.',
    action: 'Send the bytes with PUT, then call `complete` again.',
  },
  size_mismatch: {
    status: 409,
    title: 'Wrong size',
    group: 'files',
    meaning: "The body has another length than the upload's `size`.",
    action: 'Send exactly `size` bytes with PUT, then call `complete` again.',
  },
  type_not_allowed: {
    status: 409,
    title: 'Type not allowed',
    group: 'files',
    meaning: "The bytes are of no type that may be sent, or a picture can't be cleaned. Final.",
    action: "Send another file. The name and the declared type don't matter.",
  },
  image_too_large: {
    status: 409,
    title: 'Picture too large',
    group: 'files',
    meaning: 'The picture has more than 50,000,000 pixels. Final.',
    action: 'Send a smaller picture.',
  },
  infected: {
    status: 409,
    title: 'Infected',
    group: 'files',
    meaning: 'The scanner found something in the file. Final.',
    action: "Don't send the file.",
  },
  quota_exceeded: {
    status: 409,
    title: 'No room left',
    group: 'files',
    meaning: "The organization's `fileQuota` has no room for the file.",
    action: 'Remove files, or let an administrator raise `fileQuota`.',
  },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The address of the page of errors. It stays when the page moves, because it's part of every `type` (CONTRACT: Conventions). */
export const ERRORS_PATH = '/docs/errors';

/**
 * The `type` of a problem: the address of its row.
 * @param publicUrl PUBLIC_URL; without it, the address is relative to the service
 */
export function problemType(code: ProblemCode, publicUrl = ''): string {
  return `${publicUrl.replace(/(?<!\/)\/+$/, '')}${ERRORS_PATH}#${code}`;
}
