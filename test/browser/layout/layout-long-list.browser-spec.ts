import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Desk } from '../support/desk.js';
import { Stage } from '../support/stage.js';
import { PATIENCE } from './support/flaws.js';

const COUNT = 1_000;
/** The rows in the page, by their index in the list, and how far the first one is from its place, in pixels. */
const LOOK = `(() => {
  const size = document.querySelector('.row-size').getBoundingClientRect().height;
  const list = document.querySelector('.row-list').getBoundingClientRect();
  const rows = [...document.querySelectorAll('.row-item')].map((row) => {
    const { top, height } = row.getBoundingClientRect();
    return { place: Number(row.ariaPosInSet), off: Math.abs(top - list.top - (Number(row.ariaPosInSet) - 1) * size), height };
  });
  return {
    size,
    places: rows.map(({ place }) => place),
    off: Math.max(...rows.map(({ off }) => off)),
    heights: [...new Set(rows.map(({ height }) => Math.round(height)))],
    total: list.height / size,
  };
})()`;

interface Rows {
  size: number;
  places: number[];
  off: number;
  heights: number[];
  total: number;
}

describe('a list of a thousand chats', () => {
  const stage = Stage.set();

  it(
    "rows of a long list grow with the text, and keep their places while it's scrolled",
    async () => {
      await stage.parley.query(
        `INSERT INTO chats (organization_id, id, visitor_id, group_id, status, status_changed_at, queued_at, message_count, created_at)
       SELECT c.organization_id, 'cht_' || lpad(n::text, 26, '0'), c.visitor_id, c.group_id, 'QUEUED', now(), now(), 0, now()
       FROM chats c, generate_series(1, ${COUNT}) n WHERE c.id = $1`,
        [stage.tenant.chatId],
      );
      const ada = await Desk.open(stage, { role: 'SUPERVISOR' });
      await ada.page.goto(`${stage.road.url}/console/waiting`);
      const look = () => ada.page.evaluate<Rows>(LOOK);
      const toEnd = () =>
        eventually(
          async () => {
            await ada.page.evaluate(`document.querySelector('.rows').scrollTop = 1e9`);
            return look();
          },
          ({ places }) => places.includes(COUNT),
          PATIENCE,
        );
      await ada.rows.first().waitFor();
      const before = await toEnd();
      expect([before.size, before.heights, Math.round(before.total)]).toEqual([84, [84], COUNT]);
      expect(before.off).toBeLessThan(1);
      await ada.page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      const after = await eventually(
        look,
        ({ off, size, places }) => size === 168 && off < 1 && places.includes(COUNT),
      );
      expect([after.heights, Math.round(after.total)]).toEqual([[168], COUNT]);
      await ada.page.evaluate(`document.querySelector('.rows').scrollTop = 500 * 168`);
      const middle = await eventually(look, ({ places }) => places.includes(501));
      expect(middle.off).toBeLessThan(1);
      expect(middle.places.length).toBeLessThan(40);
    },
    PATIENCE,
  );
});
