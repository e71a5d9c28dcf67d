/** The command `mfano demo`. */
import { MfanoError, startMfano } from '../../testing/index.ts'
import { CLEAN, type Command, CommandFailed } from '../command.ts'
import { DemoOutput } from './demo-output.ts'
import { runDemo, SECTIONS } from './tour.ts'

const next = `
What to do now:
  mfano                                             a sandbox of your own, at http://localhost:8080
  mfano payment list                                what your app has paid, at the sandbox
  mfano explain ID                                  why a payment ended as it did
  mfano clock advance 2d                            tomorrow, now
  mfano scenario new month-end                      what should happen, in a file of yours
  http://localhost:8080/docs                        every request and every field
`

/** `mfano demo`: a tour of one minute. */
export const demoCommand: Command = {
  name: 'demo',
  words: '',
  count: [0, 0],
  summary:
    'A tour of one minute: starts a sandbox and a small merchant, pays and is paid in every way, and tells each callback as it arrives.',
  flags: [
    { name: 'fast', help: 'Do not pause for the reader; nor does a demo that no terminal shows.' },
    { name: 'json', help: 'Tell it in lines of JSON, for programs.' },
  ],
  examples: ['mfano demo', 'mfano demo --fast', 'mfano demo --json | jq -r \'select(.event == "callback") | .text\''],
  run: async (given, output) => {
    const mode = given.has('json') ? 'json' : given.has('fast') || !output.read ? 'fast' : 'paced'
    const report = new DemoOutput(output, mode, SECTIONS)
    try {
      const mfano = await startMfano()
      await runDemo(mfano, report, output).finally(() => mfano.close())
      await report.show(next, 'end', {})
    } catch (error) {
      if (!(error instanceof MfanoError)) throw error
      throw new CommandFailed(error.message, '', { code: error.code })
    } finally {
      await report.end()
    }
    return CLEAN
  },
}
