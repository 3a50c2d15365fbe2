import { signal } from '@preact/signals';
import { get, post } from '../api/request.js';
import type { Offer, Row } from '../api/types.js';
import { session } from './session.js';

/** The chats that routing asks this agent to take, the oldest question first. */
export const offers = signal<readonly Offer[]>([]);

let onNew = (_offer: Offer): void => undefined;

/** Names what is called with each offer that is new. */
export function watchOffers(listener: (offer: Offer) => void): void {
  onNew = listener;
}

/** @throws RequestError */
export async function readOffers(): Promise<void> {
  const read = await get<{ offers: Offer[] }>('/offers');
  if (!session.value) return;
  const known = new Set(offers.value.map(({ id }) => id));
  offers.value = read.offers;
  for (const offer of read.offers) if (!known.has(offer.id)) onNew(offer);
}

export function onOffer(offer: Offer): void {
  if (offers.value.some(({ id }) => id === offer.id)) return;
  offers.value = [...offers.value, offer];
  onNew(offer);
}

export function onOfferEnded({ id }: { id: string }): void {
  offers.value = offers.value.filter((offer) => offer.id !== id);
}

/** Takes the chat. @throws Refusal offer_ended */
export async function accept({ id }: Offer): Promise<Row> {
  try {
    return await post<Row>(`/offers/${id}/accept`);
  } finally {
    onOfferEnded({ id });
  }
}

/** Leaves the chat to others. @throws RequestError */
export async function decline({ id }: Offer): Promise<void> {
  await post(`/offers/${id}/decline`);
  onOfferEnded({ id });
}
