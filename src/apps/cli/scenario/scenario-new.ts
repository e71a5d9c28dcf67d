/** `mfano scenario new`: writes a commented scenario file to start from. */
import { existsSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { packageRoot, shippedScenarios } from '../../../hosts/node/package.ts'
import { CLEAN, type CliCommand, CommandFailed, jsonFlag, UsageError } from '../command.ts'

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

export const newCommand: CliCommand = {
  name: 'new',
  words: 'NAME',
  summary: 'Create a commented scenario file, NAME.yaml.',
  flags: [
    {
      name: 'extends',
      value: 'name',
      help: 'The shipped scenario that it extends.',
      expected: 'the name of a shipped scenario',
      names: 'scenarios',
      byDefault: 'default',
    },
    jsonFlag,
  ],
  examples: ['mfano scenario new month-end', 'mfano scenario new bad-day --extends flaky-rail'],
  run: (given, output) => {
    const [name = ''] = given.words
    if (!NAME.test(name))
      throw new UsageError(
        `${JSON.stringify(name)} is no name for a scenario. Expected lower-case letters, digits and hyphens, such as month-end.`,
      )
    const parent = given.get('extends') ?? 'default'
    const known = shippedScenarios()
    if (!known.includes(parent))
      throw new UsageError(`--extends: there is no scenario ${JSON.stringify(parent)}.${didYouMean(parent, known)}`)
    const file = `${name}.yaml`
    if (existsSync(file))
      throw new CommandFailed(`${file} exists already. Nothing was changed.`, 'Choose another name.')
    writeFileSync(file, starter(name, parent), { flag: 'wx' })
    output.out(
      given.has('json')
        ? `${JSON.stringify({ file }, null, 2)}\n`
        : `Wrote ${file}. Check it: mfano scenario lint ${file}\nUse it: mfano --scenario ${file} --watch\n`,
    )
    return CLEAN
  },
}

/** Where an editor finds the schema: in the project's installed mfano, or at a running one. */
function schemaAddress(): string {
  const path = relative(process.cwd(), join(packageRoot(), 'scenarios', 'scenario.schema.json'))
  const outside = path.startsWith('..') || isAbsolute(path)
  return outside ? 'http://localhost:8080/_mfano/scenario.schema.json' : `./${path.split(sep).join('/')}`
}

function starter(name: string, parent: string): string {
  return `# yaml-language-server: $schema=${schemaAddress()}
# With the line above, an editor with the YAML language server completes and checks this file.
name: ${name}
description: One sentence that says what this world is like.

# The rules of the extended scenario come after those below. Without this line it is default; none is possible too.
extends: ${parent}

# Where all chance comes from: the same seed draws the same odds and delays.
seed: 7

# Times of day and dates are those of this zone.
timezone: Africa/Nairobi

# Simulated time. frozen: it moves only when it is told to, so a test never sleeps. realtime and scaled are the others.
clock: { mode: frozen, start: 2025-01-31T16:00:00 }

# The first rule that matches decides. Each is a name, the kinds of payment, when, and what then.
rules:
  - name: large payouts to phones need a call
    on: send-money
    when: request.amount > 100000 && request.currencyCode == "KSH"
    then: { refuse: { code: PAYMENT_LIMIT_EXCEEDED, details: Call us for more than 100000 } }

  - name: one paybill payment in twenty fails after a while
    on: paybill
    chance: 0.05
    then: { after: 5s..30s, end: FAILED }

  - name: the first two bank payouts are slow
    on: bank-payout
    nth: { first: 2 }
    then: { after: 10m, end: SUCCESS }

# How merchants are told: how often and when a callback is tried again.
callbacks:
  retry: { attempts: 3, backoff: [10s, 1m] }
`
}
