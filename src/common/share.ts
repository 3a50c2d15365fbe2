import DataLoader from 'dataloader';

/**
 * Lets questions that are asked at the same time share one query. The first is asked at once; those that come while it is
 * under way wait for its end and go together, so an idle system waits for nothing and a busy one asks less. Nothing is
 * remembered: an answer is never older than its question.
 * @param ask answers up to `max` questions, in their order
 */
export function share<Q, A>(ask: (questions: readonly Q[]) => Promise<A[]>, max: number): (question: Q) => Promise<A> {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  const loader = new DataLoader<Q, A>(
    async (questions) => {
      try {
        return await ask(questions);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else isBusy = false;
      }
    },
    {
      cache: false,
      maxBatchSize: max,
      batchScheduleFn: (dispatch) => {
        if (isBusy) return void waiting.push(dispatch);
        isBusy = true;
        // Not at once: the batch is scheduled before its first question is in it.
        queueMicrotask(dispatch);
      },
    },
  );
  return (question) => loader.load(question);
}
