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

const till = (callbackUrl: string) => ({
  businessNumber: '123456',
  amount: 100,
  remarks: 'Stock',
  occasion: 'Monday',
  callbackUrl,
})

/** Bodies that the service takes, with a receiver for their callbacks. */
export const bodies = {
  sendMoney: (callbackUrl: string) => payoutTo(callbackUrl),
  till,
  paybill: (callbackUrl: string) => ({ ...till(callbackUrl), accountNumber: 'A1' }),
  stk: (callbackUrl: string) => ({
    phoneNumber: '254712345678',
    amount: 10,
    description: 'Order 1',
    accountReference: 'ORDER1',
    callbackUrl,
  }),
  bankPayout: (callbackUrl: string) => ({
    bankCode: '0068',
    beneficiaryName: 'Jane Wanjiku Mwangi',
    creditAccountNumber: '01100000000422',
    amount: 100,
    narration: 'Invoice',
    callbackUrl,
  }),
  checkout: (callbackUrl: string) => ({
    amount: 1500,
    currency: 'KES',
    description: 'Order 1',
    successUrl: 'https://merchant.example/paid',
    cancelUrl: 'https://merchant.example/cancelled',
    paymentMethods: ['CARD', 'MPESA_STK'],
    callbackUrl,
  }),
  subAccount: () => ({
    name: 'Westlands',
    email: 'westlands@merchant.example',
    phone: '254700000100',
    user: {
      userType: 'API_USER',
      firstName: 'Jane',
      lastName: 'Mwangi',
      username: 'jane.mwangi',
      password: 'a-long-first-password',
      roles: ['ADMIN'],
      email: 'jane.mwangi@merchant.example',
    },
  }),
}
