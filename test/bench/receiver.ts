/** A merchant's endpoint that takes everything at once, and says how much it took. Answers 200, or what it is told. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const status = Number(process.argv[2] ?? 200)
let received = 0
const server = createServer((request, response) => {
  if (request.method !== 'POST') return response.end(String(received))
  request.resume()
  return request.on('end', () => {
    received++
    response.statusCode = status
    response.end('noted')
  })
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
