import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const { console } = globalThis;
const exit = process.exit.bind(process);
const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator');

/** Node's own globals. After each test file, restores what jest and the file replaced: spies, `process.env`, `console`, `navigator`. */
export default class NodeItself {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  variables = { ...process.env };

  constructor({ projectConfig: config }) {
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  /** Jest requires this method. Only jest's own runtime calls it. */
  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    process.exit = exit;
    globalThis.console = console;
    delete globalThis.navigator;
    if (navigator) Object.defineProperty(globalThis, 'navigator', navigator);
  }
}
