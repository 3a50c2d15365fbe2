import type { Parley } from '../support/parley.js';
import { Silence } from './support/silence.js';

/** Gives the chats of bots that take or answer no messages to agents, and ends a mark. */
export async function exerciseSilence(parley: Parley): Promise<void> {
  const silent = await Silence.start(parley);
  await silent.listen();
  await silent.say();
  await silent.untilHandedOver();
  const marks = () => parley.query('SELECT FROM bot_silences WHERE organization_id = $1', [silent.tenant.id]);
  await silent.newChat();
  await silent.until(marks, ({ length }) => length > 0);
  await silent.take();
  await silent.until(marks, ({ length }) => length === 0);
  const unanswering = await Silence.start(parley, { botReplySeconds: 1 });
  await unanswering.say();
  await unanswering.untilHandedOver();
}
