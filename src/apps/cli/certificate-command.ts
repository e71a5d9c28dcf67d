import { isIP } from 'node:net'
import { join } from 'node:path'
import { must } from '../../core/model/must.ts'
import { NameNotPermitted, openAuthority } from '../../hosts/node/authority.ts'
import { makeFolder, OWNER_ONLY, writeWhole } from '../../hosts/node/file-access.ts'
import { defaultOf } from '../../hosts/node/settings.ts'
import { CLEAN, CommandFailed, jsonFlag, type TopCommand, USAGE, UsageError } from './command.ts'
import { writing } from './write-file.ts'

const hostName = /^(?!-)(?:\*\.)?[a-z\d.-]{1,253}$/i

export const certificateCommand: TopCommand = {
  words: 'NAME…',
  about:
    'The authority is the one that mfano start --tls keeps in its data folder. A server with that data folder trusts the certificate.',
  flags: [
    {
      name: 'data',
      value: 'directory',
      help: 'The data folder of the authority. Default: MFANO_DATA.',
      names: 'files',
    },
    {
      name: 'out',
      value: 'directory',
      help: 'The folder to write to. Default: the current one.',
      names: 'files',
    },
    jsonFlag,
  ],
  examples: ['mfano certificate localhost', 'mfano certificate shop.test 127.0.0.1 --out ./tls'],
  run: async (given, output) => {
    const { words } = given
    const [first] = words
    if (first === undefined) throw new UsageError('Expected a host name or an IP address, such as localhost.')
    const wrong = words.find((word) => isIP(word) === 0 && !hostName.test(word))
    if (wrong !== undefined) throw new UsageError(`Expected host names and IP addresses, got ${JSON.stringify(wrong)}.`)
    const data = given.get('data') ?? (process.env['MFANO_DATA'] || must(defaultOf('data')))
    if (data === ':memory:') throw new UsageError('--data: expected a directory, because :memory: keeps no authority.')
    const out = given.get('out') ?? '.'
    const name = first.replaceAll(':', '-').replace('*', '_')
    const files = { certificate: join(out, `${name}.pem`), key: join(out, `${name}-key.pem`) }
    const authority = await openAuthority(data, { needed: words }).catch(asUsage)
    const pair = await authority.issue(words).catch(asUsage)
    writing(files.key, () => {
      makeFolder(out)
      writeWhole(files.key, Buffer.from(pair.key), OWNER_ONLY.file)
      writeWhole(files.certificate, Buffer.from(pair.certificate))
    })
    const made = { ...files, names: words, authority: authority.file }
    output.out(given.has('json') ? `${JSON.stringify(made, null, 2)}\n` : text(made))
    return CLEAN
  },
}

function asUsage(error: unknown): never {
  if (!(error instanceof NameNotPermitted)) throw error
  throw new CommandFailed(error.message, error.hint, { exitCode: USAGE })
}

function text({ certificate, key, authority }: { certificate: string; key: string; authority?: string | undefined }) {
  return `certificate  ${certificate}\nkey          ${key}\nauthority    ${authority}\n`
}
