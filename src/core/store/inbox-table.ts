/** Messages and behaviour of built-in inboxes. */

import type { InboxMessage, StoredInboxBehaviour } from '../model/inbox.ts'
import { insertRecord, insertRows, type Stored } from '../sql.ts'
import { Table } from './counter-table.ts'
import { Conditions, type Paging } from './queries.ts'

interface Kept {
  messages: number
  bytes: number
  names: Map<string, number>
}

type Row = Stored<InboxMessage, 'headers'>

/** Limits of all inboxes of a world, because anybody may post to them. */
export const INBOX_MAX = { inboxes: 1000, messages: 100_000, bytes: 64_000_000 }
const ASKED_MAX = 1000
const GIVEN_WAY = 'inbox-given-way'
const BYTES = 'octet_length(headers) + octet_length(body)'
const encoder = new TextEncoder()

export class Inbox extends Table {
  bytesMax = INBOX_MAX.bytes
  #kept: Kept | undefined
  readonly #recount = () => {
    this.#kept = undefined
  }
  readonly #insert = insertRows(this.sql, 'inbox', ['id', 'name', 'atUs', 'headers', 'body', 'answered', 'signature'])
  /** False while certainly no inbox has a behaviour, so that nobody has to look. */
  #anyTold = this.sql.prepare('SELECT 1 FROM inbox_behaviour LIMIT 1').get() !== undefined

  add(m: InboxMessage): void {
    const kept = this.#all
    this.undo.onRollback(this.#recount)
    const headers = JSON.stringify(m.headers)
    this.#insert.run(m.id, m.name, m.atUs, headers, m.body, m.answered, m.signature)
    kept.messages++
    kept.bytes += encoder.encode(headers + m.body).length
    kept.names.set(m.name, (kept.names.get(m.name) ?? 0) + 1)
    const { inboxes, messages } = INBOX_MAX
    while ((kept.bytes > this.bytesMax || kept.messages > messages || kept.names.size > inboxes) && kept.messages > 1)
      this.#giveWay(kept)
  }

  get kept(): { inboxes: number; messages: number; bytes: number; bytesMax: number; givenWay: number } {
    const { messages, bytes, names } = this.#all
    const givenWay = this.counters.current(GIVEN_WAY)
    return { inboxes: names.size, messages, bytes, bytesMax: this.bytesMax, givenWay }
  }

  get #all(): Kept {
    if (this.#kept) return this.#kept
    const rows = this.rows<{ name: string; messages: number; bytes: number }>(
      `SELECT name, count(*) AS messages, sum(${BYTES}) AS bytes FROM inbox GROUP BY name`,
    )
    this.#kept = {
      messages: rows.reduce((all, row) => all + row.messages, 0),
      bytes: rows.reduce((all, row) => all + row.bytes, 0),
      names: new Map(rows.map(({ name, messages }) => [name, messages])),
    }
    return this.#kept
  }

  #giveWay(kept: Kept): void {
    const oldest = this.row<{ id: number; name: string; bytes: number }>(
      `SELECT id, name, ${BYTES} AS bytes FROM inbox ORDER BY id LIMIT 1`,
    )
    if (!oldest) return
    this.run('DELETE FROM inbox WHERE id = ?', oldest.id)
    this.counters.next(GIVEN_WAY)
    kept.messages--
    kept.bytes -= oldest.bytes
    const left = (kept.names.get(oldest.name) ?? 0) - 1
    if (left > 0) kept.names.set(oldest.name, left)
    else kept.names.delete(oldest.name)
  }

  byId(id: number): InboxMessage | undefined {
    return this.rows<Row>('SELECT * FROM inbox WHERE id = ?', id).map(toMessage)[0]
  }

  list(name: string, limit = 1000): InboxMessage[] {
    return this.rows<Row>('SELECT * FROM inbox WHERE name = ? ORDER BY id LIMIT ? + 0', name, limit).map(toMessage)
  }

  page(options: Paging & { name?: string | undefined }): InboxMessage[] {
    return new Conditions()
      .add('name = ?', options.name)
      .text(options.texts, ['body', 'headers'])
      .within(this.sql, 'inbox', options, 'id')
      .page<Row>(this.sql, 'inbox', 'id', options)
      .map(toMessage)
  }

  names(): { name: string; messages: number }[] {
    return this.rows(
      `SELECT name, sum(messages) AS messages FROM
         (SELECT name, 1 AS messages FROM inbox UNION ALL SELECT inbox, 0 FROM inbox_behaviour)
       GROUP BY name ORDER BY name`,
    )
  }

  clear(name: string): void {
    this.undo.onRollback(this.#recount)
    this.#recount()
    this.run('DELETE FROM inbox WHERE name = ?', name)
    this.run('DELETE FROM inbox_behaviour WHERE inbox = ?', name)
  }

  behaviours(name: string): StoredInboxBehaviour[] {
    if (!this.#anyTold) return []
    // SQLite would plan it anew for each name.
    const text = "SELECT asked, settings, taken FROM inbox_behaviour WHERE inbox = ? || '' ORDER BY asked"
    const rows = this.rows<Stored<StoredInboxBehaviour, 'settings'>>(text, name)
    return rows.map(({ settings, ...row }) => ({ ...row, settings: JSON.parse(settings) }))
  }

  behaviour(name: string, asked: string): StoredInboxBehaviour | undefined {
    return this.behaviours(name).find((one) => one.asked === asked)
  }

  saveBehaviour(name: string, { asked, settings, taken }: StoredInboxBehaviour): void {
    this.#anyTold = true
    if (asked !== '' && taken === 1) {
      const one = this.row<{ n: number }>("SELECT count(*) AS n FROM inbox_behaviour WHERE asked <> ''")
      if (one && one.n >= ASKED_MAX) this.run("DELETE FROM inbox_behaviour WHERE asked <> ''")
    }
    const row = { inbox: name, asked, settings: JSON.stringify(settings), taken }
    insertRecord(this.sql, 'inbox_behaviour', row, 'REPLACE')
  }
}

function toMessage(row: Row): InboxMessage {
  return { ...row, headers: JSON.parse(row.headers) }
}
