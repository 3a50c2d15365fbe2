/** The last request of each kind whose order matters, as a promise. An idle socket has none, which saves memory. */
export interface RequestOrder {
  sends?: Promise<unknown>;
  typing?: Promise<unknown>;
  /** Following chats and watching views. */
  views?: Promise<unknown>;
  visible?: Promise<unknown>;
}

/** Runs a socket's requests of one kind one after the other, in the order of their arrival. */
export function inOrder<T>(order: RequestOrder, kind: keyof RequestOrder, work: () => Promise<T>): Promise<T> {
  const done = (order[kind] ?? Promise.resolve()).then(work);
  order[kind] = done.catch(() => undefined);
  return done;
}
