// Stops the answer of a bot, and tries again: a file that is loaded only where an AI writes, or a bot by address answers.
import { useEffect, useState } from 'preact/hooks';
import { retryAnswer, stopAnswer } from '../../client/feedback.js';
import { hasCode } from '../../../headless/errors.js';
import { focusPanel } from '../../panel/lib/focus.js';
import { usePanel } from '../../panel/lib/context.js';
import { useObservable } from '../../panel/lib/observable.js';
import { WORDS } from './words.js';

export { default as styles } from './styles.css?inline';

type State = 'idle' | 'busy' | 'stopped' | 'failed' | 'refused';

/** A button below the conversation: it stops the answer that's being written, or asks for another one. */
export function Answers() {
  const { client, strings } = usePanel();
  const chat = useObservable(client.chat);
  const last = useObservable(client.messages, (messages) =>
    messages.findLast(({ sender }) => sender.type !== 'SYSTEM'),
  );
  const isConnected = chat?.isConnected;
  const isTyping = useObservable(client.typing, (typists) => typists.some(({ type }) => type === 'BOT'));
  const canStop = useObservable(client.typing, (typists) => typists.some((typist) => typist.canStop));
  const isWriting = canStop || (isConnected && isTyping);
  const isSending = useObservable(client.pending).length > 0;
  const [state, setState] = useState<State>('idle');
  const [stop, stopped] = WORDS[strings.language] ?? WORDS.en!;
  const isOffered = chat?.owner === 'BOT' && !isSending;
  const isOfBot = last?.sender.type === 'BOT' && last.type !== 'QUICK_REPLY';
  // A stopped answer may have no words yet.
  const isRetryable = isConnected && (isOfBot || (last && state === 'stopped'));
  // A new message ends what's said here, but not the message of the stopped answer.
  useEffect(() => setState((now) => (now === 'stopped' && isOfBot ? now : 'idle')), [last?.id]);
  useEffect(() => void (isWriting && setState('idle')), [isWriting]);
  const act = async (button: HTMLElement, work: typeof stopAnswer | typeof retryAnswer, done: State) => {
    focusPanel(button);
    setState('busy');
    try {
      await work(client, chat!.id);
      // The new answer may come before the response, and has ended this state then.
      if (done !== 'busy') setState(done);
    } catch (error) {
      // What can't be tried again isn't offered any longer.
      setState(hasCode(error, 'conflict') ? 'refused' : 'failed');
    }
  };
  const isShown =
    isOffered && state !== 'busy' && state !== 'refused' && (isWriting ? state !== 'stopped' : isRetryable);
  return (
    <div class="answers">
      <span role="status">{state === 'stopped' ? stopped : state === 'failed' ? strings.failed : ''}</span>
      {isShown && (
        <button
          key={isWriting}
          class="text"
          onClick={({ currentTarget }) =>
            void (isWriting ? act(currentTarget, stopAnswer, 'stopped') : act(currentTarget, retryAnswer, 'busy'))
          }
        >
          {isWriting ? stop : strings.tryAgain}
        </button>
      )}
    </div>
  );
}
