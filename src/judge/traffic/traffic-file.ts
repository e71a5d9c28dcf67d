/** Reads recorded traffic and removes its secrets. */
import { readFileSync } from 'node:fs'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { Unusable } from '../subject.ts'
import { type HarRecord, HarUnreadable, readHar } from './har.ts'
import { Secrets } from './secrets.ts'

export function readTrafficFile(file: string): HarRecord[] {
  try {
    // It takes off a byte order mark.
    return readHar(new TextDecoder().decode(readFileSync(file)))
  } catch (error) {
    const hint = error instanceof HarUnreadable ? `it is no traffic: ${error.message}` : whyUnreadable(error)
    throw new Unusable(`${file} cannot be read:`, { code: 'TRAFFIC_UNREADABLE', hint })
  }
}

/** Needed because files from other tools contain unmasked secrets. */
export function secretsIn(recorded: readonly HarRecord[]): Secrets {
  const secrets = new Secrets()
  for (const { headers, path, body, answer } of recorded) {
    for (const [name, value] of Object.entries(headers)) secrets.header(name, value)
    secrets.path(path)
    secrets.body(body)
    secrets.body(answer)
  }
  return secrets
}

export function maskedBy(secrets: Secrets, one: HarRecord): HarRecord {
  return {
    ...one,
    path: secrets.path(one.path),
    body: secrets.body(one.body),
    answer: secrets.body(one.answer),
  }
}
