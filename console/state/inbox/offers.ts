import { signal } from '@preact/signals';
import { isTransient } from '../../../headless/errors.js';
import { get, post } from '../../api/request.js';
import type { Offer, Row } from '../../api/types.js';
import { Readings } from '../../lib/readings.js';
import { serverNow } from '../clock.js';
import { session } from '../session.js';

/** This agent's pending offers, oldest first. */
export const offers = signal<readonly Offer[]>([]);

const readings = new Readings();
let onNew = (_offer: Offer): void => undefined;
let onMissed = (_offer: Offer): void => undefined;

/** Sets the listeners for new and missed offers. */
export function watchOffers(listener: (offer: Offer) => void, missed: (offer: Offer) => void): void {
  onNew = listener;
  onMissed = missed;
}

/** Offers that were announced, until this page learns how they ended. A response may lack one before the event with its end arrives. */
const announced = new Map<string, Offer>();

/** @throws RequestError */
export async function readOffers(): Promise<void> {
  await readings.read(
    () => get<{ offers: Offer[] }>('/offers'),
    (read) => {
      if (session.value) offers.value = read.offers;
    },
  );
  announce();
  // Its end may have been lost with the connection.
  for (const { id, expiresAt } of announced.values())
    if (!isKnown(id) && Date.parse(expiresAt) <= serverNow()) onOfferEnded({ id, reason: 'EXPIRED' });
}

export function onOffer(offer: Offer): void {
  add(offer);
  announce();
}

function announce(): void {
  for (const offer of offers.value) {
    if (announced.has(offer.id)) continue;
    announced.set(offer.id, offer);
    onNew(offer);
  }
}

/** Forgets everything, so that the next agent who signs in learns nothing of it. */
export function forgetOffers(): void {
  offers.value = [];
  announced.clear();
}

/** Removes an offer. @param reason `EXPIRED` means the agent missed it */
export function onOfferEnded(end: { id: string; reason?: string }): void {
  const { id, reason } = end;
  readings.note(() => onOfferEnded(end));
  const offer = announced.get(id);
  announced.delete(id);
  offers.value = offers.value.filter((one) => one.id !== id);
  if (offer && reason === 'EXPIRED') onMissed(offer);
}

function add(offer: Offer): void {
  readings.note(() => add(offer));
  if (!isKnown(offer.id)) offers.value = [...offers.value, offer];
}

function isKnown(offerId: string): boolean {
  return offers.value.some(({ id }) => id === offerId);
}

/** Accepts an offer. It stays if the error is temporary. @throws Refusal offer_ended */
export function accept({ id }: Offer): Promise<Row> {
  return answer(id, () => post<Row>(`/offers/${id}/accept`));
}

/** Declines an offer. It stays if the error is temporary. @throws Refusal offer_ended */
export function decline({ id }: Offer): Promise<void> {
  return answer(id, () => post(`/offers/${id}/decline`));
}

async function answer<T>(id: string, send: () => Promise<T>): Promise<T> {
  try {
    const answered = await send();
    onOfferEnded({ id });
    return answered;
  } catch (error) {
    if (!isTransient(error)) onOfferEnded({ id });
    throw error;
  }
}
