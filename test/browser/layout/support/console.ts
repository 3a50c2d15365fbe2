import { expect, it } from '@jest/globals';
import { Desk } from '../../support/desk.js';
import { Office } from '../../support/office.js';
import type { Stage } from '../../support/stage.js';
import { findFlaws, type Looking, PATIENCE } from './flaws.js';
import { Furnished } from './furnished.js';
import { LONG_NAME } from './torture.js';

const WIDTHS = [320, 360, 390, 768, 1440] as const;

/** An administrator with the longest name, in a furnished console in German, which has the longest words. */
export interface At {
  desk: Desk;
  office: Office;
  furnished: Furnished;
}

/** Defines a test of a console screen: `screen('the audit log', ({ office }) => office.goTo('audit'))`. */
export function consoleScreens(stage: Stage) {
  return (name: string, reach: (at: At) => Promise<unknown>, looking: Partial<Looking> = {}) =>
    it(
      name,
      async () => {
        const furnished = await Furnished.make(stage);
        const groupIds = [furnished.groupId];
        const desk = await Desk.open(stage, { name: LONG_NAME, role: 'ADMIN', groupIds });
        await desk.page.evaluate(`localStorage.setItem('parley:console:language', 'de')`);
        await desk.page.reload();
        await desk.page.locator('html[lang=de]').waitFor({ state: 'attached' });
        await desk.isLive();
        await reach({ desk, office: Office.of(desk, stage), furnished });
        expect(await findFlaws(desk.visit, { name, widths: WIDTHS, ...looking })).toEqual({});
      },
      PATIENCE,
    );
}
