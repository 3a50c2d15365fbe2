/** Statements that the cluster runs, although it can't plan them with values for EXPLAIN: they insert from a query. */
export const NOT_EXPLAINED: Record<string, string> = {
  'INSERT INTO audit_entries (organization_id, id, at, actor_ty': 'an entry of the audit log, with names that it reads',
  'begin-handoff': 'a hand-off, with the settings of its group',
  'queue-push of one': 'notifications for the subscriptions of agents without a visible page',
  'record-failures of one': 'entries of the audit log for failures to sign in, at most some a day',
  'restore-connections of one': 'connections of agents, except of removed ones',
  'store-bot-state': 'the state of a bot, if its chat exists',
};

/** Statements that several shards answer, and why they may. */
export const SEVERAL_SHARDS: Record<string, string> = {
  'DELETE FROM audit_entries e WHERE at < $1 AND true': 'removes entries older than 180 days; every hour',
  'DELETE FROM ended_visitor_tokens e WHERE expires_at < $1 AND': 'removes expired tokens; every hour',
  'DELETE FROM idempotency_keys e WHERE created_at < $1 AND tru': 'removes expired keys; every ten minutes',
  'DELETE FROM idempotency_keys WHERE created_at = ANY ($2::tim':
    'frees the keys of removed messages by the index of times: it may not name the organization as its key does',
  'SELECT (SELECT count(*)::float8 FROM chats c WHERE c.status ': 'counts waiting chats for /metrics',
  'SELECT COALESCE(sum(due), 0)::float8 AS due, COALESCE(sum(de': 'counts deliveries for /metrics',
  'SELECT COALESCE(sum(events), 0)::float8 AS waiting, COALESCE': 'counts events that wait for bots for /metrics',
  'SELECT DISTINCT g.organization_id AS id FROM groups g WHERE ':
    'finds the organizations with a waiting chat that routing may assign; every four seconds',
  'SELECT DISTINCT organization_id AS id FROM ( SELECT k.organi':
    'finds the organizations with connections of agents that have ended; every second',
  'SELECT c.organization_id AS organizationId, c.id AS chatId, ':
    'finds the chats whose agents are gone; while there are such agents',
  'SELECT chat_id AS chatId, organization_id AS organizationId ':
    'finds the chats that no agent took in time; when there are some',
  'SELECT l.organization_id AS organizationId, l.receiver_id AS':
    'finds the receivers with deliveries that may be old; every ten minutes',
  'SELECT o.organization_id AS organizationId, o.chat_id AS cha':
    'finds the offers to agents who went offline; while there are offers',
  'SELECT organizationId, agentId FROM ( SELECT a.organization_':
    'compares the counters of all agents with their chats; every minute',
  'SELECT organization_id AS organizationId, chat_id AS chatId,':
    'finds the offers that have expired; when there are some',
  'SELECT organization_id AS organizationId, id AS agentId FROM':
    'finds the agents whose groups changed lately; when there are some',
  'SELECT organization_id AS organizationId, id AS chatId FROM ':
    'finds the snoozed chats that are due; when there are some',
  'SELECT organization_id AS organizationId, id AS groupId FROM':
    'finds the groups whose office hours are computed again; every five seconds',
  'SELECT organization_id AS organizationId, id AS visitorId FR':
    'finds the erasures that were begun and are not done; every ten minutes',
  'SELECT r.organization_id AS organizationId, r.chat_id AS cha':
    'finds the chats whose visitors asked for a person in vain; when there are some',
  'close-connections': 'closes the connections of a node that ends',
  'count-shared-emails': 'counts the agents with the same address; when signing in failed',
  'find-stuck-receivers': 'finds the organizations whose bots may be silent; every three seconds',
  'find-noticed-silences': 'finds the organizations with chats that are marked as silent; every three seconds',
  'SELECT count(*)::float8 AS chats, COALESCE(extract(epoch FRO': 'counts chats with silent bots for /metrics',
  'find-due-kinds': 'finds out what the time-outs of hand-offs have to look for; every second',
  'find-due-lanes': 'finds the webhooks that no node serves; every second',
  'find-open-connections': 'a node compares the open connections of its agents with its sockets',
  'find-due-turns': 'finds the turns of connected bots that may begin, or whose node is gone; every second',
  'find-waiting-connections': 'finds the connections with events that no node has taken; every second',
  'DELETE FROM bot_turns e WHERE created_at < $1 AND true': 'removes turns older than 30 days; every hour',
  'DELETE FROM bot_usage e WHERE created_at < $1 AND true': 'removes the usage of days before 400; every hour',
  'find-subscriptions': 'walks over the subscriptions of all bots, page by page; every minute',
  'search-behind': 'finds the organizations whose changes the index has to read; twice a second',
  'search-new': 'finds the organizations without an index; twice a second',
  'attribute-keys-pending':
    'finds the organizations with keys of attributes that are to be filled or removed; every 10 seconds',
  'tags-changing': 'finds the tags whose change goes on; every 30 seconds',
  'SELECT (SELECT COALESCE(sum(bytes), 0) FROM file_usage)::flo': 'adds up the files of all organizations for /metrics',
  'SELECT DISTINCT f.organization_id AS organizationId FROM fil':
    'finds the organizations with old uploads that nothing uses; every five minutes',
  'with-pictures': 'finds the organizations with pictures; every four minutes',
  'moved-avatars': 'finds the agents whose picture has an earlier address; every four minutes',
  'find-due-conversation-removals': 'finds the conversations that endpoints are to remove; every five seconds',
  'due-file-removals': 'finds the bytes to be removed; every five seconds',
  'find-due-mails': 'finds the mails that are due; every three seconds',
  'SELECT COALESCE(extract(epoch FROM now() - min(due_at)), 0):':
    'counts the push notifications that are due for /metrics, up to a bound; when it is asked for',
  'find-due-push': 'finds the push notifications that are due; every three seconds',
  'forget-mail-texts': 'removes the texts of old mails; every hour',
  'remove-old-mails': 'removes old mails without a chat; every hour',
  'remove-visitor-links': 'removes links that have expired; every hour',
  'find-visitor-link': 'a link names no organization',
  'find-answered-mail': 'a mail that arrives names no organization',
  'find-old-inbound-mails': 'finds mails that are kept no longer; every hour',
  'find-subscribed-mail': 'the address to unsubscribe names no organization',
  'find-reset-targets': 'an agent who forgot the password need not know the organization',
  'SELECT count(*)::float8 AS due, COALESCE(extract(epoch FROM ': 'counts the mails that are due for /metrics',
  'SELECT count(*)::float8 AS waiting, COALESCE(extract(epoch F': 'counts the turns that are due for /metrics',
  'find-file-anywhere': 'the link of a file names no organization',
  'find-with-address': 'an agent who signs in need not know the organization',
};

/** Statements that the coordinator runs in several steps, and why they may: they insert several rows, or rows that depend on others. */
export const SEVERAL_STEPS: Record<string, string> = {
  'INSERT INTO agent_groups (organization_id, group_id, agent_i': 'an administrator sets the groups of an agent',
  'INSERT INTO attribute_keys (organization_id, key, created_at': 'an administrator sets the keys of attributes',
  'INSERT INTO attempts (organization_id, webhook_id, delivery_': 'the results of webhooks are stored',
  'INSERT INTO chat_tags (organization_id, chat_id, tag_id) SEL': 'the chats of a merged tag get the other one',
  'INSERT INTO deliveries (organization_id, receiver_id, id, po': 'the event of a chat is stored for its receivers',
  'INSERT INTO file_removals AS r (organization_id, key, chat_i': 'the bytes of several files are to be removed',
  'INSERT INTO forgiven_failures AS f (organization_id, agent_i': 'a sign-in forgives failures',
  'INSERT INTO note_mentions (organization_id, agent_id, note_i': 'a note mentions agents',
  'WITH counted AS ( INSERT INTO sign_in_failures AS f (email_h': 'counts a failure to sign in',
  'WITH stored AS ( INSERT INTO message_ratings AS r (organizat': 'a visitor rates a message',
  'WITH stored AS ( INSERT INTO ratings AS r (organization_id, ': 'a visitor rates a chat',
  'WITH stored AS ( INSERT INTO visitor_blocks AS b (organizati': 'an agent blocks a visitor',
  'WITH target AS MATERIALIZED ( SELECT g.id, g.max_wait_second':
    'a chat of the demo, which was created before the service knew that it is on a cluster',
  'add-chat-tags': 'a chat gets tags',
  'add-tag-names': 'a chat gets new tags',
  'add-tags': 'a chat gets new tags',
  'find-agent-sessions of one': 'the coordinator has the sessions of agents',
  'search-store': 'the index stores the words of several messages',
  'queue-chat-event': 'an event of the demo, which was created before the service knew that it is on a cluster',
};
