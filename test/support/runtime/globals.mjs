// The exports of `@jest/globals`. Each test file sets its own, and modules that stay loaded see the current ones.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function setGlobals(given) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = given);
}
