/** Records of bank collections. */
import { DIGITS, UPPER_ALPHANUMERIC } from '../../../core/model/chance.ts'
import { toMajor } from '../../../core/model/money.ts'
import type { Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { isParent, localDate, parentSummary, timestamps } from '../../declared/record-parts.ts'
import type { BankCollectionRequest } from './contract.ts'

/** Its own form of organisation, and the amount as text. Fields specified, order published. */
export function bankCollectionRecord(view: View, payment: Payment<BankCollectionRequest>) {
  const organisation = view.store.organisations.byId(payment.organisationId)
  const { request, details } = payment
  const draw = view.ids.of('bank-collection', payment.seq)
  return {
    id: payment.id,
    uuid: payment.uuid,
    customerid: details['customerid'] ?? draw.text(5, DIGITS.slice(1)),
    transactionref: `S${draw.text(10, UPPER_ALPHANUMERIC)}`,
    paymentmode: 'PESALINK',
    transactiondate: localDate(view, payment.createdAtUs),
    accountnumber: details['accountnumber'] ?? request.accountNumber,
    amount: String(toMajor(payment.amountMinor)),
    description: details['description'] ?? request.description,
    organisation: {
      uuid: organisation.uuid,
      name: organisation.name,
      phoneNumber: organisation.phoneNumber,
      environment: 'sandbox',
      collectionCallbackUrl: organisation.collectionCallbackUrl,
      parentOrganisation: organisation.parentId === null ? null : parentSummary(view, organisation.parentId),
      parent: isParent(view, organisation),
    },
    ...timestamps(view, payment, 'six-digits'),
  }
}
