/** A payout of 100 shillings that the service takes; `changes`: fields that are otherwise. */
export function payoutTo<T extends object = object>(callbackUrl: string, changes?: T) {
  return {
    phoneNumber: '254712345678',
    amount: 100,
    remarks: 'Salary',
    occasion: 'January',
    callbackUrl,
    ...(changes as T),
  }
}
