import { Refusal } from '../api/request.js';
import { RequestError } from '../../headless/errors.js';
import type { KeptMessage } from '../../headless/outbox-store.js';
import { fill } from '../../headless/text.js';
import { strings } from '../locales/strings.js';

/** Explains an error. If two agents act on a chat, the slower one learns who was faster. */
export function explain(error: unknown): string {
  const text = strings.value;
  const { code, members } = toRefusal(error);
  const { requestId } = members;
  const name = members.assignedTo?.name ?? members.offeredTo?.name;
  switch (code) {
    case 'already_assigned':
      return name ? fill(text.whyTaken, { name }) : text.whyTakenByOther;
    case 'offered':
      return name ? fill(text.whyOffered, { name }) : text.whyTakenByOther;
    case 'not_assigned':
      if (name) return fill(text.whyNotYours, { name });
      return members.owner === 'NOBODY' ? text.whyEnded : text.whyNotYoursNow;
    case 'offer_ended':
      return text.offerEnded[(members.reason ?? 'EXPIRED') as keyof typeof text.offerEnded] ?? text.whyOfferEnded;
    case 'agent_unavailable':
      return text.whyAgentUnavailable;
    case 'no_bot':
      return text.whyNoBot;
    case 'conflict':
      return text.whyConflict;
    case 'not_found':
      return text.whyNotFound;
    case 'forbidden':
      return text.whyForbidden;
    case 'too_many':
      return text.whyTooManyFollowed;
    case 'rate_limited':
      return text.whyTooFast;
    case 'unreachable':
    case 'unavailable':
      return text.whyUnreachable;
    case 'ended':
      return text.whyEnded;
    case 'stale':
      return text.whyStale;
    default:
      return requestId ? fill(text.whyBroken, { requestId }) : text.whyUnknown;
  }
}

/** Why a message wasn't sent. */
export function explainUnsent({ error, files }: KeptMessage): string {
  // Its words were checked before, so it's the files: they're in another message, or were removed after a day.
  if (files && error?.code === 'validation_failed') return strings.value.whyFilesGone;
  return explain(error && new RequestError(error.code, error.detail));
}

function toRefusal(error: unknown): { code: string; members: Refusal['members'] } {
  if (error instanceof Refusal) return error;
  return { code: (error as { code?: string } | undefined)?.code ?? 'internal_error', members: {} };
}
