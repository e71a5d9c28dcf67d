import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isRecord } from '../../../core/model/must.ts'
import { draftMerchant, draftText } from '../../../judge/draft-merchant.ts'
import { type Arguments, CLEAN, CommandFailed, USAGE } from '../command.ts'
import type { Output } from '../output.ts'
import { serverOf } from '../server.ts'
import { writeNamed } from '../write-file.ts'
import { asFailure } from './judging.ts'

const LOOKED_AT = 200
const SCHEMA = 'http://localhost:8080/_mfano/merchant.schema.json'

export async function initMerchant(given: Arguments, output: Output): Promise<number> {
  const { baseUrl: mfano } = serverOf(given)
  const callbackUrls = given.words.length > 0 ? [] : await callbackUrlsOf(given)
  const draft = await draftMerchant({ curl: given.words, mfano, callbackUrls }).catch(asFailure)
  // Beside the app, where its command is run.
  const file = given.get('out') ?? relative('', join(draft.folder ?? '', 'merchant.yaml'))
  if (existsSync(file))
    throw new CommandFailed(`${file} is there already, and was not changed.`, 'Choose another file: --out app.yaml', {
      exitCode: USAGE,
    })
  const name = basename(dirname(resolve(file)))
  writeNamed(file, draftText(draft, name, SCHEMA))
  const { act, books, follows, unsure } = draft
  const time = follows ? "the world's clock" : 'nothing'
  const check = unsure.map((sentence) => `Check: ${sentence}\n`).join('')
  output.out(
    given.has('json')
      ? `${JSON.stringify({ file, name, ...draft }, null, 2)}\n`
      : `Written: ${file}\n  act    ${act.method.toUpperCase()} ${act.path}\n  books  ${books ?? 'none'}\n  time   ${time}\n${check}Judge your app: mfano gauntlet ${file}\n`,
  )
  return CLEAN
}

async function callbackUrlsOf(given: Arguments): Promise<string[]> {
  const { requests } = await serverOf(given).control('GET', '/requests', { query: { limit: LOOKED_AT } })
  const urls = requests.map(({ request: { body } }) => (isRecord(body) ? body['callbackUrl'] : undefined))
  return urls.filter((one): one is string => typeof one === 'string' && URL.canParse(one))
}
