/** A sequence diagram as data: what went from whom to whom, in its order. */

export interface Sequence {
  lanes: readonly string[]
  steps: readonly SequencePart[]
}

export type SequencePart =
  | { from: string; to: string; text: string; sort?: 'answer' | 'lost' }
  /** A remark about some lanes; the first and the last are enough. */
  | { over: readonly string[]; text: string }

const arrows = { answer: '-->>', lost: '--x', none: '->>' } as const

/** https://mermaid.js.org/syntax/sequenceDiagram.html */
export function mermaidOf({ lanes, steps }: Sequence): string {
  return [
    'sequenceDiagram',
    ...lanes.map((lane) => `  participant ${lane}`),
    ...steps.map((step) =>
      'over' in step
        ? `  Note over ${[...new Set([step.over[0], step.over.at(-1)])].join(',')}: ${messageText(step.text)}`
        : `  ${step.from}${arrows[step.sort ?? 'none']}${step.to}: ${messageText(step.text)}`,
    ),
  ].join('\n')
}

/** The first steps of a long sequence. */
export function shortened(sequence: Sequence, stepsMax: number): Sequence {
  const { lanes, steps } = sequence
  const rest = steps.length - stepsMax
  if (rest <= 1) return sequence
  return { lanes, steps: [...steps.slice(0, stepsMax), { over: lanes, text: `and ${rest} steps more` }] }
}

/** Without characters that would end the message, or be read as something else. */
function messageText(text: string): string {
  return text.replaceAll(/[#;\s]+/g, ' ')
}
