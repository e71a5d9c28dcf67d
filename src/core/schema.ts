/** The tables of a world. Instants are microseconds, money is minor units, JSON columns hold text. */
import type { Sql } from './sql.ts'

/** Rises whenever a table changes. Databases of another version are refused, because there has been no release yet. */
export const SCHEMA_VERSION = 27

const SCHEMA = `
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE organisation (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  phone_number TEXT NOT NULL,
  email TEXT NOT NULL,
  unique_reference TEXT NOT NULL,
  collection_callback_url TEXT,
  parent_id INTEGER REFERENCES organisation (id),
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL
);
CREATE INDEX organisation_parent ON organisation (parent_id);

CREATE TABLE credential (
  api_key TEXT PRIMARY KEY,
  organisation_id INTEGER NOT NULL REFERENCES organisation (id),
  secret_sha256 TEXT NOT NULL,
  created_at_us INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE api_user (
  id INTEGER PRIMARY KEY,
  organisation_id INTEGER NOT NULL REFERENCES organisation (id),
  username TEXT NOT NULL,
  user_type TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  roles TEXT NOT NULL,
  created_at_us INTEGER NOT NULL
);
CREATE INDEX api_user_name ON api_user (username);

CREATE TABLE subscription (
  organisation_id INTEGER PRIMARY KEY REFERENCES organisation (id),
  uuid TEXT NOT NULL,
  active INTEGER NOT NULL,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL
);

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  organisation_id INTEGER,
  currency TEXT NOT NULL,
  debits_posted INTEGER NOT NULL,
  credits_posted INTEGER NOT NULL,
  debits_pending INTEGER NOT NULL,
  credits_pending INTEGER NOT NULL
);

CREATE TABLE transfer (
  id INTEGER PRIMARY KEY,
  payment_seq INTEGER,
  kind TEXT NOT NULL,
  debit_account INTEGER NOT NULL,
  credit_account INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  state TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  settled_at_us INTEGER
);
CREATE INDEX transfer_payment ON transfer (payment_seq);

CREATE TABLE payment (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  organisation_id INTEGER NOT NULL,
  counterparty_id INTEGER,
  reference_id TEXT,
  party TEXT,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  updated_at_us INTEGER NOT NULL,
  details TEXT NOT NULL,
  opened TEXT NOT NULL,
  history TEXT NOT NULL,
  last_callback_id INTEGER
);
CREATE INDEX payment_counterparty ON payment (counterparty_id, kind, seq) WHERE counterparty_id IS NOT NULL;
CREATE INDEX payment_list ON payment (organisation_id, kind, seq);
CREATE INDEX payment_party ON payment (party, kind, seq) WHERE party IS NOT NULL;

CREATE TABLE former_uuid (uuid TEXT PRIMARY KEY, payment_seq INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE referenced (
  reference_id TEXT NOT NULL,
  payment_seq INTEGER NOT NULL,
  PRIMARY KEY (reference_id, payment_seq)
) WITHOUT ROWID;

CREATE TABLE waiting (
  payment_seq INTEGER PRIMARY KEY,
  float TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  reserved_minor INTEGER NOT NULL
);
CREATE INDEX waiting_float ON waiting (float, currency, payment_seq);

CREATE TABLE agenda (
  lane INTEGER NOT NULL,
  due_at_us INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (lane, due_at_us, seq)
) WITHOUT ROWID;
CREATE INDEX agenda_subject ON agenda (lane, subject);

CREATE TABLE callback (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  payment_seq INTEGER,
  topic TEXT NOT NULL,
  url TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  created_at_us INTEGER NOT NULL,
  settled_at_us INTEGER,
  fault TEXT,
  trace TEXT,
  previous_id INTEGER
);
CREATE INDEX callback_held ON callback (url) WHERE state = 'held';

CREATE TABLE attempt (
  callback_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  sent_at_us INTEGER NOT NULL,
  took_ms INTEGER NOT NULL,
  url TEXT NOT NULL,
  headers TEXT NOT NULL,
  status INTEGER,
  response_body TEXT,
  error TEXT,
  diagnosis TEXT,
  by_hand INTEGER NOT NULL DEFAULT 0,
  forwarder TEXT,
  PRIMARY KEY (callback_id, number)
) WITHOUT ROWID;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  at_us INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  answered TEXT,
  signature TEXT
);
CREATE INDEX inbox_name ON inbox (name, id);

CREATE TABLE inbox_behaviour (
  inbox TEXT NOT NULL,
  asked TEXT NOT NULL,
  settings TEXT NOT NULL,
  taken INTEGER NOT NULL,
  PRIMARY KEY (inbox, asked)
) WITHOUT ROWID;

CREATE TABLE journal (
  seq INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL,
  at_us INTEGER NOT NULL,
  operation TEXT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  organisation_id INTEGER,
  request_headers TEXT NOT NULL,
  request_body TEXT,
  status INTEGER NOT NULL,
  response_body TEXT,
  rule TEXT,
  notes TEXT,
  payment_seq INTEGER
);
CREATE INDEX journal_payment ON journal (payment_seq) WHERE payment_seq IS NOT NULL;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  doc TEXT NOT NULL
);

-- run_id: the run that it was part of, if any.
CREATE TABLE scenario_period (
  id INTEGER PRIMARY KEY,
  run_id INTEGER,
  doc TEXT NOT NULL
);
CREATE INDEX scenario_period_run ON scenario_period (run_id);

CREATE TABLE idempotency (
  organisation_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  body TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  payment_seq INTEGER,
  PRIMARY KEY (organisation_id, key)
) WITHOUT ROWID;

CREATE TABLE recorded (
  n INTEGER PRIMARY KEY,
  entry TEXT NOT NULL
);
`

class OtherSchema extends Error {
  readonly hint =
    'Start the mfano that wrote it, or begin with an empty folder: --data ./data-2 (MFANO_DATA). A scenario and a seed make the same world again.'
  constructor(found: number) {
    super(
      `The database has schema version ${found}; this mfano knows version ${SCHEMA_VERSION} only. Nothing was changed.`,
    )
    this.name = 'OtherSchema'
  }
}

/** Created before everything else, because it holds the schema's version. */
export const META_TABLE = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)'

export function requireVersion(sql: Sql): number | undefined {
  const row = sql.prepare<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'").get()
  if (!row) return undefined
  if (Number(row.value) !== SCHEMA_VERSION) throw new OtherSchema(Number(row.value))
  return SCHEMA_VERSION
}

/** Creates the tables in an empty database. Refuses one of another version. */
export function ensureSchema(sql: Sql): void {
  sql.exec(META_TABLE.replace('TABLE', 'TABLE IF NOT EXISTS'))
  if (requireVersion(sql) !== undefined) return
  sql.transaction(() => {
    sql.exec(SCHEMA)
    sql.prepare("INSERT INTO meta (key, value) VALUES ('schema_version', ?)").run(String(SCHEMA_VERSION))
  })
}

// The rows of a world's tables, so that two worlds can be compared.

export const COMPARED = [
  'organisation',
  'payment',
  'transfer',
  'agenda',
  'callback',
  'attempt',
  'journal',
  'inbox',
  'counter',
] as const
export type ComparedTable = (typeof COMPARED)[number]

export function rowsOf(sql: Sql, table: ComparedTable): string[] {
  return sql
    .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
    .all()
    .map((row) => JSON.stringify(row))
}
