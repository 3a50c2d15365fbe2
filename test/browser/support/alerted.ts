import { eventually } from '../../support/eventually.js';
import type { Desk } from './desk.js';

const WATCH = `{
  const Tone = OscillatorNode;
  window.tones = 0;
  window.OscillatorNode = class extends Tone {
    constructor(...given) {
      super(...given);
      window.tones++;
    }
  };
  const Audio = AudioContext;
  window.AudioContext = class extends Audio {
    constructor() {
      super();
      window.audio = this;
    }
  };
  window.told = [];
  window.Notification = class extends EventTarget {
    static permission = 'granted';
    static requestPermission = () => Promise.resolve('granted');
    constructor(title, options) {
      super();
      window.told.push({ title, ...options });
      window.clickLast = () => this.dispatchEvent(new Event('click'));
    }
    close() {}
  };
  window.isAway = false;
  document.hasFocus = () => !window.isAway;
  Object.defineProperty(document, 'hidden', { get: () => window.isAway });
  Object.defineProperty(document, 'visibilityState', { get: () => (window.isAway ? 'hidden' : 'visible') });
}`;

/** Counts the notifications and sounds of an agent's browser, which allows both. */
export class Alerted {
  private constructor(readonly desk: Desk) {}

  static async at(desk: Desk): Promise<Alerted> {
    await desk.visit.context.addInitScript(WATCH);
    await desk.page.reload();
    await desk.isLive();
    return Alerted.heard(desk);
  }

  /** The browser allows sounds after the first key. */
  private static async heard(desk: Desk): Promise<Alerted> {
    await desk.page.keyboard.press('Shift');
    // The page's policy forbids `waitForFunction` to evaluate a text.
    await eventually(() => desk.page.evaluate(`window.audio?.state === 'running'`), Boolean);
    return new Alerted(desk);
  }

  /** The same agent in another tab of the same browser. */
  async beside(desk: Desk): Promise<Alerted> {
    await desk.isLive();
    return Alerted.heard(desk);
  }

  /** The agent leaves the tab, or comes back. */
  async go(isAway: boolean): Promise<void> {
    await this.desk.page.evaluate(
      `isAway = ${isAway}; document.dispatchEvent(new Event('visibilitychange')); dispatchEvent(new Event('blur'))`,
    );
  }

  /** Waits until this many tones were played. */
  async hears(count: number): Promise<void> {
    await eventually(
      () => this.tones(),
      (tones) => tones === count,
    );
  }

  tones(): Promise<number> {
    return this.desk.page.evaluate('tones');
  }

  told(): Promise<{ title: string; body: string }[]> {
    return this.desk.page.evaluate('told.map(({ title, body }) => ({ title, body }))');
  }

  /** Waits until this was shown. */
  async isTold(title: string): Promise<void> {
    await eventually(
      () => this.told(),
      (told) => told.some((one) => one.title === title),
    );
  }

  clickLast(): Promise<unknown> {
    return this.desk.page.evaluate('clickLast()');
  }
}
