/** `mfano collection`: writes contracts, flows and requests as files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { makeFolder } from '../../hosts/node/file-access.ts'
import { packageRoot, packageVersion } from '../../hosts/node/package.ts'
import type { ServedService } from '../../service/parts.ts'
import { type Arguments, CLEAN, type CliCommand, jsonFlag, UsageError, urlFlag } from './command.ts'
import { serverOf } from './server.ts'
import { writing } from './write-file.ts'

type Files = (service: ServedService, given: { baseUrl: string; version: string }) => Promise<Map<string, string>>

const forms: Readonly<Record<string, (given: Arguments) => Promise<Files>>> = {
  postman: async () => (await import('../../server/collection.ts')).collectionFiles,
  openapi: async (given) => {
    const { contractFiles } = await import('../../server/collection.ts')
    const form = given.get('as') === '3.0' ? '3.0' : '3.1'
    return (service, asked) => contractFiles(service, { ...asked, form })
  },
  arazzo: async () => (await import('../../server/collection.ts')).flowFiles,
  skill: async () => {
    const { skillFiles } = await import('../../server/collection.ts')
    const readPage = (path: string) => readFileSync(join(packageRoot(), path), 'utf8')
    return async (_, asked) => skillFiles(readPage, asked)
  },
}
const names = Object.keys(forms)

export const collectionCommand: CliCommand = {
  name: 'collection',
  words: names.join('|'),
  names: [names],
  summary: 'Export contracts and requests for other tools.',
  about:
    'Write postman for a collection of all requests, or openapi for the contracts. Write arazzo for executable flows, or skill for a coding agent.',
  flags: [
    {
      name: 'out',
      value: 'directory',
      help: 'The folder to write to. Default: the current one.',
      names: 'files',
    },
    {
      name: 'as',
      value: 'version',
      help: 'The OpenAPI version, for openapi.',
      choices: ['3.1', '3.0'],
      byDefault: '3.1',
    },
    urlFlag,
    jsonFlag,
  ],
  examples: [
    'mfano collection postman',
    'mfano collection openapi --as 3.0 --out contracts',
    'mfano collection arazzo --out requests --url http://localhost:8080',
  ],
  run: async (given, output) => {
    const [word = ''] = given.words
    const load = forms[word]
    if (!load)
      throw new UsageError(`Expected ${names.join(', ')}; got ${JSON.stringify(word)}.${didYouMean(word, names)}`)
    const { origin, baseUrl } = serverOf(given)
    const filesOf = await load(given)
    const files = await filesOf(await given.service(), { baseUrl, version: packageVersion() })
    const out = given.get('out') ?? '.'
    const written = [...files].map(([name, text]) => write(join(out, name), text))
    output.out(
      given.has('json')
        ? `${JSON.stringify({ files: written }, null, 2)}\n`
        : `${written.join(' and ')} written, for ${word === 'postman' ? origin : baseUrl}.\n`,
    )
    return CLEAN
  },
}

function write(file: string, text: string): string {
  return writing(file, () => {
    makeFolder(dirname(file))
    writeFileSync(file, text)
    return file
  })
}
