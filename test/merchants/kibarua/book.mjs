/**
 * The database that both processes of this app share. `queued`: nobody has asked for it; `taken`: the worker is about to ask,
 * or did and has no answer; any other state is the service's. A stray is a payment that nobody here asked for: the service
 * made a second one of a request.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const bug = process.env.BUG ?? ''
export const db = new DatabaseSync(join(process.env.DATA, 'book.db'))
db.exec(`PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS wage (reference TEXT PRIMARY KEY, phone TEXT, amount REAL, state TEXT, id TEXT, asked REAL);
  CREATE TABLE IF NOT EXISTS stray (id TEXT PRIMARY KEY, reference TEXT, amount REAL, state TEXT);
  CREATE TABLE IF NOT EXISTS listed (at REAL);
  CREATE TABLE IF NOT EXISTS token (value TEXT);`)

export const wages = () => db.prepare('SELECT * FROM wage ORDER BY rowid').all()
export const strays = () => db.prepare('SELECT * FROM stray ORDER BY rowid').all()
export const set = (reference, changes) => {
  for (const [name, value] of Object.entries(changes))
    db.prepare(`UPDATE wage SET ${name} = ? WHERE reference = ?`).run(value, reference)
}

/** `answer` is given the method and path as one text, and the body. */
export function serve(answer) {
  createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const sent = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      sent(200, (await answer(`${request.method} ${request.url}`, text === '' ? {} : JSON.parse(text))) ?? { ok: true })
    } catch (error) {
      sent(500, { error: String(error) })
    }
  }).listen(process.env.PORT, '127.0.0.1')
}
