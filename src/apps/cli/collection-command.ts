/** The command `mfano collection`. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../hosts/node/file-access.ts'
import { packageVersion } from '../../hosts/node/package.ts'
import { CLEAN, type CliCommand, jsonFlag, UsageError, urlFlag } from './command.ts'
import { serverOf } from './server.ts'
import { writing } from './write-file.ts'

/** `mfano collection`: requests for Postman, which run from the top to the bottom. */
export const collectionCommand: CliCommand = {
  name: 'collection',
  words: 'postman',
  names: [['postman']],
  summary: 'Writes every operation of the service as requests for Postman.',
  about: 'A run makes a world of its own, and takes ids and the token from the answers.',
  flags: [
    {
      name: 'out',
      value: 'directory',
      help: 'Where the files are written. Default: the folder you are in.',
      names: 'files',
    },
    urlFlag,
    jsonFlag,
  ],
  examples: ['mfano collection postman', 'mfano collection postman --out requests --url http://localhost:8080'],
  run: async (given, output) => {
    const { collectionFiles } = await import('../../server/collection.ts')
    if (given.words[0] !== 'postman') throw new UsageError(`Expected postman, got ${JSON.stringify(given.words[0])}.`)
    const { origin } = serverOf(given)
    const files = await collectionFiles(await given.service(), { server: origin, version: packageVersion() })
    const out = given.get('out') ?? '.'
    const written = [...files].map(([name, text]) => write(join(out, name), text))
    output.out(
      given.has('json')
        ? `${JSON.stringify({ files: written }, null, 2)}\n`
        : `${written.length === 1 ? written[0] : `${written.length} files in ${out}`} written, for ${origin}.\n`,
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
