/** Brings a database to the shape of this version. */
import { begin } from './migrations/0001-begin.ts'
import { party } from './migrations/0002-party.ts'
import { mishap } from './migrations/0003-mishap.ts'
import { opened } from './migrations/0004-opened.ts'
import { diagnosis } from './migrations/0005-diagnosis.ts'
import { personality } from './migrations/0006-personality.ts'
import { waiting } from './migrations/0007-waiting.ts'
import { momentDetail } from './migrations/0008-moment-detail.ts'
import { recorded } from './migrations/0009-recorded.ts'
import { usernames } from './migrations/0010-usernames.ts'
import { byHand } from './migrations/0011-by-hand.ts'
import { document } from './migrations/0012-document.ts'
import { journalRows } from './migrations/0013-journal-rows.ts'
import { runs } from './migrations/0014-runs.ts'
import { trace } from './migrations/0015-trace.ts'
import { referenced } from './migrations/0016-referenced.ts'
import { asked } from './migrations/0017-asked.ts'
import { moments } from './migrations/0018-moments.ts'
import { scenarioOnce } from './migrations/0019-scenario-once.ts'
import { callbacksOfPayment } from './migrations/0020-callbacks-of-payment.ts'
import type { Sql } from './sql.ts'

/** Numbered, append-only: a change of shape is a new entry, never an edit of an old one. */
export const migrations = [
  begin,
  party,
  mishap,
  opened,
  diagnosis,
  personality,
  waiting,
  momentDetail,
  recorded,
  usernames,
  byHand,
  document,
  journalRows,
  runs,
  trace,
  referenced,
  asked,
  moments,
  scenarioOnce,
  callbacksOfPayment,
]

/** The shape that this program writes. */
export const SCHEMA_VERSION = migrations.length

/** A database that this program must not touch. */
export class NewerDatabase extends Error {
  readonly hint = 'Start the newer mfano that wrote it, or point the data directory (MFANO_DATA) somewhere else.'
  constructor(found: number) {
    super(
      `The database has schema version ${found}; this mfano knows versions up to ${SCHEMA_VERSION}. Nothing was changed.`,
    )
    this.name = 'NewerDatabase'
  }
}

/** Where its own version is, before anything else is known of it. */
export const META_TABLE = 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)'

/** The shape that a database says it has; refuses one that is newer than the program. */
export function versionOf(sql: Sql): number {
  const row = sql.prepare<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'").get()
  const found = row ? Number(row.value) : 0
  if (found > SCHEMA_VERSION) throw new NewerDatabase(found)
  return found
}

/** Brings a world's database to the present shape, or to an earlier one; refuses one that is newer than the program. */
export function migrate(sql: Sql, to = SCHEMA_VERSION): void {
  sql.exec(META_TABLE.replace('TABLE', 'TABLE IF NOT EXISTS'))
  const found = versionOf(sql)
  if (found === to) return
  sql.transaction(() => {
    for (const migration of migrations.slice(found, to)) sql.exec(migration)
    sql
      .prepare(
        "INSERT INTO meta (key, value) VALUES ('schema_version', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      )
      .run(String(to))
  })
}
