import { expect, it } from '@jest/globals';
import type { SignedInAgent } from '../../../support/parley.js';
import type { Stage } from '../../support/stage.js';
import type { Visit } from '../../support/visit.js';
import { findFlaws, type Looking, PATIENCE } from './flaws.js';
import { LONG_NAME } from './torture.js';

const WIDTHS = [320, 390, 768, 1440] as const;

interface Screen extends Partial<Looking> {
  /** The page's language, with its direction of writing. */
  root?: string;
  /** The organization's widget settings. */
  chosen?: object;
}

/** A visitor on a page that has words of its own below the panel. */
export interface On {
  visit: Visit;
  /** An agent with the longest name. */
  agent: SignedInAgent;
}

/** Opens the panel and sends a message. Returns the chat once it's stored, in any language. */
export async function beginChat(stage: Stage, { visit }: On, words: string): Promise<string> {
  await visit.launcher.waitFor();
  await visit.launcher.click();
  await visit.composer.waitFor();
  await visit.write(words);
  await visit.panel.locator('.row.mine:not(.queued, .sending)').waitFor();
  return stage.chatId();
}

/** Defines a test of a widget screen: `screen('before the first word', ({ visit }) => visit.open())`. */
export function widgetScreens(stage: Stage) {
  return (
    name: string,
    reach: (on: On) => Promise<unknown>,
    { root = 'lang="de"', chosen = {}, ...looking }: Screen = {},
  ) =>
    it(
      name,
      async () => {
        stage.site.page.root = root;
        stage.site.page.body = `<main><h1>A site</h1>${'<p>Some words of the site itself.</p>'.repeat(60)}</main>`;
        await stage.tenant.admin.patch('/widget', chosen).expect(200);
        const { body } = await stage.tenant.admin.get('/groups').expect(200);
        const groupIds = (body.groups as { id: string }[]).map(({ id }) => id);
        const agent = await stage.parley.signInAgent(stage.tenant, { name: LONG_NAME, groupIds });
        const visit = await stage.visit({ viewport: { width: 1440, height: 900 } });
        await reach({ visit, agent });
        expect(await findFlaws(visit, { name, widths: WIDTHS, ...looking })).toEqual({});
      },
      PATIENCE,
    );
}
