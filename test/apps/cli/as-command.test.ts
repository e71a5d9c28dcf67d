/** Requests to the control plane, as the commands that make them. */
import { expect, it } from 'vitest'
import { asCommands } from '../../../src/apps/cli/as-command.ts'

it.each([
  ['GET /_mfano/payments lists them.', 'mfano payment list lists them.'],
  ['Move it: POST http://localhost:8080/w/a/_mfano/clock/advance {"by":"5m"}', 'Move it: mfano clock advance 5m'],
  ['POST /_mfano/clock/advance {"to":"2025-01-24T16:28:00"}', 'mfano clock advance 2025-01-24T16:28:00'],
  ['Then: POST http://h:1/_mfano/callbacks/7/redeliver', 'Then: mfano callback redeliver 7'],
  ['POST /_mfano/snapshots {"name":"…"}', 'mfano snapshot save …'],
  ['GET /_mfano/payments/{uuid}/explain says why.', 'mfano explain {uuid} says why.'],
  // What no command does, or does with more than is said, stays.
  ['PUT /_mfano/assumptions/error-body', 'PUT /_mfano/assumptions/error-body'],
  ['POST /_mfano/snapshots saves one', 'POST /_mfano/snapshots saves one'],
  ['POST /api/sandbox/v1/send-money', 'POST /api/sandbox/v1/send-money'],
])('%s', (said, expected) => {
  expect(asCommands(said)).toBe(expected)
})
