-- Ids are compared byte by byte: they sort by the time they were made.
CREATE TABLE webhooks (
  id              text           COLLATE "C" PRIMARY KEY,
  account_id      text           NOT NULL,
  url             text           NOT NULL,
  events          text[]         NOT NULL,
  is_enabled      boolean        NOT NULL DEFAULT true,
  disabled_reason text,
  within_cap      boolean        NOT NULL DEFAULT true,
  secret_key_id   text           NOT NULL,
  secret_sealed   bytea          NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  deleted_at      timestamptz(3)
);
CREATE INDEX webhooks_of_account ON webhooks (account_id, id DESC) WHERE deleted_at IS NULL;

-- Apart from webhooks: it changes with every batch of events.
CREATE TABLE delivery_counts (
  webhook_id text   COLLATE "C" PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  deliveries bigint NOT NULL
) WITH (fillfactor = 50);

-- due_at: when it may be claimed. A claim moves it to the end of the lease, so the rows of a killed worker come back by
-- themselves; null: at an end.
CREATE TABLE deliveries (
  id               text           COLLATE "C" PRIMARY KEY,
  webhook_id       text           COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  account_id       text           NOT NULL,
  event_id         text           NOT NULL,
  event            text           NOT NULL,
  body             text           NOT NULL,
  state            text           NOT NULL,
  attempts         integer        NOT NULL DEFAULT 0,
  due_at           timestamptz(3),
  lease            uuid,
  last_status_code integer,
  created_at       timestamptz(3) NOT NULL,
  finished_at      timestamptz(3),
  request_id       text,
  traceparent      text
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE UNIQUE INDEX deliveries_event_once ON deliveries (event_id, webhook_id);
CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, id DESC);

CREATE TABLE attempts (
  delivery_id   text           COLLATE "C" NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  attempt       integer        NOT NULL,
  started_at    timestamptz(3) NOT NULL,
  duration_ms   float8         NOT NULL,
  status_code   integer,
  error         text,
  response_head text           NOT NULL,
  PRIMARY KEY (delivery_id, attempt)
);

-- A row stays after unwatching, so that a replay cannot bring it back.
CREATE TABLE watches (
  wallet     text           NOT NULL,
  account_id text           NOT NULL,
  watching   boolean        NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (wallet, account_id)
);

CREATE TABLE account_caps (
  account_id  text           PRIMARY KEY,
  webhook_cap integer,
  changed_at  timestamptz(3) NOT NULL
);

CREATE TABLE outbox (
  xid        xid8        NOT NULL DEFAULT pg_current_xact_id(),
  id         bigserial   PRIMARY KEY,
  event_id   text        NOT NULL,
  topic      text        NOT NULL,
  key        text        NOT NULL,
  value      text,
  headers    jsonb       NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE TABLE inbox (
  consumer text        NOT NULL,
  event_id text        NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_seen_at ON inbox (seen_at);
