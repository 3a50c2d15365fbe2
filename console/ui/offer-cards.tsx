import { fill } from '../../headless/text.js';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api/request.js';
import type { Detail, Offer, Row } from '../api/types.js';
import { lastWords, reasonWords, visitorName } from '../lib/names.js';
import { plural, strings } from '../locales/strings.js';
import { acceptOffer, accepts, declineOffer } from '../state/actions.js';
import { askForNotifications, notificationPermission } from '../state/alerts/alerts.js';
import { now, serverNow } from '../state/clock.js';
import { offers } from '../state/inbox/offers.js';
import { rowOf } from '../state/inbox/rows.js';
import { isSoundAllowed, wantsSound } from '../state/alerts/sound.js';
import { me } from '../state/session.js';
import { inFlight, offerSubject } from '../state/steady.js';
import { Avatar } from './parts/avatar.js';
import { Icon } from './parts/icon.js';
import { Keys, Marked, Name } from './parts/rich.js';
import { focusComposer, openDialogs } from './screen.js';

/** The offers of this agent, and the notice after missed ones. */
export function OfferCards() {
  const text = strings.value;
  const [first] = offers.value;
  return (
    <section class="offers" aria-label={text.offers}>
      {me().pauseReason === 'MISSED_OFFERS' && <Missed />}
      {/* One at a time, so that the page below stays reachable. */}
      {first && <OfferCard key={first.id} offer={first} />}
      {offers.value.length > 1 && <p class="offer-more">{plural(text.moreOffers, offers.value.length - 1)}</p>}
    </section>
  );
}

/** Accepts an offer, opens the chat, and puts the cursor into its field. */
export async function takeOffer(offer: Offer): Promise<void> {
  if (await acceptOffer(offer)) focusComposer();
}

function OfferCard({ offer }: { offer: Offer }) {
  const text = strings.value;
  const { chat, expiresAt } = offer;
  const name = visitorName(chat);
  const handoff = useHandoff(rowOf(chat.id) ?? chat);
  const ofBot = handoff?.summary ?? (handoff?.reason && reasonWords(handoff.reason));
  const about = ofBot ?? lastWords(chat);
  const words = useRef<HTMLDivElement>(null);
  // The full text as a title, without Markdown.
  useLayoutEffect(() => void (words.current!.title = words.current!.textContent), [about]);
  const [total] = useState(() => Math.max(1, Date.parse(expiresAt) - serverNow()));
  const left = Math.min(total, Math.max(0, Date.parse(expiresAt) - now.value));
  const seconds = Math.round(left / 1000);
  return (
    <div
      class="offer"
      role="alertdialog"
      aria-label={`${text.newOffer}: ${name}`}
      aria-describedby={`about-${offer.id}`}
    >
      <header>
        <Avatar id={chat.visitor.id} name={name} />
        <div>
          <p class="offer-title">{text.newOffer}</p>
          <p class="offer-who">
            <Name class="offer-name" name={name} />
            {chat.group && <Name class="hint" name={chat.group.name} />}
          </p>
        </div>
        <span class={`countdown ${seconds <= 10 ? 'soon' : ''}`} title={plural(text.secondsLeft, seconds)}>
          <span aria-hidden="true">{seconds}</span>
        </span>
      </header>
      <div class="words" id={`about-${offer.id}`} dir="auto" ref={words}>
        {ofBot ? <Marked text={about} /> : about}
      </div>
      <progress value={left} max={total} aria-label={plural(text.secondsLeft, Math.ceil(seconds / 10) * 10)} />
      <footer>
        <button type="button" class="button primary" {...answering(offer, takeOffer)}>
          <Icon name="check" />
          {text.accept}
          <Keys keys={openDialogs.value > 0 ? 'Alt C' : 'c'} />
        </button>
        <button type="button" class="button" {...answering(offer, declineOffer)}>
          {text.decline}
          <Keys keys={openDialogs.value > 0 ? 'Alt D' : 'd'} />
        </button>
      </footer>
      <AlertHints />
    </div>
  );
}

/** A button of a card: it works once the card has been shown for a moment, and while no answer is in flight. */
export function answering<T extends { id: string }>(subject: T, answer: (subject: T) => unknown) {
  const isReady = offerSubject.isSteady.value && !inFlight.value.has(subject.id);
  return { 'aria-disabled': !isReady, onClick: () => isReady && void answer(subject) };
}

/** The bot's handoff, which may change while the chat waits. */
function useHandoff({ id, rev }: Row): Detail['handoff'] {
  const [handoff, setHandoff] = useState<Detail['handoff']>(null);
  useEffect(() => {
    let isLatest = true;
    get<Detail>(`/chats/${id}`).then(
      (detail) => isLatest && setHandoff(detail.handoff),
      () => undefined,
    );
    return () => {
      isLatest = false;
    };
  }, [id, rev]);
  return handoff;
}

function AlertHints() {
  const text = strings.value;
  const isSilent = wantsSound.value && !isSoundAllowed.value;
  const asks = notificationPermission.value === 'default';
  if (!isSilent && !asks) return null;
  return (
    <p class="hint small offer-hints">
      {isSilent && (
        <span>
          <Icon name="silent" />
          {text.soundOff}
        </span>
      )}
      {asks && (
        <button type="button" class="button link" onClick={() => void askForNotifications()}>
          <Icon name="bell" />
          {text.askNotifications}
        </button>
      )}
    </p>
  );
}

function Missed() {
  const text = strings.value;
  return (
    <div class="offer missed" role="alert">
      <p>
        <Icon name="pause" />
        {text.missedOffers}
      </p>
      <button type="button" class="button primary" {...answering(me(), () => accepts(true))}>
        {text.goOn}
      </button>
    </div>
  );
}

/** An offer as an entry of the command palette. */
export function offerWords(offer: Offer): string {
  return `${strings.value.accept}: ${fill(strings.value.offerTitle, { name: visitorName(offer.chat) })}`;
}
