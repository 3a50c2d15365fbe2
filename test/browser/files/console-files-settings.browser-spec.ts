import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { upload } from '../../files/support/files.js';
import { waitingChat } from '../support/desk.js';
import { Office } from '../support/office.js';
import { Stage } from '../support/stage.js';
import { png } from './support/chosen.js';

describe("the organization's files", () => {
  const stage = Stage.set();
  const settings = async () => {
    const { visitorUploads, fileQuota } = (await stage.tenant.admin.get('').expect(200)).body;
    return { visitorUploads, fileQuota };
  };

  it('an administrator sees what they use, lets visitors send some, and limits them', async () => {
    const chatId = await waitingChat(stage);
    await upload(stage.tenant.bot, chatId, 'photo.png', png('', 40, 30).buffer);
    const ida = await Office.open(stage, 'organization');
    await ida.page.getByText(/^1 file uses [\d.]+ (byte|kB)\. When the space is used up/).waitFor();
    expect(await ida.page.getByLabel('Visitors send no files').isChecked()).toBe(true);
    expect(await ida.page.getByLabel('Megabytes for files').inputValue()).toBe('10240');
    await ida.page.getByLabel('Visitors can send pictures, documents, and voice messages').check();
    await ida.page.getByLabel('Megabytes for files').fill('500');
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await settings()).toEqual({ visitorUploads: true, fileQuota: 524_288_000 });
    await ida.page.getByLabel('No limit').check();
    await ida.button('Save').click();
    await eventually(settings, ({ fileQuota }) => fileQuota === null);
    expect(ida.complaints).toEqual([]);
  });

  it('a limit that is no whole number of megabytes stays while it is not changed', async () => {
    await stage.tenant.admin.patch('', { fileQuota: 1_000_000 }).expect(200);
    const ida = await Office.open(stage, 'organization');
    await ida.page.getByLabel('Visitors can send pictures, documents, and voice messages').check();
    await ida.button('Save').click();
    await ida.isTold('Saved');
    expect(await settings()).toEqual({ visitorUploads: true, fileQuota: 1_000_000 });
  });
});
