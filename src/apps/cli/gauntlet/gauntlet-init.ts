/** `mfano gauntlet --init`: drafts a merchant file from a running app. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isRecord } from '../../../core/model/must.ts'
import { draftMerchant, draftText } from '../../../judge/draft-merchant.ts'
import { type Arguments, CLEAN, CommandFailed, USAGE } from '../command.ts'
import { asFailure } from '../judging.ts'
import type { Output } from '../output.ts'
import { serverOf } from '../server.ts'
import { writeNamed } from '../write-file.ts'

const SCHEMA = 'http://localhost:8080/_mfano/merchant.schema.json'
const LOOKED_AT = 200

/** `url`: address of the app. Undefined: it is found. */
export async function initMerchant(url: string | undefined, given: Arguments, output: Output): Promise<number> {
  const { baseUrl, callbackUrls } = await lastAsked(given, url !== undefined || given.words.length > 0)
  const draft = await draftMerchant({ url, curl: given.words, mfano: baseUrl, callbackUrls }).catch(asFailure)
  // Beside the app, where its command is run.
  const file = given.get('out') ?? relative('', join(draft.folder ?? '', 'merchant.yaml'))
  if (existsSync(file))
    throw new CommandFailed(`${file} is there already, and was not changed.`, 'Choose another file: --out app.yaml', {
      exitCode: USAGE,
    })
  const name = basename(dirname(resolve(file)))
  writeNamed(file, draftText(draft, name, SCHEMA))
  const { acts, contract, books, tick, follows, unsure } = draft
  const time = tick ?? (follows ? "the world's clock" : 'nothing')
  const check = unsure.map((sentence) => `Check: ${sentence}\n`).join('')
  output.out(
    given.has('json')
      ? `${JSON.stringify({ file, name, ...draft }, null, 2)}\n`
      : `Written: ${file}\n  acts   ${acts.map(({ method, path }) => `${method.toUpperCase()} ${path}`).join(', ') || 'none'}${contract === undefined ? '' : `, from ${contract}`}\n  books  ${books ?? 'none'}\n  time   ${time}\n${check}Judge your app: mfano gauntlet ${file}\n`,
  )
  return CLEAN
}

/** Where the latest requests to the running mfano wanted their callbacks. `isOptional`: without a mfano, none. */
async function lastAsked(given: Arguments, isOptional: boolean) {
  const { baseUrl, control } = serverOf(given)
  try {
    const { requests } = await control('GET', '/requests', { query: { limit: LOOKED_AT } })
    const bodies = requests.map(({ request: { body } }) => (isRecord(body) ? body['callbackUrl'] : undefined))
    return {
      baseUrl,
      callbackUrls: bodies.filter((one): one is string => typeof one === 'string' && URL.canParse(one)),
    }
  } catch (error) {
    if (!isOptional) throw error
    return { baseUrl, callbackUrls: [] }
  }
}
