/** All commands by their names. */
import type { Entry } from './command.ts'

/** What mfano does without a command. */
export const DEFAULT_COMMAND = 'start'

/** Everything that `mfano` can be told, in the order in which `mfano help` lists it. */
export const entries: readonly Entry[] = [
  {
    name: 'start',
    summary: 'Starts a sandbox; what mfano does without a command.',
    load: async () => (await import('./start/start-command.ts')).startCommand,
  },
  {
    name: 'world',
    summary: 'Lists, makes, forks, empties and removes worlds, and moves them as files.',
    load: async () => (await import('./world-commands.ts')).worldGroup,
  },
  {
    name: 'populate',
    summary: 'Makes a world in which a business has been paying, and being paid, for months.',
    load: async () => (await import('./populate-command.ts')).populateCommand,
  },
  {
    name: 'clock',
    summary: 'Reads simulated time, and moves it.',
    load: async () => (await import('./clock-commands.ts')).clockGroup,
  },
  {
    name: 'exec',
    summary: 'Runs a program whose clock shows the time of a world.',
    load: async () => (await import('./exec-command.ts')).execCommand,
  },
  {
    name: 'payment',
    summary: 'Lists, shows and ends payments, and lets customers pay in.',
    load: async () => (await import('./payment-commands.ts')).paymentGroup,
  },
  {
    name: 'callback',
    summary: 'Lists and shows what merchants were told, and tells it again.',
    load: async () => (await import('./callback-commands.ts')).callbackGroup,
  },
  {
    name: 'explain',
    summary: 'Explains one payment, from its request to why it stopped.',
    load: async () => (await import('./explain-command.ts')).explainCommand,
  },
  {
    name: 'doctor',
    summary: 'Says whether callbacks to an address would arrive, and what to do.',
    load: async () => (await import('./doctor-command.ts')).doctorCommand,
  },
  {
    name: 'inbox',
    summary: 'Shows the callbacks that a built-in inbox took.',
    load: async () => (await import('./inbox-commands.ts')).inboxGroup,
  },
  {
    name: 'requests',
    summary: 'Shows the requests that came, and their answers.',
    load: async () => (await import('./requests-commands.ts')).requestsGroup,
  },
  {
    name: 'wallet',
    summary: 'Shows what wallets hold, and gives them money.',
    load: async () => (await import('./wallet-commands.ts')).walletGroup,
  },
  {
    name: 'events',
    summary: 'Tells what happens, while it happens.',
    load: async () => (await import('./events-command.ts')).eventsCommand,
  },
  {
    name: 'wait',
    summary: 'Waits until something is so.',
    load: async () => (await import('./wait-command.ts')).waitCommand,
  },
  {
    name: 'verify',
    summary: 'Verifies how often something happened, in which order, and no more.',
    load: async () => (await import('./verify-command.ts')).verifyCommand,
  },
  {
    name: 'reconcile',
    summary: "Compares an app's books with the ledger.",
    load: async () => (await import('./reconcile-command.ts')).reconcileCommand,
  },
  {
    name: 'gauntlet',
    summary: 'Runs an app under every scenario that matters to it, and judges its books.',
    load: async () => (await import('./gauntlet/gauntlet-command.ts')).gauntletCommand,
  },
  {
    name: 'explore',
    summary: "Searches for the order of events that makes an app's books wrong.",
    load: async () => (await import('./explore/explore-command.ts')).exploreCommand,
  },
  {
    name: 'mutants',
    summary: 'Says which lies of the service an app or a suite would not notice.',
    load: async () => (await import('./mutants/mutants-command.ts')).mutantsCommand,
  },
  {
    name: 'replay',
    summary: 'Repeats a red run from its capsule, on any machine.',
    load: async () => (await import('./replay/replay-command.ts')).replayCommand,
  },
  {
    name: 'matrix',
    summary: 'Runs a suite under every alternative to what mfano assumes, and names those that break it.',
    load: async () => (await import('./matrix/matrix-command.ts')).matrixCommand,
  },
  {
    name: 'record',
    summary: 'Writes down the traffic with the real service, without secrets.',
    load: async () => (await import('./traffic/record-command.ts')).recordCommand,
  },
  {
    name: 'compare',
    summary: 'Holds recorded traffic with the real service against mfano.',
    load: async () => (await import('./traffic/compare-command.ts')).compareCommand,
  },
  {
    name: 'run',
    summary: 'Gives what is tested a name, a beginning and an end.',
    load: async () => (await import('./run-commands.ts')).runGroup,
  },
  {
    name: 'report',
    summary: 'Says what was tested, in a run or since the world began.',
    load: async () => (await import('./report-command.ts')).reportCommand,
  },
  {
    name: 'coverage',
    summary: 'Says what a suite exercised, and which scenario leads to each gap.',
    load: async () => (await import('./coverage-command.ts')).coverageCommand,
  },
  {
    name: 'snapshot',
    summary: 'Saves worlds as they are, and takes them back.',
    load: async () => (await import('./snapshot-commands.ts')).snapshotGroup,
  },
  {
    name: 'scenario',
    summary: 'Writes, checks, questions and uses scenarios.',
    load: async () => (await import('./scenario/scenario-commands.ts')).scenarioGroup,
  },
  {
    name: 'collection',
    summary: 'Writes every operation of the service as requests for Postman.',
    load: async () => (await import('./collection-command.ts')).collectionCommand,
  },
  {
    name: 'mcp',
    summary: 'Offers a running mfano to an agent by the Model Context Protocol.',
    load: async () => (await import('./mcp-command.ts')).mcpCommand,
  },
  {
    name: 'completion',
    summary: 'Prints what bash, zsh or fish needs to complete all of this.',
    load: async () => (await import('./completion/completion-command.ts')).completionCommand,
  },
  {
    name: 'version',
    summary: 'Prints the version.',
    load: async () => (await import('./version-command.ts')).versionCommand,
  },
]
