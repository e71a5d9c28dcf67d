/** Whether a database that came from elsewhere can be a world's. */
import { META_TABLE, requireVersion } from '../schema.ts'
import type { Sql } from '../sql.ts'

/** What a database is made of, and how each is defined: `table payment`, `column payment.seq INTEGER` and so on. */
export type Shape = ReadonlyMap<string, string | null>

/**
 * Says in words what is wrong with a database that came from elsewhere: tables that are not a world's, damage, or rows
 * that no world has. Throws `OtherSchema`, and SQLite's own error for what is no database at all. Each step takes a while
 * where the database is large.
 * @param expected what a world's database is made of
 */
export function* adopt(sql: Sql, expected: Shape): Generator<void, string | undefined> {
  // Before anything else, because a definition may hold what takes for ever, and SQLite works it out with each row.
  const problem = wrongShape(sql, expected)
  if (problem !== undefined) return problem
  const [damage] = sql.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').all()
  if (damage?.quick_check !== 'ok') return `its database is damaged: ${damage?.quick_check}`
  yield
  return yield* wrongRow(sql)
}

function wrongShape(sql: Sql, expected: Shape): string | undefined {
  const found = shapeOf(sql)
  const meta = found.get('table meta')
  if (meta === undefined) return 'its database has no table meta'
  // Its version is looked up only in a table that is what it should be.
  if (meta !== META_TABLE) return 'its database has a table meta that is defined otherwise than that of a world'
  requireVersion(sql)
  const things = [...found.keys()]
  const extra = things.find((thing) => !expected.has(thing))
  if (extra !== undefined) return `its database has a ${extra}, and no world has one`
  const missing = [...expected.keys()].find((thing) => !found.has(thing))
  if (missing !== undefined) return `its database has no ${missing}`
  const other = things.find((thing) => found.get(thing) !== expected.get(thing))
  return other && `its database has a ${other} that is defined otherwise than that of a world`
}

/** What SQLite adds by itself is left out. */
export function shapeOf(sql: Sql): Shape {
  const things = sql
    .prepare<{ thing: string; definition: string | null }>(
      `SELECT type || ' ' || name AS thing, sql AS definition
       FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       UNION ALL
       SELECT 'column ' || owner.name || '.' || own.name || ' ' || own.type, NULL
       FROM sqlite_schema AS owner JOIN pragma_table_xinfo(owner.name) AS own WHERE owner.type = 'table'`,
    )
    .all()
  return new Map(things.map(({ thing, definition }) => [thing, definition]))
}

/** Columns that hold JSON, and what kind of it. */
const JSON_COLUMNS = {
  'payment.asked': 'object',
  'payment.plan': 'object',
  'payment.details': 'object',
  'payment.history': 'array',
  'callback.body': undefined,
  'callback.mishap': 'object',
  'callback.trace': 'object',
  'attempt.headers': 'object',
  'attempt.diagnosis': 'object',
  'journal.entries': 'array',
  'inbox.headers': 'object',
  'personality.settings': 'object',
  'recorded.entry': 'object',
  'api_user.roles': 'array',
} as const

/** What objects in columns, or in objects of theirs, must hold where they are there, and what kind of JSON each is. */
const IN_OBJECTS: readonly (readonly [
  column: string,
  at: string,
  fields: Readonly<Record<string, readonly string[]>>,
])[] = [
  ['payment.asked', '', { uuid: ['text'], request: ['object'], callbackUrl: ['text', 'null'] }],
  [
    'payment.plan',
    '',
    {
      rule: ['text'],
      trace: ['text'],
      afterUs: ['integer', 'real', 'null'],
      end: ['text'],
      with: ['object'],
      revise: ['object', 'null'],
    },
  ],
  ['payment.plan', '.revise', { afterUs: ['integer', 'real'], end: ['text'], with: ['object'] }],
  ['payment.plan', '.callback', { by: ['text'] }],
  ['callback.mishap', '', { by: ['text'] }],
  ['attempt.diagnosis', '', { code: ['text'], what: ['text'], why: ['text'], todo: ['text'] }],
  ['personality.settings', '', { answers: ['array'], delayMs: ['integer', 'real'], headers: ['object'] }],
]

/** What each entry of a row of the journal holds, in this order. */
const IN_ENTRIES = [
  ['integer'],
  ['text'],
  ['integer', 'real'],
  ['text', 'null'],
  ['text'],
  ['text'],
  ['integer', 'null'],
  ['object'],
  ['text', 'null'],
  ['integer'],
  ['text', 'null'],
  ['text', 'null'],
  ['object', 'null'],
  ['integer', 'null'],
] as const
/** What each moment of a payment's history holds, in this order; the last is rare. */
const IN_MOMENTS = [['integer', 'real'], ['text'], ['text'], ['text'], ['text', '-']] as const
/** Where an entry names its organisation. */
const ENTRY_ORGANISATION = 6

/**
 * Where a row names another one that has to be there; the last says which rows do. `NULL NOT IN` is true of a table that
 * is empty, as that of callbacks may be.
 */
const REFERENCES = [
  ['agenda', 'subject', 'payment', 'seq', 'lane = 0'],
  ['agenda', 'subject', 'callback', 'id', 'lane = 1'],
  ['payment', 'organisation_id', 'organisation', 'id', 'TRUE'],
  ['former_uuid', 'payment_seq', 'payment', 'seq', 'TRUE'],
  ['payment', 'counterparty_id', 'organisation', 'id', 'TRUE'],
  ['payment', 'last_callback_id', 'callback', 'id', 'last_callback_id IS NOT NULL'],
  ['callback', 'previous_id', 'callback', 'id', 'previous_id IS NOT NULL'],
  ['account', 'organisation_id', 'organisation', 'id', 'TRUE'],
  ['waiting', 'payment_seq', 'payment', 'seq', 'TRUE'],
  ['transfer', 'debit_account', 'account', 'id', 'TRUE'],
  ['transfer', 'credit_account', 'account', 'id', 'TRUE'],
  ['attempt', 'callback_id', 'callback', 'id', 'TRUE'],
] as const

/** What a row holds that none of a world does: another type than its column's, broken JSON, a name of what is not there. */
function* wrongRow(sql: Sql): Generator<void, string | undefined> {
  for (const [table, checks] of checksOf(sql)) {
    // One look at every row; which of the checks it was is found out where one fails.
    if (holds(sql, table, checks.map(({ wrong }) => `(${wrong})`).join(' OR ')))
      return `its database has a ${checks.find(({ wrong }) => holds(sql, table, wrong))?.what}`
    yield
  }
  const [broken] = sql.prepare<{ table: string; parent: string }>('PRAGMA foreign_key_check').all()
  return broken && `its database has a ${broken.table} of an ${broken.parent} that is not there`
}

/** A condition on the rows of a table that no world fulfils, and what such a row has. */
interface Check {
  wrong: string
  what: string
}

function checksOf(sql: Sql): Map<string, Check[]> {
  const checks = new Map<string, Check[]>()
  const add = (table: string, wrong: string, what: string) =>
    checks.set(table, [...(checks.get(table) ?? []), { wrong, what }])
  for (const { owner, name, type } of sql
    .prepare<{ owner: string; name: string; type: string }>(
      `SELECT owner.name AS owner, own.name AS name, lower(own.type) AS type
       FROM sqlite_schema AS owner JOIN pragma_table_xinfo(owner.name) AS own WHERE owner.type = 'table'`,
    )
    .all())
    add(
      owner,
      type === 'integer' ? notNumber(name) : `typeof(${name}) NOT IN ('${type}', 'null')`,
      `${owner}.${name} that is no ${type}`,
    )
  for (const [column, type] of Object.entries(JSON_COLUMNS)) {
    const [table = '', name = ''] = column.split('.')
    const otherwise = type === undefined ? '' : ` OR json_type(${name}) <> '${type}'`
    add(table, `NOT json_valid(${name})${otherwise}`, `${column} that is no JSON ${type ?? ''}`.trimEnd())
  }
  const noneOf = (json: string, at: string, types: readonly string[]) =>
    `coalesce(json_type(${json}, '$${at}'), '-') NOT IN (${types.map((type) => `'${type}'`).join(', ')})`
  for (const [column, at, fields] of IN_OBJECTS) {
    const [table = '', name = ''] = column.split('.')
    const isThere = `CASE WHEN json_valid(${name}) THEN json_type(${name}, '$${at}') = 'object' END`
    for (const [field, types] of Object.entries(fields))
      add(
        table,
        `CASE WHEN ${isThere} THEN ${noneOf(name, `${at}.${field}`, types)} END`,
        `${column}${at} whose ${field} is none`,
      )
  }
  const inEach = (column: string, condition: string) =>
    `CASE WHEN json_valid(${column}) THEN EXISTS (SELECT 1 FROM json_each(${column}) AS each WHERE ${condition}) END`
  const isNone = (all: readonly (readonly string[])[]) =>
    ["each.type <> 'array'", ...all.map((types, at) => noneOf('each.value', `[${at}]`, types))].join(' OR ')
  add('payment', inEach('history', isNone(IN_MOMENTS)), 'payment.history with a moment that is none')
  add('journal', inEach('entries', isNone(IN_ENTRIES)), 'journal.entries with one that is none')
  add(
    'journal',
    inEach('entries', `json_extract(each.value, '$[${ENTRY_ORGANISATION}]') NOT IN (SELECT id FROM organisation)`),
    'journal.entries of an organisation that is not there',
  )
  for (const [table, name, other, key, where] of REFERENCES)
    add(
      table,
      `${where} AND ${name} NOT IN (SELECT ${key} FROM ${other})`,
      `${table}.${name} of a ${other} that is not there`,
    )
  return checks
}

/** A number beyond what is counted exactly is kept as a real one; one that is not finite is none. */
function notNumber(name: string): string {
  return `typeof(${name}) NOT IN ('integer', 'real', 'null') OR abs(${name}) > 9e18`
}

function holds(sql: Sql, table: string, condition: string): boolean {
  return sql.prepare(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`).get() !== undefined
}
