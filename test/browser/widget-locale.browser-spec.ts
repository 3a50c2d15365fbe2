import { describe, expect, it } from '@jest/globals';
import { Stage } from './support/stage.js';

describe("the organization's texts when the page chooses a language", () => {
  const stage = Stage.set();
  const choose = (settings: object) =>
    stage.tenant.admin
      .patch('/widget', {
        greeting: 'Hello from Acme',
        questions: ['Where is my order?'],
        consent: 'We store what you write',
        translations: {
          de: { greeting: 'Hallo von Acme', questions: ['Wo ist es?'], consent: 'Wir speichern es' },
          fr: { greeting: 'Bonjour' },
        },
        ...settings,
      })
      .expect(200);

  it('the greeting, the questions, and the consent follow the language, and come back with the first one', async () => {
    await choose({});
    const visit = await stage.visit();
    await visit.open();
    await visit.panel.getByText('Hello from Acme').waitFor();
    const speak = (locale: string) => visit.page.evaluate(`Parley('set', { locale: '${locale}' })`);
    await speak('de');
    await visit.panel.getByText('Hallo von Acme').waitFor();
    await visit.button('Wo ist es?').waitFor();
    await visit.panel.getByText('Wir speichern es').waitFor();
    await speak('en');
    await visit.panel.getByText('Hello from Acme').waitFor();
    await speak('de');
    await visit.button('Wo ist es?').click();
    await visit.sees('Wo ist es?');
    await visit.panel.getByText(/Gesendet/).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it("a language that the page chooses while the first one's texts are on their way gets its own", async () => {
    await choose({});
    const visit = await stage.visit();
    const answers: (() => void)[] = [];
    await visit.page.route(/visitor\/widget\?/, (route) => void answers.push(() => void route.continue()), {
      times: 1,
    });
    const asked = visit.page.waitForRequest(/visitor\/widget\?/);
    await visit.page.reload();
    await asked;
    await visit.page.evaluate(`Parley('set', { locale: 'de' })`);
    answers[0]!();
    await visit.open();
    await visit.panel.getByText('Hallo von Acme').waitFor();
  });

  it("a language without the organization's greeting has the widget's own, and a greeting of the page stays", async () => {
    await choose({ greeting: null });
    const visit = await stage.visit();
    await visit.page.evaluate(`Parley('set', { locale: 'de' })`);
    await visit.open();
    await visit.panel.getByText('Hallo von Acme').waitFor();
    await visit.page.evaluate(`Parley('set', { locale: 'nl' })`);
    await visit.panel.getByText('Hallo! Hoe kunnen we helpen?').waitFor();
    await visit.page.evaluate(`Parley('set', { greeting: 'From the page', locale: 'fr' })`);
    await visit.panel.getByRole('textbox', { name: 'Message' }).waitFor();
    await visit.panel.getByText('From the page').waitFor();
  });

  it("a language that the page names wins over the organization's, for its texts too", async () => {
    await choose({ locale: 'de' });
    const visit = await stage.visit();
    await visit.open();
    // The first page has asked.
    await visit.panel.getByText('Hallo von Acme').waitFor();
    const asked: string[] = [];
    visit.page.on('request', (request) => request.url().includes('/visitor/widget?') && asked.push(request.url()));
    await visit.page.reload();
    await visit.open();
    await visit.panel.getByText('Hallo von Acme').waitFor();
    expect(asked).toHaveLength(1);
    stage.site.page.attributes = `data-widget-key="${stage.tenant.widgetKey}" data-locale="fr"`;
    await visit.page.reload();
    await visit.open();
    await visit.panel.getByText('Bonjour', { exact: true }).waitFor();
    await visit.button('Where is my order?').waitFor();
  });
});
