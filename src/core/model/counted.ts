/** `1 rule`, `1,200 rules`. Pass `many` for an irregular plural. */

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`
}
