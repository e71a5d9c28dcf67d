/** A number with the word for what is counted. */

/** `1 rule`, `1,200 rules`; `many` where the word does not only take an s. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`
}
