import type { SnapshotChange } from '../../model/transcript.js';
import type { Json } from '../wire-json.js';
import { checkedMessage } from './fields.js';
import type { RunItems } from './items.js';
import { isKnownOperation, PatchedDocument, PatchError, TooLargeError } from './json-patch.js';
import { mergeSnapshot } from './snapshot.js';

/** The most bytes of a chat's state. */
const MAX_STATE_BYTES = 64 * 1024;

/** What a run changes of the thread besides its own messages: the state, and earlier messages. */
export class ThreadState {
  change: SnapshotChange | null = null;
  /** Assistants' messages that only a snapshot has. */
  answers: string[] = [];
  /** The state of the run; null if nothing has changed it, or it became too large. */
  private changed: PatchedDocument | null = null;
  /** Whether changes were lost: what follows them can't be applied, unless it's a whole state. */
  private isLost = false;

  constructor(
    private readonly state: unknown,
    private readonly sentIds: ReadonlySet<string>,
    private readonly warn: (warning: string) => void,
  ) {}

  replace(state: unknown): void {
    this.isLost = false;
    this.tryTo(() => (this.changed = new PatchedDocument(state, MAX_STATE_BYTES)));
  }

  patch(operations: readonly unknown[]): void {
    if (this.isLost) return;
    const known = operations.filter(isKnownOperation);
    if (known.length < operations.length) this.warn('STATE_DELTA: unknown op');
    this.tryTo(() => {
      const document = this.changed ?? new PatchedDocument(structuredClone(this.state ?? {}), MAX_STATE_BYTES);
      document.apply(known);
      this.changed = document;
    });
  }

  private tryTo(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      if (!(error instanceof TooLargeError)) return this.warn(`STATE_DELTA: ${error.message}`);
      this.warn(`state: ${error.message}, so the old one stays`);
      this.changed = null;
      this.isLost = true;
    }
  }

  /** The state after the run; undefined if it's the same. */
  changedState(): unknown {
    const { changed } = this;
    if (!changed) return undefined;
    // Many small changes may have nested it deeply.
    this.tryTo(() => new PatchedDocument(changed.value, MAX_STATE_BYTES));
    return this.changed?.value;
  }

  /** Takes a snapshot of the thread. Returns the messages of the run after it. @throws RunFailure protocol */
  mergeMessages(snapshot: readonly unknown[], messages: readonly Json[]): Json[] {
    const checked = snapshot.map(checkedMessage);
    if (checked.includes(null)) this.warn('MESSAGES_SNAPSHOT: unknown role');
    const given = checked.filter((message) => message !== null);
    const merged = mergeSnapshot(given, messages, this.sentIds);
    this.change = merged.change;
    this.answers.push(...merged.answers);
    return merged.messages;
  }

  /** Keeps an encrypted value with the message or the call that it names. */
  encrypt({ subtype, entityId, encryptedValue, encryptedValueType }: Json, items: RunItems): void {
    if (subtype !== 'message' && subtype !== 'tool-call')
      return this.warn('REASONING_ENCRYPTED_VALUE: unknown subtype');
    const target = items.find(entityId as string, subtype === 'tool-call');
    if (!target) return this.warn('REASONING_ENCRYPTED_VALUE: no such message or call');
    target.encryptedValue = encryptedValue;
    delete target.encryptedValueType;
    if (typeof encryptedValueType === 'string') target.encryptedValueType = encryptedValueType;
  }
}
