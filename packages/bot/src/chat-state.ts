import { ParleyError } from './errors.js';
import type { Api } from './transport/api.js';
import type { BotState } from './wire.js';

type State = Record<string, unknown>;
/** What your own code has kept, without a type. */
// oxlint-disable-next-line typescript/no-explicit-any -- with unknown, JavaScript that is checked couldn't read what it has kept
type Untyped = Record<string, any>;

/** What the bot keeps about one chat, such as the step of a form. The visitor, agents, and other bots never see it. */
export class ChatState {
  // Private to the runtime too: code that logs a chat must not log the bot's token.
  readonly #api: Api;
  readonly #chatId: string;
  readonly #stopped: AbortSignal;

  constructor(api: Api, chatId: string, stopped: AbortSignal) {
    this.#api = api;
    this.#chatId = chatId;
    this.#stopped = stopped;
  }

  /** What is kept; `{}` when nothing was. */
  async get<T extends State = Untyped>(): Promise<T> {
    return (await this.read()).state as T;
  }

  /** Replaces it as a whole, in any version: at most 10,240 bytes of JSON. */
  async set(state: State): Promise<void> {
    await this.write({ state });
  }

  /**
   * Changes it without losing what another copy of the bot changes at the same time: `change` runs again when that happened.
   * @param change gets the state, and returns the new one
   * @returns the new state
   */
  async update<T extends State = Untyped>(change: (state: T) => T | Promise<T>): Promise<T> {
    for (;;) {
      const { state, version } = await this.read();
      const changed = await change(state as T);
      try {
        await this.write({ state: changed, version });
        return changed;
      } catch (error) {
        if (!(error instanceof ParleyError) || error.code !== 'precondition_failed') throw error;
      }
    }
  }

  private async read(): Promise<BotState> {
    return (await this.#api.call<BotState>('GET', this.path(), { signal: this.#stopped })).body;
  }

  private async write(body: { state: State; version?: number }): Promise<void> {
    await this.#api.call<BotState>('PUT', this.path(), { body, signal: this.#stopped });
  }

  private path(): string {
    return `/chats/${encodeURIComponent(this.#chatId)}/state`;
  }
}
