/** All commands by name. Each module is loaded on use, so that the start stays fast. */
import { keysIn } from '../../core/model/must.ts'
import type { CommandEntry, CommandGroup, TopCommand } from './command.ts'

export const DEFAULT_COMMAND = 'start'

const summaries = {
  start: ['Run', 'Start a sandbox. The default command.'],
  world: ['Run', 'Create, fork, reset, delete, download and upload worlds.'],
  snapshot: ['Run', 'Save worlds and restore them.'],
  populate: ['Run', 'Create a world with months of past payments.'],
  events: ['Look', 'Stream events as they happen.'],
  requests: ['Look', 'List requests and their answers.'],
  callback: ['Look', 'List callbacks and send them again.'],
  inbox: ['Look', 'Show callbacks that a built-in inbox received.'],
  doctor: ['Look', 'Check whether callbacks can reach an address.'],
  listen: ['Look', "Forward a remote world's callbacks to this machine."],
  wait: ['Look', 'Wait until a condition is true.'],
  verify: ['Look', 'Check how often something happened.'],
  run: ['Look', 'Group what happens under a named test run.'],
  report: ['Look', 'Report what was tested, what failed and why.'],
  coverage: ['Look', 'Show what your tests exercised and what they missed.'],
  clock: ['Time', 'Show, freeze and advance simulated time.'],
  payment: ['Payments', 'List, show, simulate and end payments.'],
  explain: ['Payments', 'Explain why a payment ended as it did.'],
  handset: ['Payments', 'List, approve and decline STK prompts.'],
  wallet: ['Payments', 'Show and fund wallets.'],
  scenario: ['Scenarios', 'Create, check, explain and apply scenarios.'],
  gauntlet: ['Judge', 'Run your app under every scenario that affects it.'],
  explore: ['Judge', "Search for event orders that make your app's books wrong."],
  reproduce: ['Judge', 'Turn the traffic of an incident into a failing run.'],
  mutants: ['Judge', 'Find wrong answers that your tests would miss.'],
  matrix: ['Judge', 'Run your tests under every alternative to an assumption.'],
  prove: ['Judge', 'Prove that a change fixes a finding and breaks nothing.'],
  reconcile: ['Judge', "Compare an app's books with the ledger."],
  replay: ['Judge', 'Replay a failed run from its capsule.'],
  evidence: ['Judge', 'Bundle test evidence of one commit for going live.'],
  record: ['Real service', 'Record traffic with the real service, without secrets.'],
  calibrate: ['Real service', 'Test assumptions against the real service.'],
  certificate: ['Tools', 'Issue a certificate for an HTTPS callback receiver.'],
  mcp: ['Tools', 'Serve mfano to an agent over MCP.'],
  completion: ['Tools', 'Print the completion script for bash, zsh or fish.'],
  version: ['Tools', 'Print the versions of mfano and Node.js.'],
  assumption: ['More', 'Choose an alternative of an assumption.'],
  authority: ['More', "Get the certificate of mfano's authority."],
  books: ['More', 'Show the last comparison of books.'],
  capsule: ['More', 'Download a capsule of a recorded world.'],
  checkout: ['More', 'Pay and cancel checkouts.'],
  contract: ['More', 'Print the contract of the control plane.'],
  credentials: ['More', 'Create API keys.'],
  fidelity: ['More', 'Show assumptions and their alternatives.'],
  float: ['More', 'List and fund floats of rails.'],
  health: ['More', 'Show whether the server works.'],
  kind: ['More', 'List kinds of payments.'],
  ledger: ['More', 'Read the trial balance and ledger entries.'],
  merchant: ['More', 'Print the JSON Schema of merchant files.'],
  metrics: ['More', 'Print metrics.'],
  operation: ['More', 'List operations of the control plane.'],
  organisation: ['More', 'List and change organisations.'],
  profile: ['More', 'List businesses whose past can be simulated.'],
  statistics: ['More', 'Show how many payments ended how.'],
} as const satisfies Record<string, readonly [group: string, summary: string]>

const modules: { readonly [Name in keyof typeof summaries]?: () => Promise<TopCommand | CommandGroup> } = {
  start: async () => (await import('./start/start-command.ts')).startCommand,
  world: async () => (await import('./world-commands.ts')).worldGroup,
  populate: async () => (await import('./populate-command.ts')).populateCommand,
  clock: async () => (await import('./clock-commands.ts')).clockGroup,
  payment: async () => (await import('./payment-commands.ts')).paymentGroup,
  explain: async () => (await import('./explain-command.ts')).explainCommand,
  listen: async () => (await import('./listen-command.ts')).listenCommand,
  handset: async () => (await import('./handset-commands.ts')).handsetGroup,
  events: async () => (await import('./events-command.ts')).eventsCommand,
  verify: async () => (await import('./verify-command.ts')).verifyCommand,
  reconcile: async () => (await import('./reconcile-command.ts')).reconcileCommand,
  gauntlet: async () => (await import('./judges/gauntlet-command.ts')).gauntletCommand,
  explore: async () => (await import('./judges/explore-command.ts')).exploreCommand,
  reproduce: async () => (await import('./judges/reproduce-command.ts')).reproduceCommand,
  prove: async () => (await import('./judges/prove-command.ts')).proveCommand,
  mutants: async () => (await import('./judges/mutants-command.ts')).mutantsCommand,
  replay: async () => (await import('./replay-command.ts')).replayCommand,
  matrix: async () => (await import('./judges/matrix-command.ts')).matrixCommand,
  record: async () => (await import('./judges/record-command.ts')).recordCommand,
  calibrate: async () => (await import('./judges/calibrate-command.ts')).calibrateCommand,
  evidence: async () => (await import('./judges/evidence-command.ts')).evidenceCommand,
  report: async () => (await import('./report-command.ts')).reportCommand,
  coverage: async () => (await import('./coverage-command.ts')).coverageCommand,
  scenario: async () => (await import('./scenario/scenario-commands.ts')).scenarioGroup,
  certificate: async () => (await import('./certificate-command.ts')).certificateCommand,
  mcp: async () => (await import('./mcp-command.ts')).mcpCommand,
  completion: async () => (await import('./completion-command.ts')).completionCommand,
  version: async () => (await import('./version-command.ts')).versionCommand,
}

/** Shown on the first screen of the help, because most people need no others. */
export const usual: readonly (keyof typeof summaries)[] = [
  'start',
  'world',
  'payment',
  'explain',
  'clock',
  'scenario',
  'callback',
  'requests',
  'inbox',
  'events',
  'doctor',
  'gauntlet',
]

export const entries: readonly CommandEntry[] = keysIn(summaries).map((name) => {
  const [group, summary] = summaries[name]
  const load = async () => {
    const loaded = await (modules[name]?.() ??
      import('./declared-commands.ts').then((all) => all.declaredCommands(name)))
    return 'commands' in loaded ? loaded : { ...loaded, name, summary }
  }
  return { name, group, summary, load }
})
