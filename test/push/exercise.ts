import type { Parley, Tenant } from '../support/parley.js';
import { openChat, signInMember, subscribe, untilLapsed, untilNone } from './support/notify.js';
import { PushService } from './support/push-service.js';

/** Notifies an agent: sent, retried, refused, dropped, and a subscription that's gone. */
export async function exercisePush(parley: Parley, tenant: Tenant): Promise<void> {
  const service = await PushService.start();
  try {
    const agent = await signInMember(parley, tenant);
    const { client } = agent;
    await client.get('/push').expect(200);
    await client.patch('/push', { isSilent: true }).expect(200);
    const [browser, other] = [service.browser(), service.browser()];
    await subscribe(agent, browser);
    await subscribe(agent, other);
    await client.delete('/push/subscriptions').send({ endpoint: other.endpoint }).expect(204);
    const page = await parley.connectAgent(agent.token);
    await page.ask('visible', { isVisible: true });
    await page.ask('visible', { isVisible: false });
    const { chatId, say } = await openChat(parley, tenant, agent);
    await say('sent');
    await browser.count(1);
    browser.refuse(400);
    await say('refused');
    await browser.count(2);
    browser.refuse(503);
    await say('retried');
    await parley.untilRow('SELECT FROM push_notifications WHERE attempts = 1');
    await parley.query("UPDATE push_notifications SET expires_at = now() - interval '1 s', due_at = now()");
    await untilNone(parley);
    await client.patch('/push', { kinds: [] }).expect(200);
    await untilLapsed(parley, () => say('not wanted'));
    await client.patch('/push', { kinds: ['message'] }).expect(200);
    browser.refuse(410);
    await say('gone');
    await parley.untilRow(`SELECT FROM chats c WHERE c.id = '${chatId}' AND NOT EXISTS (
      SELECT FROM push_subscriptions s WHERE s.organization_id = c.organization_id)`);
    await client.delete('/session').expect(204);
  } finally {
    await service.close();
  }
}
