/** The last request of each kind whose order matters, as a promise. */
export interface RequestOrder {
  sends: Promise<unknown>;
  typing: Promise<unknown>;
  /** Following chats and watching views. */
  views: Promise<unknown>;
}

export function newRequestOrder(): RequestOrder {
  return { sends: Promise.resolve(), typing: Promise.resolve(), views: Promise.resolve() };
}

/** Runs a socket's requests of one kind one after the other, in the order of their arrival. */
export function inOrder<T>(order: RequestOrder, kind: keyof RequestOrder, work: () => Promise<T>): Promise<T> {
  const done = order[kind].then(work);
  order[kind] = done.catch(() => undefined);
  return done;
}
