/** The commands `mfano wallet …`. */
import type { Wallet } from '../../client/control.ts'
import type { CommandGroup, Flag } from './command.ts'
import { serverCommand } from './server.ts'
import { type TableColumn, table } from './table.ts'
import { amountOf } from './typed-values.ts'
import { amountText } from './words.ts'

const columns: readonly TableColumn<Wallet>[] = [
  { title: 'ORGANISATION', of: ({ organisationId }) => organisationId, least: 13 },
  { title: 'AVAILABLE', of: ({ available, currency }) => amountText(available, currency), right: true },
  { title: 'RESERVED', of: ({ reserved, currency }) => amountText(reserved, currency), right: true, spare: 1 },
  { title: 'INCOMING', of: ({ incoming, currency }) => amountText(incoming, currency), right: true, spare: 2 },
  { title: 'BALANCE', of: ({ balance, currency }) => amountText(balance, currency), right: true, spare: 1 },
]

const organisationFlag: Flag = {
  name: 'organisation',
  value: 'uuid',
  help: 'Whose wallet. Default: the first organisation.',
  expected: 'the uuid of an organisation',
}

const list = serverCommand({
  name: 'list',
  summary: 'List wallets with their balances.',
  examples: ['mfano wallet list', 'mfano wallet list --world shop --json'],
  csv: () => ({ list: '/wallets' }),
  ask: ({ control }) => control('GET', '/wallets'),
  show: ({ wallets }, output) =>
    wallets.length === 0
      ? 'No wallets hold money. Add some: mfano wallet fund 1000\n'
      : table(wallets, columns, output),
})

const fund = serverCommand({
  name: 'fund',
  words: 'AMOUNT',
  summary: 'Add money to a wallet.',
  flags: [
    {
      name: 'currency',
      value: 'code',
      help: "The wallet's currency. Default: that of the home country.",
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

export const walletGroup: CommandGroup = { commands: [list, fund], otherwise: 'list' }
