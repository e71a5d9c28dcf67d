// An app that asks a database by a socket of its own, as pg does.
import { createServer } from 'node:http'
import { Socket } from 'node:net'

const log = []
const socket = new Socket()
socket.connect(Number(process.env.DATABASE), '127.0.0.1')
socket.on('data', () => log.push(`${new Date().toISOString().slice(11, 19)} answered`))
setInterval(() => socket.write('SELECT 1'), 10_000)
createServer((_, response) => response.end(JSON.stringify(log))).listen(process.env.PORT, '127.0.0.1')
