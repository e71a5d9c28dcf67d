import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { Hits } from '../../../client/control.ts'
import { didYouMean, printProblem } from '../../../core/model/problems.ts'
import { counted } from '../../../core/model/text.ts'
import { packageRoot, shippedScenarios } from '../../../hosts/node/package.ts'
import { type Arguments, CLEAN, type CliCommand, CommandFailed, jsonFlag, PROBLEMS, UsageError } from '../command.ts'
import { nounGroup, operationCommand } from '../declared-commands.ts'
import type { Output } from '../output.ts'
import { readParameters, setFlag } from '../typed-values.ts'
import { hint } from '../words.ts'
import { scenarioExplainCommand } from './scenario-explain.ts'
import { lintCommand } from './scenario-lint.ts'

export const listCommand: CliCommand = {
  name: 'list',
  summary: 'List the shipped scenarios.',
  flags: [jsonFlag],
  examples: ['mfano scenario list', 'mfano scenario list --json'],
  run: async (given, output) => {
    const { scenarioLibrary } = await import('../../../hosts/node/scenarios.ts')
    const library = scenarioLibrary()
    const scenarios = shippedScenarios().map((name) => library.shipped(name))
    const listed = scenarios.map(({ name, description, zone }) => ({
      name,
      description: oneLine(description),
      timezone: zone.name,
    }))
    if (given.has('json')) output.out(`${JSON.stringify(listed, null, 2)}\n`)
    else {
      const width = Math.max(...listed.map(({ name }) => name.length))
      const line = (name: string, text: string) => `${output.paint('bold', name.padEnd(width))}  ${text}\n`
      output.out(listed.map(({ name, description }) => line(name, description)).join(''))
    }
    return CLEAN
  },
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

export const showCommand: CliCommand = {
  name: 'show',
  words: 'FILE',
  names: ['scenarios'],
  summary: 'Print a scenario merged with all that it extends.',
  flags: [setFlag, jsonFlag],
  examples: ['mfano scenario show bank-name-mismatch', 'mfano scenario show month-end.yaml --set limit=5000'],
  run: async (given, output) => {
    const [{ parse }, { scenarioLibrary }] = await Promise.all([
      import('yaml'),
      import('../../../hosts/node/scenarios.ts'),
    ])
    const [nameOrPath = ''] = given.words
    const text = scenarioLibrary().find(nameOrPath, readParameters(given)).effective()
    output.out(given.has('json') ? `${JSON.stringify(parse(text), null, 2)}\n` : text)
    return CLEAN
  },
}

export const useCommand = operationCommand('scenario.use', {
  words: 'FILE',
  fields: ['body'],
  names: ['scenarios'],
  summary: 'Apply a scenario to new payments of a running world.',
  flags: [setFlag],
  examples: [
    'mfano scenario use slow-rails',
    'mfano scenario use month-end.yaml --set limit=5000 --url http://localhost:8080 --world shop',
  ],
  ask: async ({ given, send }) => {
    const { scenarioToSend } = await import('../send-scenario.ts')
    const [nameOrPath = ''] = given.words
    const { content, parameters, warnings } = scenarioToSend(nameOrPath, readParameters(given))
    const query = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`set.${name}`, String(value)]))
    return { ...(await send({ ...query, body: content })), warnings: [...warnings] }
  },
  show: ({ name, description, rules, faults, changedAssumptions, warnings }, { paint }) => {
    const own = [...rules, ...faults].filter(({ inherited }) => !inherited)
    const targets = [...new Set(own.flatMap(({ on }) => on))]
    return [
      `${paint('bold', name)} applies to new payments. ${description.trim().replaceAll(/\s+/g, ' ')}`,
      `${counted(rules.length, 'rule')} in all`,
      ...(targets.length > 0 ? [`Its own rules and faults are about: ${targets.join(', ')}`] : []),
      ...changedAssumptions.map(({ id, was, is }) => `Assumption ${id} is now ${is}; it was ${was}`),
      ...warnings.map((warning) => `${paint('yellow', 'warning')}: ${printProblem(warning)}`),
      '',
    ].join('\n')
  },
})

const TOLD = 5

export const scenarioVerifyCommand = operationCommand('hits.list', {
  name: 'verify',
  summary: 'Fail if a rule or fault never fired.',
  about: 'Use it at the end of a CI job. Rules that the scenario inherits do not count.',
  exits: { 0: 'all fired', 1: 'some never fired' },
  flags: [{ name: 'all', help: `List everything that never fired, not only the first ${TOLD}.` }],
  examples: ['mfano scenario verify --url http://localhost:8080', 'mfano scenario verify --world test-1 --json'],
  show: hitsText,
  verdict: (answer) => (neverFired(answer).length === 0 ? CLEAN : PROBLEMS),
})

function neverFired({ hits }: Hits) {
  return hits.flatMap(({ why, ...one }) => (why === null ? [] : { ...one, why }))
}

function hitsText(answer: Hits, { paint }: Output, given: Arguments): string {
  const { scenario, hits } = answer
  const own = hits.filter(({ inherited }) => !inherited)
  const idle = neverFired(answer)
  const words = new Set(own.map(({ what }) => (what === 'rule' ? 'rules' : /fault/.test(what) ? 'faults' : 'rails')))
  const what = [...words].join(', ').replace(/, (?!.*,)/, ' and ')
  if (idle.length === 0) {
    const all =
      own.length === 0 ? `${scenario} has no rules of its own` : `all ${own.length} ${what} of ${scenario} fired`
    return `${paint('green', 'ok')}: ${all}\n`
  }
  const told = given.has('all') ? idle : idle.slice(0, TOLD)
  const lines = told.flatMap(({ name, file, line, nearest, why }) => {
    const never = `${file}:${line}: ${paint('red', 'never fired')}: ${name}`
    if (!nearest) return [never, `  ${why}`]
    const found =
      nearest.payment === undefined
        ? ['request', nearest.requestId, nearest.operation].filter(Boolean).join(' ')
        : `payment ${nearest.payment}`
    const by = nearest.decidedBy === null ? '' : `, decided by "${nearest.decidedBy}"`
    const shown = JSON.stringify(nearest.request)
    return [
      never,
      `  came nearest: ${found}${by}`,
      `  ${shown.length > 300 ? `${shown.slice(0, 299)}…` : shown}`,
      ...(nearest.held.length > 0 ? [`  true: ${nearest.held.join(' && ')}`] : []),
      `  but: ${why}`,
    ]
  })
  const more = idle.length - told.length
  const rest = more === 0 ? '' : `and ${more} more: ${hint('scenario verify --all', given)}\n`
  return `${lines.join('\n')}\n${rest}${idle.length} of ${own.length} ${what} of ${scenario} never fired\n`
}

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

function schemaAddress(): string {
  const path = relative(process.cwd(), join(packageRoot(), 'scenarios', 'scenario.schema.json'))
  const outside = path.startsWith('..') || isAbsolute(path)
  return outside ? 'http://localhost:8080/_mfano/scenario.schema.json' : `./${path.split(sep).join('/')}`
}

function starter(name: string, parent: string): string {
  const text = readFileSync(join(packageRoot(), 'bin/new-scenario.yaml'), 'utf8')
  return text.replace('SCHEMA', schemaAddress()).replace('NAME', name).replace('PARENT', parent)
}

export const scenarioGroup = nounGroup('scenario', {}, [
  lintCommand,
  scenarioExplainCommand,
  showCommand,
  listCommand,
  newCommand,
  useCommand,
  operationCommand('hits.list', {}),
  scenarioVerifyCommand,
])
