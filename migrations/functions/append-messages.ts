// Whether the chat `c` accepts the message `i` in its current state. With `if_owner_is_bot`, the sender is a bot, and another bot that
// the chat's group names has the chat instead of it. A closed chat must be reopened first, in a separate transaction, because that
// starts a hand-off, changes an agent's load, and queues an event; `is_notice` is the system message of the transaction that closed it.
const ACCEPTED = `c.erased_at IS NULL
      AND CASE WHEN is_notice THEN c.status = 'CLOSED' AND i.sender_type = 'SYSTEM' ELSE c.status IN ('ACTIVE', 'QUEUED') END
      AND (i.sender_type <> 'VISITOR' OR c.visitor_id = i.sender_id)
      AND (i.sender_type <> 'AGENT' OR c.agent_id IS NOT DISTINCT FROM i.sender_id)
      AND (i.if_owner_is_bot IS NOT TRUE OR (c.status = 'ACTIVE' AND c.agent_id IS NULL AND NOT EXISTS (
        SELECT FROM groups g WHERE g.organization_id = c.organization_id AND g.id = c.group_id AND g.bot_id <> i.sender_id)))`;

// Whether the message `i` wasn't stored before.
const NEW = `(i.client_message_id IS NULL OR waits OR (
        SELECT m.seq FROM messages m
        WHERE m.organization_id = i.organization_id AND m.sender_id = i.sender_id AND m.client_message_id = i.client_message_id
      ) IS NULL)`;

// The messages with their chats.
const CANDIDATES = `
    FROM unnest(organization_ids, chat_ids, sender_types, sender_ids, times, client_message_ids, keys, if_owner_is_bots)
      WITH ORDINALITY AS i (organization_id, chat_id, sender_type, sender_id, created_at, client_message_id, key, if_owner_is_bot, place)
    JOIN chats c ON c.organization_id = i.organization_id AND c.id = i.chat_id`;

const WANTED = `r.is_enabled AND (r.events IS NULL OR 'message.created' = ANY (r.events))`;
const WANTED_FROM_SENDER = `${WANTED} AND (r.sender_types IS NULL OR n.sender_type = ANY (r.sender_types))`;

const json = (text: string) => `COALESCE(to_json(${text})::text, 'null')`;
const time = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// The event's bytes, from the message `n`, its chat `c`, and the chat's group `g`. They're what jsonEvent, jsonMessage, and jsonChat write for
// other events. One `format` is faster than several, and takes each value by its number, so the time is written once.
const EVENT = `format(
        '{"id":"evt%1$s","type":"message.created","timestamp":"%2$s","organizationId":"%3$s","data":{"message":{"id":"%4$s","chatId":"%5$s","seq":%6$s,"type":"%7$s","content":%8$s,"metadata":%9$s,"sender":{"type":"%10$s","id":%11$s,"name":%12$s%23$s},"createdAt":"%2$s"%13$s},"chat":{"id":"%5$s","status":"%14$s","channel":"%15$s","createdAt":"%16$s","lastMessageAt":"%2$s","firstResponseAt":%17$s,"messageCount":%6$s,"metadata":%18$s,"visitor":%19$s,"group":%20$s,"assignedTo":%21$s,"owner":"%22$s","tags":%24$s,"attributes":%25$s}}}',
        substr(n.id, 4), ${time('n.created_at')}, n.organization_id, n.id, n.chat_id, n.seq, n.type, to_json(n.content), COALESCE(n.metadata, '{}'),
        n.sender_type, ${json('n.sender_id')}, ${json('n.sender_name')},
        CASE WHEN n.reply_message_id IS NOT NULL THEN
          format(',"replyTo":{"messageId":%s,"value":%s}', to_json(n.reply_message_id), ${json('n.reply_value')}) END,
        c.status, c.channel, ${time('c.created_at')}, COALESCE('"' || ${time('n.first_response_at')} || '"', 'null'),
        COALESCE(c.metadata::text, '{}'),
        (SELECT format('{"id":"%s","name":%s,"email":%s,"isVerified":%s,"externalId":%s,"metadata":%s,"attributes":%s,"verifiedAttributes":%s}', v.id, ${json('v.name')},
            ${json('v.email')}, (v.signed_at IS NOT NULL)::text, ${json(`NULLIF(v.external_id, '')`)}, COALESCE(v.metadata::text, '{}'),
            COALESCE(v.attributes::text, '{}'), COALESCE(v.verified_attributes::text, '{}'))
          FROM visitors v WHERE v.organization_id = c.organization_id AND v.id = c.visitor_id),
        format('{"id":"%s","name":%s,"botId":%s}', g.id, to_json(g.name), ${json('g.bot_id')}),
        CASE WHEN c.agent_id IS NULL THEN 'null' ELSE (SELECT format('{"id":"%s","name":%s}', a.id, to_json(a.name))
          FROM agents a WHERE a.organization_id = c.organization_id AND a.id = c.agent_id) END,
        CASE WHEN c.status = 'QUEUED' THEN 'QUEUE' WHEN c.status <> 'ACTIVE' THEN 'NOBODY' WHEN c.agent_id IS NULL THEN 'BOT' ELSE 'AGENT' END,
        CASE WHEN n.sender_type <> 'BOT' THEN '' WHEN n.sender_is_ai IS FALSE THEN ',"isAi":false' ELSE ',"isAi":true' END, n.tags,
        COALESCE(c.attributes::text, '{}'))`;

// The tags of the chat `candidate`, by name. In a statement of its own, because most chats have none: each statement with these tables would
// open them, with their indexes.
const TAGS = `(SELECT COALESCE(json_agg(t.name ORDER BY t.key)::text, '[]')
        FROM chat_tags k JOIN tags t ON t.organization_id = k.organization_id AND t.id = k.tag_id
        WHERE k.organization_id = candidate.organization_id AND k.chat_id = candidate.chat_id
          AND (t.removed_at IS NULL OR t.merged_into IS NOT NULL))`;

/**
 * Stores messages, with everything that they change (decision 1). Never change a released one: a node of the previous release keeps calling
 * it. Write a migration that creates the next, `append_messages_2`.
 *
 * Each array has an entry per message; the messages of one chat get their seq in this order.
 *
 * The chats' rows stay locked until the commit, so commit order is seq order, and seq has no gaps. Chats are locked before keys, and
 * keys in order, so statements can't deadlock. (Two nodes that store the same clientMessageIds in a different order can: PostgreSQL
 * ends one statement, and its messages are stored one by one.)
 *
 * Its plans are made once and kept: they must also fit when the tables have grown, so rows are looked up one by one, without joins that
 * read a whole table.
 *
 * Leaves out messages to unknown, locked, or closed chats, and messages that were stored before: they have no seq in the result, and
 * nothing of them is stored. `waits` is for one message alone: it waits for the chat's lock, and a clientMessageId that was used
 * violates the unique index.
 */
export const APPEND_MESSAGES = `
CREATE FUNCTION append_messages_1(
  organization_ids text[], chat_ids text[], ids text[], types text[], contents text[], metadatas text[],
  sender_types text[], sender_ids text[], sender_names text[], times timestamptz[], client_message_ids text[],
  keys text[], fingerprints bytea[], responses text[], keys_expire_before timestamptz,
  reply_message_ids text[], reply_values text[], traceparents text[], if_owner_is_bots boolean[],
  are_ai boolean[],
  waits boolean, is_notice boolean,
  OUT seqs integer[], OUT lanes text
) LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off AS $function$
DECLARE
  candidate record;
  -- The chats, in an entry each: the new values of their columns.
  chat integer := 0;
  chat_organizations text[];
  chat_names text[];
  counts integer[];
  last_times timestamptz[];
  first_responses timestamptz[];
  waiting_times timestamptz[];
  visitor_seqs integer[];
  reply_times timestamptz[];
  write_times timestamptz[];
  -- The messages, in an entry each: the chat's first response as of this message.
  responses_so_far timestamptz[];
  -- The chat's tags as JSON.
  tags_of_chat text;
  message_tags text[];
  -- The places of the accepted messages if one has a key, and the keys that this call has reserved.
  accepted bigint[];
  reserved record;
  reserved_organizations text[];
  reserved_senders text[];
  reserved_keys text[];
  -- The events, in an entry each: the place of the message, and the ids of the receivers that get it, with spaces between them.
  event_places bigint[];
  event_payloads text[];
  event_receivers text[];
BEGIN
  seqs := array_fill(NULL::integer, ARRAY[cardinality(ids)]);
  IF waits THEN
    PERFORM ${CANDIDATES}
    WHERE ${ACCEPTED}
    FOR NO KEY UPDATE OF c;
  END IF;

  -- Each statement sees what was committed before it began, so only one decides which messages are accepted: with keys, this one.
  IF array_remove(keys, NULL) <> '{}' THEN
    SELECT COALESCE(array_agg(f.place), '{}') INTO accepted FROM (
      SELECT i.place ${CANDIDATES}
      WHERE ${ACCEPTED} AND ${NEW}
        -- A key that was used within its lifetime belongs to another message, or to an earlier try of this one.
        AND (i.key IS NULL OR (
          SELECT k.created_at FROM idempotency_keys k
          WHERE k.organization_id = i.organization_id AND k.bot_id = i.sender_id AND k.endpoint = 'messages' AND k.key = i.key
        ) > keys_expire_before IS NOT TRUE)
      FOR NO KEY UPDATE OF c SKIP LOCKED
    ) AS f;
    IF accepted = '{}' THEN RETURN; END IF;
    FOR reserved IN
      INSERT INTO idempotency_keys AS k (organization_id, bot_id, endpoint, key, fingerprint, response, created_at)
      SELECT n.organization_id, n.sender_id, 'messages', n.key, n.fingerprint, n.response::json, n.created_at
      FROM unnest(organization_ids, sender_ids, keys, fingerprints, responses, times)
        WITH ORDINALITY AS n (organization_id, sender_id, key, fingerprint, response, created_at, place)
      WHERE n.key IS NOT NULL AND n.place = ANY (accepted)
      ORDER BY n.organization_id, n.sender_id, n.key
      ON CONFLICT (organization_id, bot_id, endpoint, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at
        WHERE k.created_at <= keys_expire_before
      RETURNING k.organization_id, k.bot_id, k.key
    LOOP
      reserved_organizations := reserved_organizations || reserved.organization_id;
      reserved_senders := reserved_senders || reserved.bot_id;
      reserved_keys := reserved_keys || reserved.key;
    END LOOP;
  END IF;

  responses_so_far := array_fill(NULL::timestamptz, ARRAY[cardinality(ids)]);
  message_tags := array_fill('[]'::text, ARRAY[cardinality(ids)]);
  FOR candidate IN
    SELECT i.*, c.message_count, c.first_response_at, c.waiting_since, c.last_visitor_seq, c.agent_replied_at, c.agent_wrote_at, c.has_tags
    ${CANDIDATES}
    WHERE CASE WHEN accepted IS NULL THEN ${ACCEPTED} AND ${NEW}
      ELSE i.place = ANY (accepted) AND (i.key IS NULL OR (i.organization_id, i.sender_id, i.key) IN (
        SELECT r.organization_id, r.sender_id, r.key
        FROM unnest(reserved_organizations, reserved_senders, reserved_keys) AS r (organization_id, sender_id, key))) END
    ORDER BY c.organization_id, c.id, i.place
    FOR NO KEY UPDATE OF c SKIP LOCKED
  LOOP
    IF chat = 0 OR (candidate.chat_id, candidate.organization_id) <> (chat_names[chat], chat_organizations[chat]) THEN
      chat := chat + 1;
      chat_organizations[chat] := candidate.organization_id;
      chat_names[chat] := candidate.chat_id;
      counts[chat] := candidate.message_count;
      first_responses[chat] := candidate.first_response_at;
      waiting_times[chat] := candidate.waiting_since;
      visitor_seqs[chat] := candidate.last_visitor_seq;
      reply_times[chat] := candidate.agent_replied_at;
      write_times[chat] := candidate.agent_wrote_at;
      tags_of_chat := NULL;
      IF candidate.has_tags THEN tags_of_chat := ${TAGS}; END IF;
    END IF;
    counts[chat] := counts[chat] + 1;
    last_times[chat] := candidate.created_at;
    IF candidate.sender_type = 'VISITOR' THEN
      waiting_times[chat] := COALESCE(waiting_times[chat], candidate.created_at);
      visitor_seqs[chat] := counts[chat];
    ELSIF candidate.sender_type IN ('BOT', 'AGENT') THEN
      waiting_times[chat] := NULL;
      first_responses[chat] := COALESCE(first_responses[chat], candidate.created_at);
      IF candidate.sender_type = 'AGENT' THEN
        reply_times[chat] := COALESCE(reply_times[chat], candidate.created_at);
        -- The database's time, because routing compares it with that clock.
        write_times[chat] := clock_timestamp();
      END IF;
    END IF;
    seqs[candidate.place] := counts[chat];
    responses_so_far[candidate.place] := first_responses[chat];
    IF tags_of_chat IS NOT NULL THEN message_tags[candidate.place] := tags_of_chat; END IF;
  END LOOP;
  IF chat = 0 THEN RETURN; END IF;

  UPDATE chats c SET
    message_count = n.message_count,
    last_message_at = n.last_message_at,
    activity_slot = date_bin('10 minutes', n.last_message_at, TIMESTAMPTZ '2000-01-01 UTC'),
    first_response_at = n.first_response_at,
    waiting_since = n.waiting_since,
    last_visitor_seq = n.last_visitor_seq,
    agent_replied_at = n.agent_replied_at,
    agent_wrote_at = n.agent_wrote_at
  FROM unnest(chat_organizations, chat_names, counts, last_times, first_responses, waiting_times, visitor_seqs, reply_times, write_times)
    AS n (organization_id, id, message_count, last_message_at, first_response_at, waiting_since, last_visitor_seq, agent_replied_at, agent_wrote_at)
  WHERE c.organization_id = n.organization_id AND c.id = n.id;

  INSERT INTO messages (organization_id, chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name,
    client_message_id, created_at, reply_to_message_id, reply_to_value, sender_is_ai)
  SELECT n.organization_id, n.chat_id, n.seq, n.id, n.type, n.content, n.metadata::json, n.sender_type, n.sender_id, n.sender_name,
    n.client_message_id, n.created_at, n.reply_message_id, n.reply_value, n.sender_is_ai
  FROM unnest(organization_ids, chat_ids, seqs, ids, types, contents, metadatas, sender_types, sender_ids, sender_names,
      client_message_ids, times, reply_message_ids, reply_values, are_ai)
    AS n (organization_id, chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name,
      client_message_id, created_at, reply_message_id, reply_value, sender_is_ai)
  WHERE n.seq IS NOT NULL;

  IF NOT EXISTS (SELECT FROM receivers r WHERE r.organization_id = ANY (chat_organizations) AND ${WANTED}) THEN RETURN; END IF;

  -- If the chat's group names a bot, no other bot's receivers get the event; webhooks do, because they're the organization's. The
  -- subqueries with OFFSET stay subqueries: as joins, they could read a whole table.
  SELECT array_agg(e.place), array_agg(e.payload), array_agg(e.receiver_ids),
    string_agg(DISTINCT e.organization_id || '/' || replace(e.receiver_ids, ' ', ' ' || e.organization_id || '/'), ' ')
  INTO event_places, event_payloads, event_receivers, lanes
  FROM (
    SELECT n.place, n.organization_id, r.receiver_ids, ${EVENT} AS payload
    FROM unnest(organization_ids, chat_ids, seqs, ids, types, contents, metadatas, sender_types, sender_ids, sender_names,
        times, reply_message_ids, reply_values, responses_so_far, are_ai, message_tags)
      WITH ORDINALITY AS n (organization_id, chat_id, seq, id, type, content, metadata, sender_type, sender_id, sender_name,
        created_at, reply_message_id, reply_value, first_response_at, sender_is_ai, tags, place)
    JOIN chats c ON c.organization_id = n.organization_id AND c.id = n.chat_id
    CROSS JOIN LATERAL (
      SELECT g.id, g.name, g.bot_id FROM groups g WHERE g.organization_id = c.organization_id AND g.id = c.group_id OFFSET 0
    ) AS g
    CROSS JOIN LATERAL (
      SELECT string_agg(r.id, ' ') AS receiver_ids FROM receivers r
      WHERE r.organization_id = n.organization_id AND ${WANTED_FROM_SENDER}
        AND (r.bot_id IS NULL OR g.bot_id IS NULL OR g.bot_id = r.bot_id)
    ) AS r
    WHERE n.seq IS NOT NULL AND r.receiver_ids IS NOT NULL
  ) AS e;
  INSERT INTO deliveries (organization_id, receiver_id, id, position, chat_id, event_type, payload, created_at, traceparent)
  SELECT organization_ids[e.place], r.id, 'dlv' || substr(ids[e.place], 4), nextval('deliveries_position'), chat_ids[e.place],
    'message.created', e.payload, times[e.place], traceparents[e.place]
  FROM unnest(event_places, event_payloads, event_receivers) AS e (place, payload, receiver_ids)
  CROSS JOIN unnest(string_to_array(e.receiver_ids, ' ')) AS r (id)
  ORDER BY e.place;
END $function$`;
