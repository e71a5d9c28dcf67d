/** Keeps what is secret in recorded traffic out of what is told of it. */
import type { Recorded } from '../../../judge/traffic/har.ts'
import type { Secrets } from '../../../judge/traffic/secrets.ts'

/** What is secret in somebody else's file is never told either. */
export function learn(recorded: readonly Recorded[], secrets: Secrets): void {
  for (const { headers, path, body, answer, mediaType } of recorded) {
    for (const [name, value] of Object.entries(headers)) secrets.header(name, value)
    secrets.path(path)
    secrets.body(body, headers['content-type'] ?? '')
    secrets.body(answer, mediaType)
  }
}

/** An exchange as it may be told. */
export function masked(one: Recorded, secrets: Secrets): Recorded {
  return {
    ...one,
    path: secrets.path(one.path),
    body: secrets.body(one.body, one.headers['content-type'] ?? ''),
    answer: secrets.body(one.answer, one.mediaType),
  }
}
