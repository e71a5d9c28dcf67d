/** An app in TypeScript that Node cannot run as it is: it has an enum. */
import { createServer } from 'node:http'

enum Said {
  once = 'once',
}

const log: string[] = []
setTimeout(() => log.push(`${new Date().toISOString().slice(11, 19)} ${Said.once}`), 90_000)
createServer((_, response) => response.end(JSON.stringify(log))).listen(Number(process.env['PORT']), '127.0.0.1')
