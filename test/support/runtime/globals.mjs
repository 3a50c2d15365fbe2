// What `import … from '@jest/globals'` gets. Each test file has its own, and modules that outlive a file see the current ones.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function setGlobals(given) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = given);
}
