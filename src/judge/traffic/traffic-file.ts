/** Recorded traffic as a file, and without what is secret in it. */
import { readFileSync } from 'node:fs'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { Unusable } from '../subject.ts'
import { type HarRecord, HarUnreadable, readHar } from './har.ts'
import { Secrets } from './secrets.ts'

/** Throws where it cannot be read. */
export function readTrafficFile(file: string): HarRecord[] {
  try {
    return readHar(readFileSync(file, 'utf8'))
  } catch (error) {
    const hint = error instanceof HarUnreadable ? `it is no traffic: ${error.message}` : whyUnreadable(error)
    throw new Unusable(`${file} cannot be read:`, { code: 'TRAFFIC_UNREADABLE', hint })
  }
}

/** What is secret in somebody else's file is never told either. */
export function secretsIn(recorded: readonly HarRecord[]): Secrets {
  const secrets = new Secrets()
  for (const { headers, path, body, answer, mediaType } of recorded) {
    for (const [name, value] of Object.entries(headers)) secrets.header(name, value)
    secrets.path(path)
    secrets.body(body, headers['content-type'] ?? '')
    secrets.body(answer, mediaType)
  }
  return secrets
}

/** An exchange as it may be told. */
export function maskedBy(secrets: Secrets, one: HarRecord): HarRecord {
  return {
    ...one,
    path: secrets.path(one.path),
    body: secrets.body(one.body, one.headers['content-type'] ?? ''),
    answer: secrets.body(one.answer, one.mediaType),
  }
}
