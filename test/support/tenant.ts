import { Client } from './client.js';

/** A tenant with a bot and one chat, as most tests need it. */
export interface Tenant {
  id: string;
  widgetKey: string;
  identitySecret: string;
  botId: string;
  token: string;
  chatId: string;
  visitorToken: string;
  visitorId: string;
  bot: Client;
  /** The admin API below this organization. */
  admin: Client;
}

/** Creates a tenant at this address's service. Without a bot, the bot's fields are empty. */
export async function createTenant(
  url: string,
  adminToken: string,
  { name = 'Acme', hasBot = true } = {},
): Promise<Tenant> {
  const organizations = new Client(`${url}/api/admin/organizations`, adminToken);
  const { body: organization } = await organizations.post('', { name }).expect(201);
  const admin = organizations.below(`/${organization.id}`);
  const { body: bot } = hasBot ? await admin.post('/bots', { name: 'Bot' }).expect(201) : { body: { id: '' } };
  const { body: token } = hasBot ? await admin.post(`/bots/${bot.id}/tokens`, {}).expect(201) : { body: { token: '' } };
  const { body: chat } = await admin
    .post('/chats', { visitor: { name: 'Vera', email: 'vera@example.com' } })
    .expect(201);
  return {
    id: organization.id,
    widgetKey: organization.widgetKey,
    identitySecret: organization.identitySecret,
    botId: bot.id,
    token: token.token,
    chatId: chat.id,
    visitorToken: chat.visitorToken,
    visitorId: chat.visitor.id,
    bot: new Client(`${url}/api/bot`, token.token),
    admin,
  };
}

/** The id of the default group of a tenant that has a bot. */
export async function defaultGroupOf({ bot }: Pick<Tenant, 'bot'>): Promise<string> {
  const { body } = await bot.get('/groups').expect(200);
  return (body as { id: string; isDefault: boolean }[]).find(({ isDefault }) => isDefault)!.id;
}
