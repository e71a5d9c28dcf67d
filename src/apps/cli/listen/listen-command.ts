/** `mfano listen`: forwards a remote world's callbacks to this machine. */
import { hostname } from 'node:os'
import { must } from '../../../core/model/must.ts'
import { callbackSender } from '../../../hosts/node/callback-sender.ts'
import { CLEAN, type CliCommand, CommandFailed, jsonFlag, UsageError, urlFlag, worldFlag } from '../command.ts'
import type { Output } from '../output.ts'
import { serverOf } from '../server.ts'
import { durationValue } from '../typed-values.ts'
import { type RelayNews, relay } from './relay.ts'

export const listenCommand: CliCommand = {
  name: 'listen',
  summary: "Forward a remote world's callbacks to this machine.",
  about:
    "The world sends its callbacks over this connection instead of to callbackUrl. The body is unchanged, and your app's answer counts as the attempt. Stop it with Ctrl-C.",
  flags: [
    {
      name: 'forward-to',
      value: 'url',
      help: "Post callbacks here. Without a path, callbackUrl's path is kept.",
      expected: 'an http or https address, such as http://localhost:3000/hooks',
      holds: isHttp,
    },
    {
      name: 'callback-url',
      value: 'prefix',
      help: 'Only callbackUrls that begin so. Default: all but inboxes.',
    },
    { name: 'name', value: 'text', help: 'Name of this machine in attempts. Default: its host name.' },
    {
      name: 'lease',
      value: 'duration',
      help: 'How long callbacks wait after a lost connection, at most 10m.',
      byDefault: '1m',
      ...durationValue,
    },
    urlFlag,
    worldFlag,
    jsonFlag,
  ],
  examples: [
    'mfano listen --forward-to http://localhost:3000/hooks',
    'mfano listen --url https://mfano.example.com --world shop --forward-to http://localhost:3000',
    'mfano listen --forward-to http://localhost:3000 --callback-url https://shop.example/ --name asha --lease 5m',
  ],
  run: async (given, output) => {
    const forwardTo = given.get('forward-to')
    if (forwardTo === undefined)
      throw new UsageError(
        '--forward-to is missing. Name an address of this machine: --forward-to http://localhost:3000/hooks',
      )
    const server = serverOf(given)
    const interruption = new AbortController()
    const stop = () => interruption.abort()
    process.once('SIGINT', stop).once('SIGTERM', stop)
    const { send, close } = callbackSender()
    try {
      const end = await relay({
        control: server.control,
        patient: server.within('for-ever').control,
        joining: {
          name: given.get('name') ?? hostname(),
          forwardTo,
          callbackUrl: given.get('callback-url'),
          lease: must(given.get('lease')),
        },
        forwardTo: new URL(forwardTo),
        send,
        signal: interruption.signal,
        told: (news) =>
          output.out(given.has('json') ? `${JSON.stringify(news)}\n` : newsLine(news, server.baseUrl, output)),
      })
      if (end === 'replaced')
        throw new CommandFailed(
          'Another mfano listen of the same name took over.',
          'Give each a name of its own: --name.',
          { code: 'REPLACED' },
        )
      return CLEAN
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      close()
    }
  },
}

function isHttp(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

function newsLine(news: RelayNews, baseUrl: string, { paint }: Output): string {
  switch (news.type) {
    case 'joined':
      return `Callbacks of ${baseUrl} come here, to ${news.name}. Press Ctrl-C to stop.\n`
    case 'reconnecting':
      return `${paint('yellow', 'Reconnecting')}: ${news.why}\n`
    case 'forwarded': {
      const { status, failure, tookMs, sentTo } = news
      const isGood = status !== undefined && status < 300
      return `${paint(isGood ? 'green' : 'red', String(status ?? failure))}  ${tookMs} ms  POST ${sentTo}\n`
    }
  }
}
