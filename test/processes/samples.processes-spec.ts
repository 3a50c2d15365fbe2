import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STORIES } from '../docs/support/stories.js';
import { World } from '../docs/support/world.js';
import { Parley } from '../support/parley.js';

describe('the samples in the documentation', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await Parley.start({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  });
  afterAll(() => parley.stop());

  it.each(STORIES.map((story): [string, typeof story] => [story.page, story]))(
    'a reader of %s runs its samples, and they do what the page says',
    async (page, { run }) => {
      const world = await World.create(parley, page);
      try {
        await run(world);
        expect(world.leftOver).toEqual([]);
      } finally {
        await world.end();
      }
    },
  );
});
