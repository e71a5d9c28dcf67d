/** The commands `mfano wallet …`. */
import type { Wallet } from '../../client/control-answers.ts'
import type { CommandGroup, Flag } from './command.ts'
import { serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { amountOf } from './typed-values.ts'
import { amountText } from './words.ts'

const columns: readonly TableColumn<Wallet>[] = [
  { title: 'ORGANISATION', of: ({ organisationId }) => organisationId, least: 13 },
  { title: 'CURRENCY', of: ({ currency }) => currency },
  { title: 'AVAILABLE', of: ({ available }) => amountText(available), right: true },
  { title: 'RESERVED', of: ({ reserved }) => amountText(reserved), right: true, spare: 1 },
  { title: 'INCOMING', of: ({ incoming }) => amountText(incoming), right: true, spare: 2 },
  { title: 'BALANCE', of: ({ balance }) => amountText(balance), right: true, spare: 1 },
]

const organisationFlag: Flag = {
  name: 'organisation',
  value: 'uuid',
  help: 'Whose wallet. Default: the organisation that every world begins with.',
  expected: 'the uuid of an organisation',
  names: 'organisations',
}

const list = serverCommand({
  name: 'list',
  summary: 'Lists the wallets of a world: what they hold, and what can be spent.',
  examples: ['mfano wallet list', 'mfano wallet list --world shop --json'],
  csv: () => ({ list: '/wallets' }),
  ask: ({ control }) => control('GET', '/wallets'),
  show: ({ wallets }, output) =>
    wallets.length === 0
      ? 'No wallet holds anything. mfano wallet fund 1000 gives one money.\n'
      : table(wallets, columns, output),
})

const fund = serverCommand({
  name: 'fund',
  words: 'AMOUNT',
  summary: 'Gives a wallet money.',
  flags: [
    {
      name: 'currency',
      value: 'code',
      help: 'Of the wallet; that at home when left out.',
      expected: 'a currency such as KES',
    },
    organisationFlag,
  ],
  examples: ['mfano wallet fund 50000', 'mfano wallet fund 1000000 --currency TZS --world shop'],
  ask: ({ control }, given) => {
    const {
      words: [text = ''],
    } = given
    const body = {
      amount: amountOf('AMOUNT', text),
      currency: given.get('currency'),
      organisationId: given.get('organisation'),
    }
    return control('POST', '/wallets/fund', { body })
  },
  show: (wallet, output) => table([wallet], columns, output),
})

/** `mfano wallet …`. */
export const walletGroup: CommandGroup = { commands: [list, fund], otherwise: 'list' }
