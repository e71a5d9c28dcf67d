/** The tables of a world. Instants are microseconds, money is minor units, JSON columns hold text. */
import type { Sql } from './sql.ts'

/** Rises whenever a table changes. Databases of another version are refused, because there has been no release yet. */
export const SCHEMA_VERSION = 31

const SCHEMA = `
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE organisation (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  phoneNumber TEXT NOT NULL,
  email TEXT NOT NULL,
  uniqueReference TEXT NOT NULL,
  collectionCallbackUrl TEXT,
  parentId INTEGER REFERENCES organisation (id),
  createdAtUs INTEGER NOT NULL,
  updatedAtUs INTEGER NOT NULL
);
CREATE INDEX organisation_parent ON organisation (parentId);

CREATE TABLE credential (
  apiKey TEXT PRIMARY KEY,
  organisationId INTEGER NOT NULL REFERENCES organisation (id),
  secretSha256 TEXT NOT NULL,
  createdAtUs INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE api_user (
  id INTEGER PRIMARY KEY,
  organisationId INTEGER NOT NULL REFERENCES organisation (id),
  username TEXT NOT NULL,
  userType TEXT NOT NULL,
  firstName TEXT NOT NULL,
  lastName TEXT NOT NULL,
  email TEXT NOT NULL,
  roles TEXT NOT NULL,
  createdAtUs INTEGER NOT NULL
);
CREATE INDEX api_user_name ON api_user (username);

CREATE TABLE subscription (
  organisationId INTEGER PRIMARY KEY REFERENCES organisation (id),
  uuid TEXT NOT NULL,
  active INTEGER NOT NULL,
  createdAtUs INTEGER NOT NULL,
  updatedAtUs INTEGER NOT NULL
);

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  organisationId INTEGER,
  currency TEXT NOT NULL,
  debitsPosted INTEGER NOT NULL,
  creditsPosted INTEGER NOT NULL,
  debitsPending INTEGER NOT NULL,
  creditsPending INTEGER NOT NULL
);

CREATE TABLE transfer (
  id INTEGER PRIMARY KEY,
  paymentSeq INTEGER,
  kind TEXT NOT NULL,
  debitAccount INTEGER NOT NULL,
  creditAccount INTEGER NOT NULL,
  amountMinor INTEGER NOT NULL CHECK (amountMinor > 0),
  state TEXT NOT NULL,
  createdAtUs INTEGER NOT NULL,
  settledAtUs INTEGER
);
CREATE INDEX transfer_payment ON transfer (paymentSeq);

CREATE TABLE payment (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  organisationId INTEGER NOT NULL,
  counterpartyId INTEGER,
  referenceId TEXT,
  party TEXT,
  currency TEXT NOT NULL,
  amountMinor INTEGER NOT NULL,
  status TEXT NOT NULL,
  createdAtUs INTEGER NOT NULL,
  updatedAtUs INTEGER NOT NULL,
  details TEXT NOT NULL,
  opened TEXT NOT NULL,
  history TEXT NOT NULL
);
CREATE INDEX payment_counterparty ON payment (counterpartyId, kind, seq) WHERE counterpartyId IS NOT NULL;
CREATE INDEX payment_list ON payment (organisationId, kind, seq);
CREATE INDEX payment_party ON payment (party, kind, seq) WHERE party IS NOT NULL;

CREATE TABLE referenced (
  referenceId TEXT NOT NULL,
  paymentSeq INTEGER NOT NULL,
  PRIMARY KEY (referenceId, paymentSeq)
) WITHOUT ROWID;

CREATE TABLE waiting (
  paymentSeq INTEGER PRIMARY KEY,
  float TEXT NOT NULL,
  currency TEXT NOT NULL,
  amountMinor INTEGER NOT NULL,
  reservedMinor INTEGER NOT NULL
);
CREATE INDEX waiting_float ON waiting (float, currency, paymentSeq);

CREATE TABLE agenda (
  lane INTEGER NOT NULL,
  dueAtUs INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  subject INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (lane, dueAtUs, seq)
) WITHOUT ROWID;
CREATE INDEX agenda_subject ON agenda (lane, subject);

CREATE TABLE callback (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  paymentSeq INTEGER,
  topic TEXT NOT NULL,
  url TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  createdAtUs INTEGER NOT NULL,
  settledAtUs INTEGER,
  fault TEXT,
  trace TEXT
);
CREATE INDEX callback_payment ON callback (paymentSeq);
CREATE INDEX callback_held ON callback (url) WHERE state = 'held';

CREATE TABLE attempt (
  callbackId INTEGER NOT NULL,
  number INTEGER NOT NULL,
  sentAtUs INTEGER NOT NULL,
  tookMs INTEGER NOT NULL,
  url TEXT NOT NULL,
  headers TEXT NOT NULL,
  status INTEGER,
  responseBody TEXT,
  error TEXT,
  diagnosis TEXT,
  byHand INTEGER NOT NULL DEFAULT 0,
  forwarder TEXT,
  PRIMARY KEY (callbackId, number)
) WITHOUT ROWID;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  atUs INTEGER NOT NULL,
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
  requestId TEXT NOT NULL,
  atUs INTEGER NOT NULL,
  operation TEXT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  organisationId INTEGER,
  requestHeaders TEXT NOT NULL,
  requestBody TEXT,
  status INTEGER NOT NULL,
  responseBody TEXT,
  rule TEXT,
  notes TEXT,
  paymentSeq INTEGER
);
CREATE INDEX journal_payment ON journal (paymentSeq) WHERE paymentSeq IS NOT NULL;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  doc TEXT NOT NULL
);

-- runId: the run that it was part of, if any.
CREATE TABLE scenario_period (
  id INTEGER PRIMARY KEY,
  runId INTEGER,
  doc TEXT NOT NULL
);
CREATE INDEX scenario_period_run ON scenario_period (runId);

CREATE TABLE idempotency (
  organisationId INTEGER NOT NULL,
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  body TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  paymentSeq INTEGER,
  PRIMARY KEY (organisationId, key)
) WITHOUT ROWID;

CREATE TABLE recorded (
  n INTEGER PRIMARY KEY,
  entry TEXT NOT NULL
);
`

class OtherSchema extends Error {
  readonly hint =
    'Start the mfano that wrote it, or begin with an empty folder: --data ./data-2 (MFANO_DATA). A scenario and a seed make the same world again.'
  constructor(found: number, file = 'of this world') {
    super(
      `The database ${file} has schema version ${found}; this mfano knows version ${SCHEMA_VERSION} only. Nothing was changed.`,
    )
  }
}

/** Created before everything else, because it holds the schema's version. */
const META_TABLE = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)'

export function requireVersion(sql: Sql): number | undefined {
  const row = sql.prepare<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'").get()
  if (!row) return undefined
  if (Number(row.value) !== SCHEMA_VERSION) throw new OtherSchema(Number(row.value), sql.file)
  return SCHEMA_VERSION
}

export function ensureSchema(sql: Sql): void {
  sql.exec(META_TABLE.replace('TABLE', 'TABLE IF NOT EXISTS'))
  if (requireVersion(sql) !== undefined) return
  sql.transaction(() => {
    sql.exec(SCHEMA)
    sql.prepare("INSERT INTO meta (key, value) VALUES ('schema_version', ?)").run(String(SCHEMA_VERSION))
  })
}

/** Every table and index with its definition, by what it is and its name: `table payment`. */
type Shape = ReadonlyMap<string, string | null>

const SHAPE: Shape = new Map(
  [...`${META_TABLE};${SCHEMA}`.matchAll(/CREATE (TABLE|INDEX) (\w+)[^;]*/g)].map(([definition, thing = '', name]) => [
    `${thing.toLowerCase()} ${name}`,
    definition,
  ]),
)

function shapeOf(sql: Sql): Shape {
  const things = sql
    .prepare<{ thing: string; definition: string | null }>(
      `SELECT type || ' ' || name AS thing, sql AS definition
       FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all()
  return new Map(things.map(({ thing, definition }) => [thing, definition]))
}

/**
 * Says what is wrong with a database from elsewhere: tables that are not a world's, or damage. Throws `OtherSchema`, and
 * SQLite's own error for a file that is no database.
 */
export function* checkingDatabase(sql: Sql): Generator<void, string | undefined> {
  // Before anything else, because a definition may hold what takes for ever, and SQLite works it out with each row.
  const problem = wrongShape(sql)
  if (problem !== undefined) return problem
  yield
  const damage = sql.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').get()
  if (damage?.quick_check !== 'ok') return `its database is damaged: ${damage?.quick_check}`
  for (const [table, wrong] of wrongTypes(sql)) {
    yield
    if (sql.prepare(`SELECT 1 FROM ${table} WHERE ${wrong} LIMIT 1`).get())
      return `its database has a ${table} with a value of another type`
  }
  yield
  const broken = sql.prepare<{ table: string; parent: string }>('PRAGMA foreign_key_check').get()
  return broken && `its database has a ${broken.table} of an ${broken.parent} that is not there`
}

/** For each table the condition of a value that is not of its column's type, or beyond what can be counted exactly. */
function wrongTypes(sql: Sql): Map<string, string> {
  const columns = sql
    .prepare<{ owner: string; name: string; type: string }>(
      `SELECT owner.name AS owner, own.name AS name, lower(own.type) AS type
       FROM sqlite_schema AS owner JOIN pragma_table_xinfo(owner.name) AS own WHERE owner.type = 'table'`,
    )
    .all()
  const wrong = ({ name, type }: { name: string; type: string }) =>
    type === 'integer'
      ? `typeof(${name}) NOT IN ('integer', 'real', 'null') OR abs(${name}) > ${Number.MAX_SAFE_INTEGER}`
      : `typeof(${name}) NOT IN ('${type}', 'null')`
  const byTable = Map.groupBy(columns, ({ owner }) => owner)
  return new Map([...byTable].map(([table, its]) => [table, its.map(wrong).join(' OR ')]))
}

function wrongShape(sql: Sql): string | undefined {
  const found = shapeOf(sql)
  const problemOf = (thing: string) => {
    if (!found.has(thing)) return `its database has no ${thing}`
    if (!SHAPE.has(thing)) return `its database has a ${thing}, and no world has one`
    if (found.get(thing) === SHAPE.get(thing)) return undefined
    return `its database has a ${thing} that is defined otherwise than that of a world`
  }
  // Its version is looked up only in a table that is what it should be.
  const wrong = problemOf('table meta')
  if (wrong === undefined) requireVersion(sql)
  return wrong ?? [...found.keys(), ...SHAPE.keys()].map(problemOf).find(Boolean)
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
