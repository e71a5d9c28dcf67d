/** Who brought a moment of a payment about became a code, and so did what kept it from being done. */
export const momentDetail = `
UPDATE payment SET history = replace(
  replace(history, '"by":"plan, but the wallet no longer holds it"', '"by":"plan","detail":"wallet_exhausted"'),
  '"by":"plan, but the second time was refused: ', '"by":"plan","detail":"')
WHERE history LIKE '%"by":"plan, but %';
`
