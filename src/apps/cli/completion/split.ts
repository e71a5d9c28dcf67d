/**
 * The words of a command line as a shell reads it, up to where the cursor is. The last one is under the cursor, and
 * empty behind a space. A quote that is still open goes to the end.
 */
export function splitLine(line: string): string[] {
  const words: string[] = []
  let word = ''
  let begun = false
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const sign = line.charAt(i)
    if (quote !== '' && sign === quote) quote = ''
    else if (sign === '\\' && quote !== "'") word += line.charAt(++i)
    else if (quote !== '') word += sign
    else if (/\s/.test(sign)) {
      if (begun) words.push(word)
      word = ''
      begun = false
      continue
    } else if (sign === '"' || sign === "'") quote = sign
    else word += sign
    begun = true
  }
  return [...words, word]
}
