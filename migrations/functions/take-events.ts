const MAX_PENDING = 1_000;
const MAX_BYTES = 1_000_000;
const MAX_ANSWERS = 100;
const MAX_COPIES = 64;

// The waiting events of the subscription, without acknowledged ones, and for a copy without the chats of other copies.
const WAITING = `
    FROM deliveries d
    WHERE d.organization_id = organization AND d.receiver_id = subscription.id AND d.outcome IS NULL AND d.due_at IS NULL
      AND d.position <> ALL (done)
      AND (sharer IS NULL OR NOT EXISTS (
        SELECT FROM shared_chats h
        JOIN subscription_copies o ON o.organization_id = organization AND o.subscription_id = subscription.id AND o.copy = h.copy
        WHERE h.organization_id = organization AND h.subscription_id = subscription.id AND h.chat_id = d.chat_id
          AND h.copy <> sharer AND o.leased_until > moment))`;

/**
 * What a bot's poll does. Never change a released one: a node of the previous release keeps calling it. Write a migration that creates the
 * next, `take_events_2`.
 *
 * Deletes the events of the ack `presented`, takes the next ones, and records their positions. Returns them in order, with commas between
 * them. The `id` is null, and nothing was changed, if the token is invalid, the subscription doesn't exist or is suspended, another poll
 * has taken events since the generation `expected`, no events are waiting (unless `may_be_empty`), or the bot has copies and the poll is
 * none of them.
 *
 * The subscription's row is locked first, so polls of a bot come one after the other. The function waits for no delivery: one that a
 * removal has locked is about to be deleted anyway. It doesn't wait for the commit to reach the disk: after a crash of the database,
 * the events are returned again, and no ack is issued twice.
 *
 * The newest response stands in the subscription. A poll that doesn't acknowledge it moves it to subscription_answers. A poll that takes
 * again after waiting (`expected`) hasn't sent its first, empty response to a client.
 *
 * `sharer` is one of several copies of the bot, each with its own responses in shared_answers. A copy gets no events of a chat while
 * another copy, whose lease hasn't ended, has unacknowledged events of it: they're in shared_chats. So the events of a chat are handled
 * one after the other, by any copies.
 */
export const TAKE_EVENTS = `
CREATE FUNCTION take_events_1(
  organization text, bot text, token text, presented text, next_ack text, most integer, expected bigint, may_be_empty boolean,
  sharer text, lease double precision,
  OUT id text, OUT generation bigint, OUT since timestamptz, OUT dropped_events double precision, OUT has_new_gap boolean,
  OUT pending integer, OUT events text, OUT count integer, OUT traceparents json
) LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET enable_sort = off AS $function$
DECLARE
  durability text := set_config('synchronous_commit', 'off', true);
  moment timestamptz;
  subscription record;
  own record;
  -- The acknowledged response: its generation, and the positions of its events.
  acked bigint;
  done bigint[];
  is_earlier boolean := false;
  -- The gap that was reported and not acknowledged yet.
  told_since timestamptz;
  told_dropped bigint;
  -- The taken events, in an entry each.
  positions bigint[];
  chats text[];
  -- Whether more events may be waiting.
  is_cut boolean;
  -- The copy's unacknowledged events of the same chats, in an entry each.
  open_positions bigint[];
  open_chats text[];
BEGIN
  SELECT s.id, s.generation, s.ack, s.answered, s.gap_since, s.gap_dropped, s.told_gap_since, s.told_gap_dropped, s.told_gap_generation
  INTO subscription FROM subscriptions s
  WHERE s.organization_id = organization AND s.bot_id = bot AND NOT s.is_resting
    AND (expected IS NULL OR sharer IS NOT NULL OR s.generation = expected)
    AND EXISTS (SELECT FROM access_tokens t WHERE t.organization_id = organization AND t.bot_id = bot AND t.id = token
      AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp()))
  FOR NO KEY UPDATE OF s;
  IF NOT FOUND THEN RETURN; END IF;
  moment := clock_timestamp();

  IF sharer IS NULL THEN
    IF EXISTS (SELECT FROM subscription_copies o
      WHERE o.organization_id = organization AND o.subscription_id = subscription.id AND o.leased_until > moment) THEN RETURN; END IF;
    IF subscription.ack = presented THEN
      acked := subscription.generation;
      done := subscription.answered;
    ELSIF presented IS NOT NULL THEN
      SELECT e.generation, e.positions INTO acked, done FROM subscription_answers e
      WHERE e.organization_id = organization AND e.subscription_id = subscription.id AND e.ack = presented LIMIT 1;
    END IF;
    is_earlier := expected IS NULL AND subscription.ack IS NOT NULL AND subscription.ack IS DISTINCT FROM presented
      AND (subscription.answered <> '{}' OR subscription.told_gap_since IS NOT NULL);
  ELSE
    SELECT o.generation, o.leased_until INTO own FROM subscription_copies o
    WHERE o.organization_id = organization AND o.subscription_id = subscription.id AND o.copy = sharer;
    IF own.generation <> expected OR (expected IS NOT NULL AND own.generation IS NULL) THEN RETURN; END IF;
    IF (own.leased_until > moment) IS NOT TRUE AND ${MAX_COPIES} <= (SELECT count(*) FROM subscription_copies o
      WHERE o.organization_id = organization AND o.subscription_id = subscription.id AND o.leased_until > moment) THEN RETURN; END IF;
    IF presented IS NOT NULL THEN
      SELECT e.generation, e.positions INTO acked, done FROM shared_answers e
      WHERE e.organization_id = organization AND e.subscription_id = subscription.id AND e.ack = presented LIMIT 1;
    END IF;
  END IF;
  done := COALESCE(done, '{}');

  LOOP
    SELECT COALESCE(array_agg(w.position), '{}'), COALESCE(array_agg(w.chat_id), '{}'), COALESCE(string_agg(w.payload, ','), ''),
      json_object_agg(w.id, w.traceparent) FILTER (WHERE w.traceparent IS NOT NULL), count(*)
    INTO positions, chats, events, traceparents, count
    FROM (SELECT d.position, d.chat_id, d.id, d.payload, d.traceparent ${WAITING} ORDER BY d.position LIMIT most) AS w;
    is_cut := count = most;
    EXIT WHEN octet_length(events) <= ${MAX_BYTES} OR count = 1;
    -- Takes only as many as fit, and at least one.
    SELECT greatest(count(*), 1) INTO most
    FROM (
      SELECT sum(octet_length(w.payload) + 1) OVER (ORDER BY w.position) - 1 AS bytes
      FROM (SELECT d.position, d.payload ${WAITING} ORDER BY d.position LIMIT most) AS w) AS b
    WHERE b.bytes <= ${MAX_BYTES};
  END LOOP;
  has_new_gap := subscription.gap_since IS NOT NULL;
  IF positions = '{}' AND NOT has_new_gap AND NOT may_be_empty THEN RETURN; END IF;
  pending := 0;
  IF is_cut THEN
    SELECT count(*) INTO pending FROM (
      SELECT ${WAITING} AND d.position > positions[cardinality(positions)] ORDER BY d.position LIMIT ${MAX_PENDING}) AS w;
  END IF;

  -- The new part of the gap joins the reported part, unless the poll acknowledges the response that reported that.
  generation := subscription.generation + 1;
  IF (acked >= subscription.told_gap_generation) IS NOT TRUE THEN
    told_since := subscription.told_gap_since;
    told_dropped := subscription.told_gap_dropped;
  END IF;
  since := least(subscription.gap_since, told_since);
  IF (has_new_gap AND subscription.gap_dropped IS NULL) OR (told_since IS NOT NULL AND told_dropped IS NULL) THEN
    told_dropped := NULL;
  ELSE
    told_dropped := COALESCE(subscription.gap_dropped, 0) + COALESCE(told_dropped, 0);
  END IF;
  UPDATE subscriptions s SET
    generation = take_events_1.generation,
    ack = CASE WHEN sharer IS NULL THEN next_ack END,
    answered = CASE WHEN sharer IS NULL THEN positions ELSE '{}' END,
    last_polled_at = moment,
    gap_since = NULL,
    gap_dropped = NULL,
    told_gap_since = since,
    told_gap_generation = CASE WHEN has_new_gap THEN take_events_1.generation ELSE s.told_gap_generation END,
    told_gap_dropped = told_dropped
  WHERE s.organization_id = organization AND s.bot_id = bot;

  IF is_earlier THEN
    INSERT INTO subscription_answers (organization_id, subscription_id, generation, ack, positions)
    VALUES (organization, subscription.id, subscription.generation, subscription.ack, subscription.answered);
  END IF;
  IF sharer IS NULL AND (is_earlier OR acked < subscription.generation) THEN
    DELETE FROM subscription_answers e
    WHERE e.organization_id = organization AND e.subscription_id = subscription.id AND (e.generation = acked OR e.generation <= (
      SELECT o.generation FROM subscription_answers o WHERE o.organization_id = organization AND o.subscription_id = subscription.id
      ORDER BY o.generation DESC OFFSET ${MAX_ANSWERS} LIMIT 1));
  END IF;

  IF sharer IS NOT NULL THEN
    INSERT INTO subscription_copies (organization_id, subscription_id, copy, generation, leased_until)
    VALUES (organization, subscription.id, sharer, take_events_1.generation, clock_timestamp() + make_interval(secs => lease))
    ON CONFLICT (organization_id, subscription_id, copy) DO UPDATE
      SET generation = excluded.generation, leased_until = excluded.leased_until;

    SELECT array_agg(h.chat_id), array_agg(p.position) INTO open_chats, open_positions
    FROM shared_chats h CROSS JOIN unnest(h.positions) AS p (position)
    WHERE h.organization_id = organization AND h.subscription_id = subscription.id AND h.copy = sharer AND h.chat_id = ANY (chats)
      AND p.position <> ALL (done);
    INSERT INTO shared_chats (organization_id, subscription_id, chat_id, copy, positions)
    SELECT organization, subscription.id, n.chat_id, sharer, array_agg(DISTINCT n.position)
    FROM unnest(chats || open_chats, positions || open_positions) AS n (chat_id, position)
    GROUP BY n.chat_id
    ON CONFLICT (organization_id, subscription_id, chat_id) DO UPDATE SET copy = excluded.copy, positions = excluded.positions;
    -- Another copy may acknowledge what this one was sent, and deliveries may be dropped. So if the poll has taken everything that waits,
    -- the copy's other chats are released too.
    DELETE FROM shared_chats h
    WHERE h.organization_id = organization AND h.subscription_id = subscription.id AND h.copy = sharer AND h.chat_id <> ALL (chats)
      AND (NOT is_cut OR h.positions <@ done);
    IF is_cut AND done <> '{}' THEN
      UPDATE shared_chats h SET positions = ARRAY(SELECT p.position FROM unnest(h.positions) AS p (position) WHERE p.position <> ALL (done))
      WHERE h.organization_id = organization AND h.subscription_id = subscription.id AND h.copy = sharer AND h.chat_id <> ALL (chats)
        AND h.positions && done;
    END IF;

    IF positions <> '{}' OR since IS NOT NULL THEN
      INSERT INTO shared_answers (organization_id, subscription_id, copy, generation, ack, positions)
      VALUES (organization, subscription.id, sharer, take_events_1.generation, next_ack, positions);
    END IF;
    DELETE FROM shared_answers e
    WHERE e.organization_id = organization AND e.subscription_id = subscription.id AND e.copy = sharer
      AND (e.generation = acked OR e.generation <= (
        SELECT o.generation FROM shared_answers o
        WHERE o.organization_id = organization AND o.subscription_id = subscription.id AND o.copy = sharer
        ORDER BY o.generation DESC OFFSET ${MAX_ANSWERS} LIMIT 1));
    DELETE FROM subscription_copies o
    WHERE o.organization_id = organization AND o.subscription_id = subscription.id AND o.copy <> sharer
      AND o.leased_until < moment - interval '10 minutes';
  END IF;

  -- One by one: for a list of positions, the planner, whose statistics lag behind a table that changes so fast, would read everything
  -- that the subscription ever had. A waiting delivery is never updated, so its ctid stays valid. The condition that every position
  -- meets lets the planner expect one row. Expecting ten, it would read all deliveries of the organization. And the order, which a sort
  -- may not make, leaves only the index with the position: by the primary key, each lookup would read all events that wait.
  IF done <> '{}' THEN
    WITH found AS MATERIALIZED (
      SELECT e.tuple FROM unnest(done) AS one (position) CROSS JOIN LATERAL (
        SELECT d.ctid AS tuple FROM deliveries d
        WHERE d.organization_id = organization AND d.receiver_id = subscription.id AND d.outcome IS NULL AND d.due_at IS NULL
          AND d.position >= one.position AND d.position <= one.position
        ORDER BY d.position FOR UPDATE SKIP LOCKED) e
      WHERE one.position BETWEEN 0 AND 9223372036854775807
    )
    DELETE FROM deliveries d USING found f WHERE d.organization_id = organization AND d.ctid = f.tuple;
  END IF;

  id := subscription.id;
  dropped_events := CASE WHEN since IS NOT NULL THEN told_dropped END;
END $function$`;
