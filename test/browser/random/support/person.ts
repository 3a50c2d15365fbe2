import { eventually } from '../../../support/eventually.js';
import type { Page, Route } from 'playwright-core';
import type { Random } from '../../../faults/support/random.js';
import { Road } from '../../../support/road.js';
import { Desk, makeAgent } from '../../support/desk.js';
import type { Stage } from '../../support/stage.js';
import { type Asked, type Entry, LETTERS, type Place, RECORDER } from './recorder.js';

/** How long a chat has to be shown before an action may hit it, in milliseconds. */
const SHOWN_MS = 500;
/** How long an offer has to be shown before an action may answer it, in milliseconds. */
const OFFERED_MS = 1_000;
/** How long it may take to change several chats over a bad connection, in milliseconds. */
const TOGETHER_MS = 15_000;
/** Someone who paused for this long reads the page again before typing on, in milliseconds. */
const LOOKS_AFTER_MS = 600;

const ACTION = /\/api\/agent\/chats\/(cht_\w+)\/(claim|close|release|return|transfer|assign|snooze|wake|reopen)$/;
const ANSWER = /\/offers\/(\w+)\/(accept|decline)$/;

interface Look {
  name: string;
  kind: Place['kind'] | null;
  hasDialog: boolean;
  told: string[];
  /** The visitors whose chats are selected. */
  chosen: string[];
}

/** What the people of a run share. */
export interface Team {
  stage: Stage;
  /** The chats' visitors, by chat id. */
  names: Map<string, string>;
  /** The next word. */
  word: () => string;
  /** What broke an invariant. */
  faults: string[];
}

/** Someone who works in the console without looking twice, over a bad connection. */
export class Person {
  /** The letters that fields took, with the place that the person saw. */
  readonly typed: { letter: string; place: Place }[] = [];
  /** The last things that happened, for the report of a fault. */
  readonly log: string[] = [];
  /** Where the person believes that each word goes. */
  private readonly intended = new Map<string, Place>();
  /** The visitors whose chats the person's Undo may change. */
  private readonly undone = new Set<string>();
  /** When the person last selected each visitor's chat to change it with others, in milliseconds. */
  private readonly together = new Map<string, number>();
  private typedAt = 0;

  private constructor(
    readonly desk: Desk,
    readonly road: Road,
    readonly name: string,
    private readonly random: Random,
    private readonly team: Team,
  ) {}

  static async enter(team: Team, random: Random, name: string): Promise<Person> {
    const { stage } = team;
    const agent = await makeAgent(stage, { name, role: 'SUPERVISOR', capacity: 50 });
    const road = await Road.to(stage.parley.url);
    const visit = await stage.visit({ viewport: { width: 1440, height: 900 } }, 'about:blank');
    const token = await stage.parley.mintLink(stage.tenant, agent.id);
    let person: Person | undefined;
    await visit.context.exposeBinding('record', (_source, entry: Entry) => person?.note(entry));
    await visit.context.addInitScript(RECORDER);
    await visit.page.goto(`${road.url}/console/link#${token}`);
    person = new Person(await Desk.enter(visit, agent), road, name, random, team);
    await visit.page.route('**/api/agent/**', (route) => person!.carry(route));
    return person;
  }

  private get page(): Page {
    return this.desk.page;
  }

  /** Does one thing. */
  async step(): Promise<void> {
    const [work] = this.random.pick(WORK);
    this.say(work);
    await this[work]();
  }

  /** Restores the connection, and waits until everything is sent or refused. */
  async settle(): Promise<void> {
    this.isWell = true;
    this.road.delay = 0;
    this.road.isCut = false;
    await this.page.reload();
    await this.desk.isLive();
    const isIdle = `!/"state":"(queued|sending)"/.test(JSON.stringify({ ...localStorage }).replaceAll('\\\\', ''))`;
    // The console's policy forbids what Playwright's own waiting for an expression does after its first look.
    await eventually(
      () =>
        this.page.evaluate<boolean>(`${isIdle} && !Object.keys(localStorage).some((key) => key.endsWith(':notes'))`),
      Boolean,
    );
  }

  /** The drafts and unsent answers of this browser. */
  async kept(): Promise<{ chatId: string; kind: Place['kind']; words: string }[]> {
    const stored: Record<string, string> = await this.page.evaluate('({ ...localStorage })');
    return Object.entries(stored).flatMap(([key, json]) => {
      const [, kind, chatId] = /draft:agt_\w+:(message|note):(cht_\w+)$/.exec(key) ?? [];
      if (chatId) return [{ chatId, kind: kind as Place['kind'], words: JSON.parse(json).text }];
      if (!key.endsWith(':outbox')) return [];
      const unsent = JSON.parse(json) as { chatId: string; content: string }[];
      return unsent.map(({ chatId: id, content }) => ({ chatId: id, kind: 'message' as const, words: content }));
    });
  }

  // -- What happens -----------------------------------------------------------------------------------------------------------------

  private say(what: string): void {
    this.log.push(what);
    if (this.log.length > 40) this.log.shift();
  }

  private note(entry: Entry): void {
    this.say(JSON.stringify(entry).replaceAll(/\.\d+/g, ''));
    if (entry.type === 'asked') return this.judge(entry);
    for (const letter of entry.words.match(LETTERS) ?? []) {
      const place = this.intended.get(letter);
      if (place?.name !== entry.place.name || place.kind !== entry.place.kind)
        this.fault(`${letter} was meant for ${words(place)}, and went into ${words(entry.place)}`);
      else this.typed.push({ letter, place });
    }
  }

  private judge({ path, shown, offered }: Asked): void {
    if (path.endsWith('/presence')) return this.fault('a typed letter changed the presence');
    const [, offer, answer] = ANSWER.exec(path) ?? [];
    if (offer && !(offered[offer]! >= OFFERED_MS))
      this.fault(`${answer} of an offer that was shown for ${offered[offer]} ms`);
    const [, chatId, action] = ACTION.exec(path) ?? [];
    if (!chatId) return;
    const name = this.team.names.get(chatId) ?? chatId;
    const isTogether = Date.now() - (this.together.get(name) ?? 0) < TOGETHER_MS;
    if (isTogether || (action !== 'close' && this.undone.has(name))) return;
    const time = shown[name];
    if (time === undefined || time < SHOWN_MS) this.fault(`${action} hit ${name}, shown for ${time?.toFixed()} ms`);
  }

  private fault(what: string): void {
    this.team.faults.push([`${this.name}: ${what}`, ...this.log].join('\n    '));
  }

  // -- The connection -----------------------------------------------------------------------------------------------------------------

  private isWell = true;

  private async carry(route: Route): Promise<void> {
    const { random } = this;
    const isChange = route.request().method() !== 'GET';
    if (this.isWell || !isChange || random.isHeads(0.5)) return route.continue().catch(() => undefined);
    await random
      .pick([
        () => pause(random.between(100, 1_500)).then(() => route.continue()),
        () => route.abort(),
        async () => {
          const response = await route.fetch();
          await pause(random.between(100, 1_500));
          await route.fulfill({ response });
        },
        () => route.fetch().then(() => route.abort()),
      ])()
      .catch(() => undefined);
  }

  async weather(): Promise<void> {
    const { random, road } = this;
    this.isWell = random.isHeads(0.4);
    road.delay = this.isWell ? 0 : random.pick([0, 0, 50, 300]);
    if (this.isWell || random.isHeads(0.6)) road.isCut = false;
    else road.cut();
  }

  // -- What the person does -------------------------------------------------------------------------------------------------------------

  private look(): Promise<Look> {
    return this.page.evaluate('lookAround()');
  }

  async move(): Promise<void> {
    await this.leaveField();
    for (let times = this.random.pick([1, 1, 2, 3]); times > 0; times--)
      await this.press(this.random.pick(['j', 'j', 'k']));
  }

  async open(): Promise<void> {
    // An empty list has nothing to do.
    if ((await this.page.locator('.row').count()) === 0) await this.switch();
    await this.click('.row', this.random.next());
  }

  async switch(): Promise<void> {
    await this.leaveField();
    // Mine, or Waiting.
    await this.press(this.random.pick(['1', '2']));
  }

  async claim(): Promise<void> {
    await this.act('c');
  }

  async end(): Promise<void> {
    await this.act('e');
  }

  async endByMouse(): Promise<void> {
    await this.watchForAMoment();
    const times = this.random.pick([1, 2, 3]);
    for (let time = 0; time < times; time++) {
      await this.click('.chat-actions .button[aria-label="End chat"]');
      await pause(this.random.between(0, 450));
    }
  }

  async give(): Promise<void> {
    await this.act('t');
    const { hasDialog, name } = await this.look();
    if (!hasDialog) return;
    await this.page.keyboard.type(this.name === 'Ada' ? 'Sam' : 'Ada');
    await this.press('Enter');
    await this.press('Enter');
    this.say(`gave ${name} away`);
    await this.closeDialog();
  }

  async snooze(): Promise<void> {
    await this.act('s');
    if ((await this.look()).hasDialog) await this.press('Enter');
    await this.closeDialog();
  }

  async answer(): Promise<void> {
    await this.leaveField();
    await this.press(this.random.pick(['c', 'c', 'd', 'Alt+C', 'Alt+D']));
  }

  async answerByMouse(): Promise<void> {
    await this.click('.offer footer .button', this.random.next());
  }

  /** Selects chats, and changes them together, sometimes twice. */
  async several(): Promise<void> {
    await this.leaveField();
    for (let times = this.random.pick([1, 2, 3]); times > 0; times--) {
      await this.press(this.random.pick(['x', 'x', 'X', 'A']));
      await this.press('j');
    }
    const { chosen } = await this.look();
    for (const name of chosen) this.together.set(name, Date.now());
    this.say(`selects ${chosen.join(', ')}`);
    if (chosen.length > 0) await this.press(this.random.pick(['e', 's', 'c']));
    if ((await this.look()).hasDialog) await this.press('Enter');
    if (this.random.isHeads(0.3)) await this.press('Enter');
    await this.closeDialog();
    if (this.random.isHeads(0.5)) await this.press('Escape');
  }

  /** Sends a canned reply that ends the chat. */
  async macro(): Promise<void> {
    await this.closeDialog();
    await this.focusField();
    const { name, kind } = await this.look();
    if (kind !== 'message') return;
    await this.page.keyboard.type('/bye');
    await pause(this.random.pick([0, 100, 500]));
    await this.press('Enter');
    if (this.random.isHeads(0.7)) await this.press('Enter');
    this.say(`sends the canned reply to ${name}`);
  }

  async undo(): Promise<void> {
    await this.leaveField();
    const before = await this.look();
    // A notice that comes in between may be the one that Undo is for.
    const pressed = this.press('z');
    const { told } = await this.look();
    await pressed;
    const all = [...before.told, ...told];
    for (const name of this.team.names.values()) if (all.some((text) => text.includes(name))) this.undone.add(name);
  }

  async type(): Promise<void> {
    await this.closeDialog();
    await this.focusField();
    const { name, kind } = await this.look();
    if (!kind || !name) return;
    this.say(`types a ${kind} for ${name}`);
    await this.typeWords({ name, kind });
    if (kind === 'title' || this.random.isHeads(0.5)) await this.press('Enter');
  }

  async reload(): Promise<void> {
    if (this.random.isHeads(0.8) || this.road.isCut) return;
    await this.page.reload().catch(() => undefined);
    await this.page.locator('.desk').waitFor();
  }

  private async focusField(): Promise<void> {
    const { kind } = await this.look();
    if (kind && this.random.isHeads(0.6)) return;
    const way = this.random.pick(['r', 'n', 'click', 'click', 'title']);
    if (way === 'click') return this.click('.composer textarea');
    if (way === 'title') return this.click('input.chat-title');
    await this.leaveField();
    await this.press(way);
  }

  /** Types some words without reading the page in between. */
  private async typeWords(place: Place): Promise<void> {
    for (let count = this.random.pick([1, 2, 4]); count > 0; count--) {
      const word = this.team.word();
      this.intended.set(word, place);
      this.typedAt = Date.now();
      // The other letters are keys of the page, which must not act.
      for (const letter of [word, 'p', word, 'n', word, 'x', word, ' ']) {
        if (Date.now() - this.typedAt > LOOKS_AFTER_MS) return;
        this.typedAt = Date.now();
        await this.page.keyboard.type(letter);
      }
      await pause(this.random.pick([0, 0, 50, 200]));
      if (Date.now() - this.typedAt > LOOKS_AFTER_MS) return;
    }
  }

  /** Presses the key of an action, sometimes more than once. */
  private async act(key: string): Promise<void> {
    await this.leaveField();
    await this.watchForAMoment();
    const times = this.random.pick([1, 1, 1, 2, 3]);
    for (let time = 0; time < times; time++) {
      await this.press(key);
      await pause(this.random.pick([0, 20, 200]));
    }
  }

  private async watchForAMoment(): Promise<void> {
    if (this.random.isHeads(0.7)) await pause(this.random.between(0, 900));
  }

  private async leaveField(): Promise<void> {
    await this.closeDialog();
    const { kind } = await this.look();
    if (kind === 'title') await this.press('Enter');
    if (kind) await this.page.evaluate('document.activeElement.blur()');
  }

  private async closeDialog(): Promise<void> {
    for (let times = 0; times < 3 && (await this.look()).hasDialog; times++) await this.press('Escape');
  }

  private press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Clicks where an element is now, even if another element has moved there. @param share which of several, 0 to below 1 */
  private async click(selector: string, share = 0): Promise<void> {
    const spot: [number, number] | null = await this.page.evaluate(`(() => {
      const found = [...document.querySelectorAll(${JSON.stringify(selector)})];
      const box = found[Math.floor(${share} * found.length)]?.getBoundingClientRect();
      return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
    })()`);
    if (spot) await this.page.mouse.click(...spot);
  }
}

type Step =
  | 'move'
  | 'open'
  | 'switch'
  | 'claim'
  | 'end'
  | 'endByMouse'
  | 'give'
  | 'snooze'
  | 'answer'
  | 'answerByMouse'
  | 'several'
  | 'macro'
  | 'undo'
  | 'type'
  | 'reload'
  | 'weather';

/** The steps, each as often as it's likely. */
const WORK: readonly [Step][] = (
  [
    ['move', 4],
    ['open', 4],
    ['switch', 3],
    ['claim', 5],
    ['end', 2],
    ['endByMouse', 1],
    ['give', 3],
    ['snooze', 1],
    ['answer', 2],
    ['answerByMouse', 1],
    ['several', 1],
    ['macro', 1],
    ['undo', 1],
    ['type', 10],
    ['reload', 1],
    ['weather', 2],
  ] as const
).flatMap(([step, times]) => Array.from({ length: times }, (): [Step] => [step]));

function words(place: Place | undefined): string {
  return place ? `the ${place.kind} for ${place.name}` : 'nothing';
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
