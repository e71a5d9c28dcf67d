/** All commands by their names, each in a module that is read when it is asked for. */
import type { CliCommand, CommandEntry, CommandGroup, LoadService } from './command.ts'

/** What mfano does without a command. */
export const DEFAULT_COMMAND = 'start'

/** In the order in which `mfano help` lists them. */
const summaries = {
  start: 'Starts a sandbox; what mfano does without a command.',
  world: 'Lists, makes, forks, empties and removes worlds, and moves them as files.',
  populate: 'Makes a world in which a business has been paying, and being paid, for months.',
  clock: 'Reads simulated time, and moves it.',
  exec: 'Runs a program whose clock shows the time of a world.',
  payment: 'Lists, shows and ends payments, and lets customers pay in.',
  callback: 'Lists and shows what merchants were told, and tells it again.',
  explain: 'Explains one payment, from its request to why it stopped.',
  doctor: 'Says whether callbacks to an address would arrive, and what to do.',
  listen: 'Receives the callbacks of a world elsewhere on this machine.',
  inbox: 'Shows the callbacks that a built-in inbox took.',
  requests: 'Shows the requests that came, and their answers.',
  wallet: 'Shows what wallets hold, and gives them money.',
  events: 'Tells what happens, while it happens.',
  wait: 'Waits until something is so.',
  verify: 'Verifies how often something happened, in which order, and no more.',
  reconcile: "Compares an app's books with the ledger.",
  gauntlet: 'Runs an app under every scenario that matters to it, and judges its books.',
  explore: "Searches for the order of events that makes an app's books wrong.",
  mutants: 'Says which lies of the service an app or a suite would not notice.',
  replay: 'Repeats a red run from its capsule, on any machine.',
  matrix: 'Runs a suite under every alternative to what mfano assumes, and names those that break it.',
  record: 'Writes down the traffic with the real service, without secrets.',
  compare: 'Holds recorded traffic with the real service against mfano.',
  calibrate: 'Asks the real service which alternative of each assumption holds.',
  run: 'Gives what is tested a name, a beginning and an end.',
  report: 'Says what was tested, in a run or since the world began.',
  coverage: 'Says what a suite exercised, and which scenario leads to each gap.',
  snapshot: 'Saves worlds as they are, and takes them back.',
  scenario: 'Writes, checks, questions and uses scenarios.',
  certificate: 'Issues a certificate for an HTTPS receiver of callbacks, by the authority of a data folder.',
  collection: 'Writes every operation of the service as requests for Postman.',
  control: 'Asks for any operation of the control plane, by its name, with all that it takes.',
  mcp: 'Offers a running mfano to an agent by the Model Context Protocol.',
  completion: 'Prints what bash, zsh or fish needs to complete all of this.',
  version: 'Prints the version.',
}

const modules: Record<keyof typeof summaries, (service: LoadService) => Promise<CliCommand | CommandGroup>> = {
  start: async () => (await import('./start/start-command.ts')).startCommand,
  world: async () => (await import('./world-commands.ts')).worldGroup,
  populate: async () => (await import('./populate-command.ts')).populateCommand,
  clock: async () => (await import('./clock-commands.ts')).clockGroup,
  exec: async () => (await import('./exec-command.ts')).execCommand,
  payment: async () => (await import('./payment-commands.ts')).paymentGroup,
  callback: async () => (await import('./callback-commands.ts')).callbackGroup,
  explain: async () => (await import('./explain-command.ts')).explainCommand,
  doctor: async () => (await import('./doctor-command.ts')).doctorCommand,
  listen: async () => (await import('./listen/listen-command.ts')).listenCommand,
  inbox: async () => (await import('./inbox-commands.ts')).inboxGroup,
  requests: async () => (await import('./requests-commands.ts')).requestsGroup,
  wallet: async () => (await import('./wallet-commands.ts')).walletGroup,
  events: async () => (await import('./events-command.ts')).eventsCommand,
  wait: async () => (await import('./wait-command.ts')).waitCommand,
  verify: async () => (await import('./verify-command.ts')).verifyCommand,
  reconcile: async () => (await import('./reconcile-command.ts')).reconcileCommand,
  gauntlet: async () => (await import('./gauntlet/gauntlet-command.ts')).gauntletCommand,
  explore: async () => (await import('./explore/explore-command.ts')).exploreCommand,
  mutants: async () => (await import('./mutants/mutants-command.ts')).mutantsCommand,
  replay: async () => (await import('./replay/replay-command.ts')).replayCommand,
  matrix: async () => (await import('./matrix/matrix-command.ts')).matrixCommand,
  record: async () => (await import('./traffic/record-command.ts')).recordCommand,
  compare: async () => (await import('./traffic/compare-command.ts')).compareCommand,
  calibrate: async () => (await import('./calibrate/calibrate-command.ts')).calibrateCommand,
  run: async () => (await import('./run-commands.ts')).runGroup,
  report: async () => (await import('./report-command.ts')).reportCommand,
  coverage: async () => (await import('./coverage-command.ts')).coverageCommand,
  snapshot: async () => (await import('./snapshot-commands.ts')).snapshotGroup,
  scenario: async () => (await import('./scenario/scenario-commands.ts')).scenarioGroup,
  certificate: async () => (await import('./certificate-command.ts')).certificateCommand,
  collection: async () => (await import('./collection-command.ts')).collectionCommand,
  control: async (service) => (await import('./declared-commands.ts')).controlGroup(service),
  mcp: async () => (await import('./mcp-command.ts')).mcpCommand,
  completion: async () => (await import('./completion/completion-command.ts')).completionCommand,
  version: async () => (await import('./version-command.ts')).versionCommand,
}

/** Everything that `mfano` can be told. */
export const entries: readonly CommandEntry[] = Object.entries(modules).map(([name, load]) => {
  return { name, summary: summaries[name as keyof typeof modules], load }
})
