import DataLoader from 'dataloader';
import { overloaded } from '../http/problem.js';

/** A question that is asked together with others, and how many of them wait for their answer now. */
export interface Shared<Q, A> {
  (question: Q): Promise<A>;
  readonly unanswered: number;
}

/**
 * Lets questions that are asked at the same time share one query: those that one turn of the event loop brings, then those
 * that come while a query is under way, which wait for its end and go together. There is no timer, so an idle system waits
 * for nothing and a busy one asks less. Nothing is remembered: an answer is never older than its question.
 * @param ask answers up to `max` questions, in their order; an Error is the answer of its question alone
 * @param maxWaiting questions that may wait; one more is refused at once with 503 instead of piling up
 * @param pause milliseconds that pass after each query before the next: fewer and larger ones, where haste is needless
 */
export function batch<Q, A>(
  ask: (questions: readonly Q[]) => Promise<(A | Error)[]>,
  max: number,
  { pause = 0, maxWaiting = Number.POSITIVE_INFINITY } = {},
): Shared<Q, A> {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  let unanswered = 0;

  const goOn = () => {
    const next = waiting.shift();
    if (next) next();
    else isBusy = false;
  };

  const loader = new DataLoader<Q, A>(
    async (questions) => {
      try {
        return await ask(questions);
      } finally {
        if (pause > 0) setTimeout(goOn, pause);
        else setImmediate(goOn);
      }
    },
    {
      cache: false,
      maxBatchSize: max,
      batchScheduleFn: (dispatch) => {
        if (isBusy) return void waiting.push(dispatch);
        isBusy = true;
        // A turn brings what many connections have sent: asking before its end would leave all but the first to the next query.
        setImmediate(dispatch);
      },
    },
  );
  const shared = async (question: Q): Promise<A> => {
    if (unanswered >= maxWaiting + max) throw overloaded();
    unanswered++;
    try {
      return await loader.load(question);
    } finally {
      unanswered--;
    }
  };
  return Object.defineProperty(shared, 'unanswered', { get: () => unanswered }) as Shared<Q, A>;
}
