import { createRequire, register } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setGlobals } from './globals.mjs';
import { compile } from './typescript.mjs';

register('./hooks.mjs', import.meta.url);
const require = createRequire(import.meta.url);

const HANDLERS = Symbol.for('EVENT_HANDLERS');
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/**
 * Replaces jest's runtime, which loads every module again for each test file. This one imports test files into Node itself, so a worker
 * loads the packages and `src` once. It has the methods that jest-runner and jest-circus call.
 */
export default class Runtime {
  constructor(_config, environment) {
    this.environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Imports a test file, or imports a setup file and calls its default export, which runs before each test file. */
  async unstable_importModule(path) {
    const module = await import(pathToFileURL(path).href);
    await module.default?.();
  }

  /** Loads a new jest-circus: it keeps the tests of a file in its variables and in `globalThis`. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setGlobals({ ...globals, jest: this.jest() });
  }

  jest() {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.environment;
    return {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      setTimeout: (ms) => void (globalThis[TIMEOUT] = ms),
      // Node's own code needs these two.
      useFakeTimers: ({ doNotFake = ['nextTick', 'queueMicrotask'] } = {}) => timers.useFakeTimers({ doNotFake }),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      getTimerCount: () => timers.getTimerCount(),
    };
  }

  /** For the lines in stack traces. */
  getSourceMaps() {
    return SOURCE_MAPS;
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    delete globalThis[TIMEOUT];
    delete globalThis[HANDLERS];
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (key.description === 'JEST_STATE_SYMBOL') delete globalThis[key];
    }
  }
}

/** A map of modules to the paths of their source maps. */
const SOURCE_MAPS = {
  get: (file) => (/^file:.*\.ts$/.test(file) ? compile(fileURLToPath(file)).mapPath : undefined),
  [Symbol.iterator]: () => [].values(),
};
