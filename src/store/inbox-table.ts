/** Callbacks that built-in receivers took, and how those answer. */
import type { InboxBehaviour } from '../model/inbox-behaviour.ts'
import type { SignatureState } from '../model/signature.ts'
import type { InstantUs } from '../model/time.ts'
import { Conditions, type Stretch } from './conditions.ts'
import { HeaderTexts } from './header-texts.ts'
import type { Sql, Statement } from './sql.ts'

/** A callback that the built-in receiver took. */
export interface InboxMessage {
  id: number
  name: string
  atUs: InstantUs
  headers: Record<string, string>
  /** As received. */
  body: string
  /** What it was answered: a status, or how the connection ended. Null: by an older mfano. */
  answered: string | null
  /** What its signature was worth when it came. */
  signature: SignatureState | null
}

/** A behaviour of an inbox, and how far its answers went. */
export interface StoredInboxBehaviour {
  /** The query of the address that asked for it; empty for the inbox's own. */
  asked: string
  settings: InboxBehaviour
  /** Messages that it answered. */
  taken: number
}

interface PersonalityRow {
  asked: string
  settings: string
  taken: number
}

interface Row {
  id: number
  name: string
  at_us: number
  headers: string
  body: string
  answered: string | null
  signature: SignatureState | null
}

/** Ready-made receivers, by name, for merchants who have none yet. */
export class Inbox {
  readonly #sql: Sql
  // What each callback that comes needs.
  readonly #insert: Pick<Statement<never>, 'run'>
  readonly #personalities: Statement<PersonalityRow>
  readonly #headers = new HeaderTexts()
  /** Some inbox was told how to answer: nobody need look where none was. */
  #anyTold: boolean

  constructor(sql: Sql) {
    this.#sql = sql
    this.#insert = sql.insertion(
      'INSERT INTO inbox (id, name, at_us, headers, body, answered, signature)',
      '(?, ?, ?, ?, ?, ?, ?)',
    )
    // SQLite would plan it anew for each name.
    this.#personalities = sql.prepare(
      "SELECT asked, settings, taken FROM personality WHERE inbox = ? || '' ORDER BY asked",
    )
    this.#anyTold = sql.prepare('SELECT 1 FROM personality LIMIT 1').get() !== undefined
  }

  add(m: InboxMessage): void {
    this.#insert.run(m.id, m.name, m.atUs, this.#headers.of(m.headers), m.body, m.answered, m.signature)
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
    const { where, values } = new Conditions()
      .add('name = ?', options.name)
      .text(options.texts, ['body', 'headers'])
      .within(options, 'at_us', 'id')
    return this.#sql
      .prepare<Row>(`SELECT * FROM inbox ${where} ORDER BY id ${options.newestFirst ? 'DESC' : 'ASC'} LIMIT ?`)
      .all(...values, options.limit)
      .map(toMessage)
  }

  names(): { name: string; messages: number }[] {
    return this.#sql
      .prepare<{ name: string; messages: number }>(
        `SELECT name, sum(messages) AS messages FROM
           (SELECT name, 1 AS messages FROM inbox UNION ALL SELECT inbox, 0 FROM personality)
         GROUP BY name ORDER BY name`,
      )
      .all()
  }

  /** Forgets its messages and its behaviour. */
  clear(name: string): void {
    this.#sql.prepare('DELETE FROM inbox WHERE name = ?').run(name)
    this.#sql.prepare('DELETE FROM personality WHERE inbox = ?').run(name)
  }

  /** How an inbox answers, by itself and to addresses that ask for something else. */
  personalities(name: string): StoredInboxBehaviour[] {
    if (!this.#anyTold) return []
    return this.#personalities.all(name).map(({ settings, ...row }) => ({ ...row, settings: JSON.parse(settings) }))
  }

  behaviour(name: string, asked: string): StoredInboxBehaviour | undefined {
    return this.personalities(name).find((one) => one.asked === asked)
  }

  saveBehaviour(name: string, { asked, settings, taken }: StoredInboxBehaviour): void {
    this.#anyTold = true
    this.#sql
      .prepare(
        `INSERT INTO personality (inbox, asked, settings, taken) VALUES (?, ?, ?, ?)
         ON CONFLICT (inbox, asked) DO UPDATE SET settings = excluded.settings, taken = excluded.taken`,
      )
      .run(name, asked, JSON.stringify(settings), taken)
  }
}

function toMessage(row: Row): InboxMessage {
  const { id, name, body, answered, signature } = row
  return { id, name, atUs: row.at_us, headers: JSON.parse(row.headers), body, answered, signature }
}
