// An app that asks a database by a socket of its own, as pg does.
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { connect } from 'node:tls'

const log = []
const port = Number(process.env.DATABASE)
const plain = () => new Socket().connect(port, '127.0.0.1')
const socket = process.env.TLS ? connect({ port, host: '127.0.0.1', rejectUnauthorized: false }) : plain()
socket.on('data', () => log.push(`${new Date().toISOString().slice(11, 19)} answered`))
setInterval(() => socket.write('SELECT 1'), 10_000)
createServer((_, response) => response.end(JSON.stringify(log))).listen(process.env.PORT, '127.0.0.1')
