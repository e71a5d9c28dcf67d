/** The scenario of made-up pasts: nearly everything succeeds, in the time that it usually takes, and for a fee. */

/** Odds and delays are invented; that failures are few and reversals are rare is what payments teams report. */
export const ordinaryMonths = (wallets: { TZS: number; UGX: number }) => `
name: ordinary-months
description: Payments succeed in seconds or hours and cost a fee; a few fail, and a very few are taken back.
clock: { mode: frozen }
wallets: { KES: 0, TZS: ${wallets.TZS}, UGX: ${wallets.UGX} }

rails:
  fees:
    - { name: the fee of a bank payout, on: bank-payout, amount: 45 }

rules:
  - name: the network is busy
    on: [send-money, till, paybill]
    chance: 0.012
    then: { after: 1m..20m, end: FAILED }
  - name: the network takes a payout back
    on: [send-money, till, paybill]
    chance: 0.003
    then: { after: 4s, end: SUCCESS, revise: { after: 20h..50h, end: FAILED } }
  - name: the bank finds no such account
    on: bank-payout
    chance: 0.009
    then: { after: 1h..20h, end: FAILED }
  - name: the payer leaves the prompt unanswered
    on: stk
    chance: 0.07
    then: { after: 1m, end: FAILED, with: { responseCode: 1037, responseDescription: No response from user } }
  - name: the payer cancels
    on: stk
    chance: 0.04
    then: { after: 8s..40s, end: FAILED, with: { responseCode: 1032, responseDescription: Request cancelled by user } }
  - { name: phones are paid in seconds, on: [send-money, till, paybill], then: { after: 2s..40s, end: SUCCESS } }
  - { name: banks take their time, on: bank-payout, then: { after: 20m..6h, end: SUCCESS } }
  - { name: payers type their PIN, on: stk, then: { after: 7s..45s, end: SUCCESS } }
`
