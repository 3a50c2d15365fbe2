import { describe, expect, it } from '@jest/globals';
import { Stage } from './support/stage.js';

const STRICT =
  "default-src 'none'; script-src {service}; connect-src {service} ws://127.0.0.1:*; img-src http: https:; " +
  "require-trusted-types-for 'script'";

describe('the widget on a hostile page', () => {
  const stage = Stage.set();
  const say = stage.say.bind(stage);

  it('the widget works under a strict Content-Security-Policy without a violation', async () => {
    stage.site.page.policy = STRICT;
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await say('Hi');
    await visit.sees('Hello', 'Hi');
    expect(visit.complaints).toEqual([]);
  });

  it('the widget loads all its parts under a strict policy', async () => {
    stage.site.page.policy = STRICT;
    await stage.tenant.admin.patch('/widget', { rating: true }).expect(200);
    const visit = await stage.visit();
    await visit.open();
    await visit.say('Hello');
    await say('**Look**', { type: 'IMAGE', metadata: { url: `${stage.site.url}/picture.svg`, alt: 'A pixel' } });
    await visit.button(/A pixel/).click();
    await visit.page.getByRole('button', { name: 'Close image' }).click();
    await say('Well?', { type: 'QUICK_REPLY', metadata: { options: [{ label: 'Yes', value: 'yes' }] } });
    await visit.button('Yes').click();
    await say('A **bold** answer');
    await visit.panel.locator('strong', { hasText: 'bold' }).waitFor();
    await visit.button('Close chat').click();
    await say('Still there?');
    await visit.page.getByRole('group', { name: 'New message from Bot' }).getByText('Still there?').click();
    await stage.tenant.admin.patch(`/chats/${await stage.chatId()}`, { status: 'CLOSED' }).expect(200);
    await visit.panel.getByRole('radio', { name: '5 of 5' }).waitFor();
    await visit.button('Start a new chat').click();
    await visit.say('Something else');
    await visit.button('Your chats').click();
    await visit.panel.locator('.chat').nth(1).waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it('the widget keeps its looks under a style sheet that unsets everything', async () => {
    stage.site.page.head = '<style>* { all: unset !important; }</style>';
    const visit = await stage.visit();
    await visit.open();
    const { width, height, x, y } = (await visit.panel.boundingBox())!;
    const { width: pageWidth, height: pageHeight } = visit.page.viewportSize()!;
    expect([width > 300, height > 400, x > pageWidth / 2, y + height < pageHeight]).toEqual([true, true, true, true]);
    await visit.say('Hello');
    await visit.sees('Hello');
  });

  it('messages are never taken as markup, and nothing leaves its place', async () => {
    const visit = await stage.visit();
    await visit.openEmpty();
    const texts = [
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
      'javascript:alert(1) data:text/html,x https://example.com/a?b=c.',
      'x'.repeat(5000),
      '\u202ereversed',
    ];
    for (const text of texts) await say(text);
    const options = Array.from({ length: 200 }, (_, place) => ({ label: `Choice ${place}`, value: `${place}` }));
    await say('Many', { type: 'QUICK_REPLY', metadata: { options } });
    await visit.sees(...texts, 'Many');
    const links = await visit.panel
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual(['https://example.com/a?b=c']);
    expect(await visit.page.evaluate('window.hacked')).toBeUndefined();
    const view = visit.panel.getByRole('region', { name: 'Messages' });
    expect(await view.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await visit.button('Choice 199').click();
    await visit.sees(...texts, 'Many', 'Choice 199');
    expect(visit.complaints).toEqual([]);
  });

  it('the widget can be used with the keyboard alone', async () => {
    const visit = await stage.visit();
    await visit.launcher.waitFor();
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Enter');
    await visit.online();
    await visit.page.keyboard.type('Hello');
    await visit.page.keyboard.press('Enter');
    await visit.sees('Hello');
    await visit.page.keyboard.press('Escape');
    await visit.panel.waitFor({ state: 'hidden' });
    expect(await visit.launcher.evaluate((button) => button.matches(':focus'))).toBe(true);
  });
});
