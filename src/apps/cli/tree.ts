/** All commands by name. Each module is loaded on use, so that the start stays fast. */
import { keysIn } from '../../core/model/must.ts'
import type { CliCommand, CommandEntry, CommandGroup } from './command.ts'

export const DEFAULT_COMMAND = 'start'

/** Each command with its heading in the list of all, and its summary of at most ten words. */
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
  mutants: ['Judge', 'Find wrong answers that your tests would miss.'],
  matrix: ['Judge', 'Run your tests under every alternative to an assumption.'],
  reconcile: ['Judge', "Compare an app's books with the ledger."],
  replay: ['Judge', 'Replay a failed run from its capsule.'],
  evidence: ['Judge', 'Bundle test evidence of one commit for going live.'],
  record: ['Real service', 'Record traffic with the real service, without secrets.'],
  compare: ['Real service', "Compare recorded traffic with mfano's answers."],
  calibrate: ['Real service', 'Test assumptions against the real service.'],
  control: ['Tools', 'Call any operation of the control plane.'],
  certificate: ['Tools', 'Issue a certificate for an HTTPS callback receiver.'],
  mcp: ['Tools', 'Serve mfano to an agent over MCP.'],
  completion: ['Tools', 'Print the completion script for bash, zsh or fish.'],
  version: ['Tools', 'Print the versions of mfano and Node.js.'],
} as const satisfies Record<string, readonly [group: string, summary: string]>

const modules: Record<keyof typeof summaries, () => Promise<CliCommand | CommandGroup>> = {
  start: async () => (await import('./start/start-command.ts')).startCommand,
  world: async () => (await import('./world-commands.ts')).worldGroup,
  populate: async () => (await import('./populate-command.ts')).populateCommand,
  clock: async () => (await import('./clock-commands.ts')).clockGroup,
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
  control: async () => (await import('./declared-commands.ts')).controlGroup(),
  mcp: async () => (await import('./mcp-command.ts')).mcpCommand,
  completion: async () => (await import('./completion/completion-command.ts')).completionCommand,
  version: async () => (await import('./version-command.ts')).versionCommand,
}

export const entries: readonly CommandEntry[] = keysIn(summaries).map((name) => {
  const [group, summary] = summaries[name]
  return { name, group, summary, load: modules[name] }
})
