-- What is published of a day. A corrected bar is a further version; the highest counts.
CREATE TABLE daily_bars (
  asset       text        NOT NULL,
  day         date        NOT NULL,
  version     integer     NOT NULL,
  open        float8      NOT NULL,
  high        float8      NOT NULL,
  low         float8      NOT NULL,
  close       float8      NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (asset, day, version)
);

-- One row an asset; a day from first_day to last_day without a bar is a gap.
CREATE TABLE price_histories (
  asset          text        PRIMARY KEY,
  version        integer     NOT NULL,
  history_source text        NOT NULL,
  first_day      date        NOT NULL,
  last_day       date        NOT NULL,
  updated_at     timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE covariances (
  returns    text        PRIMARY KEY,
  version    integer     NOT NULL,
  event      jsonb       NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
