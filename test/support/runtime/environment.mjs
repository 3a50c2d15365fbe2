import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

const { console, process } = globalThis;
const { env, exit } = process;

/** The global environment of Node itself. What a test file replaces in it is put back when the file ends. */
export default class NodeItself {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;

  constructor({ projectConfig: config }) {
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
    this.environment = { ...env };
  }

  /** Jest requires that it exists. Only jest's own runtime calls it. */
  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const name of Object.keys(env)) if (!(name in this.environment)) delete env[name];
    Object.assign(env, this.environment);
    process.exit = exit;
    globalThis.console = console;
  }
}
