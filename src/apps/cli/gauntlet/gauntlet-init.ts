/** `mfano gauntlet --init`: drafts a merchant file from a running app and a person's answers. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { must } from '../../../core/model/must.ts'
import { draftMerchant, draftText, type MerchantDraft } from '../../../judge/draft-merchant.ts'
import { type Arguments, CLEAN, CommandFailed, USAGE } from '../command.ts'
import { asFailure } from '../judging.ts'
import type { Output } from '../output.ts'
import { writeNamed } from '../write-file.ts'

const SCHEMA = 'http://localhost:8080/_mfano/merchant.schema.json'

const questions = [
  ['name', 'What is your app called?'],
  ['command', 'What starts it, in this folder?'],
  ['ready', 'Which path answers 200 when it is ready?'],
  ['books', 'Which path shows what it believes of its payments?'],
  ['tick', 'Which path has it do its periodic work? (- for none)'],
  ['reset', 'Which path has it forget everything? (- for none)'],
] as const satisfies readonly (readonly [keyof MerchantDraft, string])[]

export async function initMerchant(given: Arguments, output: Output): Promise<number> {
  const url = must(given.get('init'))
  const file = given.get('out') ?? 'merchant.yaml'
  if (existsSync(file))
    throw new CommandFailed(`${file} is there already, and was not changed.`, 'Choose another file: --out app.yaml', {
      exitCode: USAGE,
    })
  const har = given.get('from')
  const drafted = await draftMerchant(url, dirname(resolve(file)), har).catch(asFailure)
  const draft = process.stdin.isTTY && output.read ? await corrected(drafted) : drafted
  writeNamed(file, draftText(draft, SCHEMA))
  const { acts, contract, books, tick } = draft
  const from = har ?? contract
  const source = from === undefined ? 'no contract was found, so look at the acts' : `from ${from}`
  output.out(
    given.has('json')
      ? `${JSON.stringify({ file, ...draft }, null, 2)}\n`
      : `Written: ${file} (${acts.length} acts, ${source}; books at ${books}; ${tick === undefined ? 'no tick' : `tick at ${tick}`})\nCheck its command and env, then: mfano gauntlet ${file}\n`,
  )
  return CLEAN
}

async function corrected(draft: MerchantDraft): Promise<MerchantDraft> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const said: Partial<Pick<MerchantDraft, (typeof questions)[number][0]>> = {}
  for (const [key, question] of questions) {
    const suggested = draft[key]
    const answer = (await lines.question(`${question} [${suggested ?? '-'}] `)).trim()
    said[key] = answer === '' ? suggested : answer === '-' ? undefined : answer
  }
  lines.close()
  return { ...draft, ...said }
}
