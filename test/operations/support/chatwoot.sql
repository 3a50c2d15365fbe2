-- The tables of Chatwoot 4 that an import reads, with the columns of its db/schema.rb.
CREATE TABLE accounts (id serial PRIMARY KEY, name varchar NOT NULL);
CREATE TABLE contacts (
  id serial PRIMARY KEY, name varchar DEFAULT '', email varchar, phone_number varchar, account_id integer NOT NULL, identifier varchar,
  created_at timestamp NOT NULL DEFAULT '2025-01-01'
);
CREATE TABLE conversations (
  id serial PRIMARY KEY, account_id integer NOT NULL, inbox_id integer NOT NULL DEFAULT 1, status integer NOT NULL DEFAULT 0, contact_id bigint,
  display_id integer NOT NULL, cached_label_list text, created_at timestamp NOT NULL
);
CREATE TABLE messages (
  id serial PRIMARY KEY, content text, account_id integer NOT NULL DEFAULT 1, conversation_id integer NOT NULL, message_type integer NOT NULL,
  created_at timestamp NOT NULL, private boolean NOT NULL DEFAULT false, sender_type varchar, sender_id bigint
);
CREATE TABLE users (id serial PRIMARY KEY, name varchar NOT NULL, display_name varchar, email varchar);
CREATE TABLE agent_bots (id bigserial PRIMARY KEY, name varchar);
CREATE TABLE attachments (id serial PRIMARY KEY, file_type integer DEFAULT 0, external_url varchar, message_id integer NOT NULL, account_id integer NOT NULL DEFAULT 1);
CREATE TABLE active_storage_attachments (
  id bigserial PRIMARY KEY, name varchar NOT NULL, record_type varchar NOT NULL, record_id bigint NOT NULL, blob_id bigint NOT NULL
);
CREATE TABLE active_storage_blobs (id bigserial PRIMARY KEY, filename varchar NOT NULL);

INSERT INTO accounts (name) VALUES ('Acme');
INSERT INTO contacts (name, email, phone_number, account_id, identifier) VALUES
  ('Zoë Müller', 'zoe@example.com', '+49 170 1234567', 1, 'customer-7'), ('', NULL, NULL, 1, NULL);
INSERT INTO users (name, display_name, email) VALUES ('Ada Lovelace', 'Ada', 'ADA@acme.example'), ('Gone Agent', NULL, 'gone@acme.example');
INSERT INTO agent_bots (name) VALUES ('Helper');
INSERT INTO conversations (account_id, contact_id, display_id, cached_label_list, created_at) VALUES
  (1, 1, 1, 'refund, vip', '2025-03-01 10:00:00'), (1, 2, 2, NULL, '2025-03-02 10:00:00'), (1, 1, 3, NULL, '2025-03-03 10:00:00');
INSERT INTO messages (content, conversation_id, message_type, created_at, private, sender_type, sender_id) VALUES
  ('Where is INV-2026/0815?', 1, 0, '2025-03-01 10:00:01.5', false, 'Contact', 1),
  ('I am a bot', 1, 1, '2025-03-01 10:00:02', false, 'AgentBot', 1),
  ('Conversation was assigned to Ada', 1, 2, '2025-03-01 10:00:03', false, NULL, NULL),
  ('she called before', 1, 1, '2025-03-01 10:00:04', true, 'User', 1),
  ('It is on its way', 1, 1, '2025-03-01 10:00:05', false, 'User', 1),
  (NULL, 1, 0, '2025-03-01 10:00:06', false, 'Contact', 1),
  ('Give us a rating', 1, 3, '2025-03-01 10:00:07', false, NULL, NULL),
  ('hello?', 2, 0, '2025-03-02 10:00:01', false, 'Contact', 2),
  ('yes', 2, 1, '2025-03-02 10:00:02', false, 'User', 2),
  ('Conversation was resolved', 3, 2, '2025-03-03 10:00:01', false, NULL, NULL);
INSERT INTO attachments (message_id) VALUES (6);
INSERT INTO active_storage_blobs (filename) VALUES ('receipt.pdf');
INSERT INTO active_storage_attachments (name, record_type, record_id, blob_id) VALUES ('file', 'Attachment', 1, 1);
