/** All commands by name. Each module is loaded on use, so that the start stays fast. */
import { keysIn } from '../../core/model/must.ts'
import type { CliCommand, CommandEntry, CommandGroup, LoadService } from './command.ts'

export const DEFAULT_COMMAND = 'start'

/** Commands by what they are for, in the order of the help. */
const groups = {
  Run: {
    start: 'Start a sandbox. The default command.',
    world: 'Create, copy, empty, delete, save and load worlds.',
    snapshot: 'Save worlds and restore them.',
    populate: 'Create a world with months of past payments.',
  },
  Look: {
    events: 'Stream events as they happen.',
    requests: 'List requests and their answers.',
    callback: 'List callbacks and send them again.',
    inbox: 'Show callbacks that a built-in inbox received.',
    doctor: 'Check whether callbacks can reach an address.',
    listen: "Forward a remote world's callbacks to this machine.",
    wait: 'Wait until a condition is true.',
    verify: 'Check how often something happened.',
    run: 'Group what happens under a named test run.',
    report: 'Report what was tested, what failed and why.',
    coverage: 'Show what your tests exercised and what they missed.',
  },
  Time: {
    clock: 'Show, freeze and advance simulated time.',
    exec: "Run a program on a world's clock.",
  },
  Payments: {
    payment: 'List, show, simulate and end payments.',
    explain: 'Explain why a payment ended as it did.',
    handset: 'List, approve and decline STK prompts.',
    wallet: 'Show and fund wallets.',
  },
  Scenarios: {
    scenario: 'Create, check, explain and apply scenarios.',
  },
  Judge: {
    gauntlet: 'Run your app under every scenario that affects it.',
    explore: "Search for event orders that make your app's books wrong.",
    mutants: 'Find wrong answers that your tests would miss.',
    matrix: 'Run your tests under every alternative to an assumption.',
    reconcile: "Compare an app's books with the ledger.",
    replay: 'Replay a failed run from its capsule.',
    evidence: 'Bundle test evidence of one commit for going live.',
  },
  'Real service': {
    record: 'Record traffic with the real service, without secrets.',
    compare: "Compare recorded traffic with mfano's answers.",
    calibrate: 'Test assumptions against the real service.',
  },
  Tools: {
    control: 'Call any operation of the control plane.',
    collection: 'Export contracts and requests for other tools.',
    certificate: 'Issue a certificate for an HTTPS callback receiver.',
    mcp: 'Serve mfano to an agent over MCP.',
    completion: 'Print the completion script for bash, zsh or fish.',
    version: 'Print the versions of mfano and Node.js.',
  },
} as const

type Group = keyof typeof groups
type Name = { [In in Group]: keyof (typeof groups)[In] }[Group]

const modules: Record<Name, (service: LoadService) => Promise<CliCommand | CommandGroup>> = {
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
  handset: async () => (await import('./handset-commands.ts')).handsetGroup,
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
  evidence: async () => (await import('./evidence/evidence-command.ts')).evidenceCommand,
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

export const entries: readonly CommandEntry[] = keysIn(groups).flatMap((group) =>
  Object.entries<string>(groups[group]).map(([name, summary]) => ({
    name,
    group,
    summary,
    load: modules[name as Name],
  })),
)
