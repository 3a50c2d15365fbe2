import { signal } from '@preact/signals';
import { isTransient } from '../../../headless/errors.js';
import { get, post } from '../../api/request.js';
import type { Offer, Row } from '../../api/types.js';
import { Readings } from '../../lib/readings.js';
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

/** @throws RequestError */
export async function readOffers(): Promise<void> {
  await readings.read(
    () => get<{ offers: Offer[] }>('/offers'),
    (read) => {
      if (!session.value) return;
      const fresh = read.offers.filter(({ id }) => !isKnown(id));
      offers.value = read.offers;
      fresh.forEach(onNew);
    },
  );
}

export function onOffer(offer: Offer): void {
  const isNew = !isKnown(offer.id);
  add(offer);
  if (isNew) onNew(offer);
}

/** Removes an offer. @param reason `EXPIRED` means the agent missed it */
export function onOfferEnded(end: { id: string; reason?: string }): void {
  const { id, reason } = end;
  readings.note(() => onOfferEnded(end));
  const offer = offers.value.find((one) => one.id === id);
  if (offer && reason === 'EXPIRED') onMissed(offer);
  offers.value = offers.value.filter((offer) => offer.id !== id);
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
