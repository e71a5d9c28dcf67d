/** Checks whether a database from outside can be a world's. */
import { META_TABLE, requireVersion } from '../schema.ts'
import type { Sql } from '../sql.ts'

/** Every table, column and index with its definition: `table payment`, `column payment.seq INTEGER` and so on. */
export type Shape = ReadonlyMap<string, string | null>

/**
 * Says what is wrong with a database from outside: tables that are not a world's, damage, or rows that no world has.
 * Throws `OtherSchema`, and SQLite's own error for a file that is no database.
 * @param expected the shape of a world's database
 */
export function* checkingDatabase(sql: Sql, expected: Shape): Generator<void, string | undefined> {
  // Before anything else, because a definition may hold what takes for ever, and SQLite works it out with each row.
  const problem = wrongShape(sql, expected)
  if (problem !== undefined) return problem
  yield
  const damage = sql.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').get()
  if (damage?.quick_check !== 'ok') return `its database is damaged: ${damage?.quick_check}`
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

const JSON_COLUMNS = {
  'payment.opened': 'object',
  'payment.details': 'object',
  'payment.history': 'array',
  'callback.body': undefined,
  'callback.fault': 'object',
  'callback.trace': 'object',
  'attempt.headers': 'object',
  'attempt.diagnosis': 'object',
  'journal.request_headers': 'object',
  'journal.notes': 'object',
  'inbox.headers': 'object',
  'inbox_behaviour.settings': 'object',
  'recorded.entry': 'object',
  'api_user.roles': 'array',
} as const

const IN_OBJECTS: readonly (readonly [
  column: string,
  at: string,
  fields: Readonly<Record<string, readonly string[]>>,
])[] = [
  ['payment.opened', '', { uuid: ['text'], request: ['object'], plan: ['object'], callbackUrl: ['text', 'null', '-'] }],
  [
    'payment.opened',
    '.plan',
    {
      rule: ['text'],
      trace: ['text'],
      afterUs: ['integer', 'real', 'null'],
      end: ['text'],
      with: ['object'],
      revise: ['object', 'null'],
    },
  ],
  ['payment.opened', '.plan.revise', { afterUs: ['integer', 'real'], end: ['text'], with: ['object'] }],
  ['payment.opened', '.plan.callback', { by: ['text'] }],
  ['callback.fault', '', { by: ['text'] }],
  ['attempt.diagnosis', '', { code: ['text'], what: ['text'], why: ['text'], todo: ['text'] }],
  ['inbox_behaviour.settings', '', { answers: ['array'], delayMs: ['integer', 'real'], headers: ['object'] }],
]

const IN_MOMENTS = [['integer', 'real'], ['text'], ['text'], ['text'], ['text', '-']] as const

/**
 * References between rows, with the condition under which they apply. `NULL NOT IN` is true for an empty table, such as
 * one of callbacks.
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
  ['journal', 'organisation_id', 'organisation', 'id', 'TRUE'],
  ['waiting', 'payment_seq', 'payment', 'seq', 'TRUE'],
  ['transfer', 'debit_account', 'account', 'id', 'TRUE'],
  ['transfer', 'credit_account', 'account', 'id', 'TRUE'],
  ['attempt', 'callback_id', 'callback', 'id', 'TRUE'],
] as const

function* wrongRow(sql: Sql): Generator<void, string | undefined> {
  const holds = (table: string, condition: string) =>
    sql.prepare(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`).get() !== undefined
  for (const [table, checks] of checksOf(sql)) {
    yield
    // One look at every row; which of the checks it was is found out where one fails.
    if (!holds(table, checks.map(({ wrong }) => `(${wrong})`).join(' OR '))) continue
    for (const { wrong, what } of checks) if (holds(table, wrong)) return `its database has a ${what}`
  }
  yield
  const broken = sql.prepare<{ table: string; parent: string }>('PRAGMA foreign_key_check').get()
  return broken && `its database has a ${broken.table} of an ${broken.parent} that is not there`
}

/** Far above what a file of a gigabyte can hold, and far below what JavaScript cannot count. */
const MOST_ROWS = 1e12
const KEY = /^(?:n|number|subject|(?:.*_)?(?:seq|id)|\w+_account)$/
/** Counters that hold an instant or a number of windows; each other one counts rows or requests. */
const NO_COUNT =
  "name IN ('stamp', 'callback-slot') OR name LIKE '%:%' AND name NOT LIKE 'payment:%' AND name NOT LIKE 'request:%'"

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
    .all()) {
    if (KEY.test(name) && type === 'integer')
      add(owner, `${name} NOT BETWEEN 0 AND ${MOST_ROWS}`, `${owner}.${name} beyond 0 to ${MOST_ROWS}`)
    add(
      owner,
      type === 'integer' ? notNumber(name) : `typeof(${name}) NOT IN ('${type}', 'null')`,
      `${owner}.${name} that is no ${type}`,
    )
  }
  add(
    'counter',
    `value NOT BETWEEN 0 AND iif(${NO_COUNT}, ${Number.MAX_SAFE_INTEGER}, ${MOST_ROWS})`,
    `counter.value beyond 0 to ${MOST_ROWS}`,
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
  const isNoMoment = [
    "each.type <> 'array'",
    ...IN_MOMENTS.map((types, at) => noneOf('each.value', `[${at}]`, types)),
  ].join(' OR ')
  add(
    'payment',
    `CASE WHEN json_valid(history) THEN EXISTS (SELECT 1 FROM json_each(history) AS each WHERE ${isNoMoment}) END`,
    'payment.history with a moment that is none',
  )
  for (const [table, name, other, key, where] of REFERENCES)
    add(
      table,
      `${where} AND ${name} NOT IN (SELECT ${key} FROM ${other})`,
      `${table}.${name} of a ${other} that is not there`,
    )
  return checks
}

/** A number too large to be counted exactly may be stored as real; an infinite one is invalid. */
function notNumber(name: string): string {
  return `typeof(${name}) NOT IN ('integer', 'real', 'null') OR abs(${name}) > 9e18`
}
