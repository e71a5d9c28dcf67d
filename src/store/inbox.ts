import type { InstantUs } from '../model/time.ts'
import { Conditions, type Stretch } from './conditions.ts'
import type { Sql } from './sql.ts'

/** A callback that the built-in receiver took. */
export interface InboxMessage {
  id: number
  name: string
  atUs: InstantUs
  headers: Record<string, string>
  /** As received. */
  body: string
}

interface Row {
  id: number
  name: string
  at_us: number
  headers: string
  body: string
}

/** Ready-made receivers, by name, for merchants who have none yet. */
export class Inbox {
  readonly #sql: Sql
  constructor(sql: Sql) {
    this.#sql = sql
  }

  add(m: InboxMessage): void {
    this.#sql
      .prepare('INSERT INTO inbox (id, name, at_us, headers, body) VALUES (?, ?, ?, ?, ?)')
      .run(m.id, m.name, m.atUs, JSON.stringify(m.headers), m.body)
  }

  byId(id: number): InboxMessage | undefined {
    const row = this.#sql.prepare<Row>('SELECT * FROM inbox WHERE id = ?').get(id)
    return row && toMessage(row)
  }

  /** In order of arrival. */
  list(name: string, limit = 1000): InboxMessage[] {
    return this.#sql
      .prepare<Row>('SELECT * FROM inbox WHERE name = ? ORDER BY id LIMIT ?')
      .all(name, limit)
      .map(toMessage)
  }

  /** A stretch in order of arrival, or the newest first; of one inbox, or of all. */
  page(options: Stretch & { name?: string | undefined; limit: number; newestFirst?: boolean }): InboxMessage[] {
    const { where, values } = new Conditions().add('name = ?', options.name).within(options, 'at_us', 'id')
    return this.#sql
      .prepare<Row>(`SELECT * FROM inbox ${where} ORDER BY id ${options.newestFirst ? 'DESC' : 'ASC'} LIMIT ?`)
      .all(...values, options.limit)
      .map(toMessage)
  }

  names(): { name: string; messages: number }[] {
    return this.#sql
      .prepare<{ name: string; messages: number }>(
        'SELECT name, count(*) AS messages FROM inbox GROUP BY name ORDER BY name',
      )
      .all()
  }

  clear(name: string): void {
    this.#sql.prepare('DELETE FROM inbox WHERE name = ?').run(name)
  }
}

function toMessage(row: Row): InboxMessage {
  return { id: row.id, name: row.name, atUs: row.at_us, headers: JSON.parse(row.headers), body: row.body }
}
