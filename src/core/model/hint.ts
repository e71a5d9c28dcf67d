/** Advice as data: an operation of the control plane with its parameters. Each door shows it in its own way. */

/** Operations that are named below `server/`, which holds this list against its declarations. */
export type HintedOperation =
  | 'callback.list'
  | 'callback.redeliver'
  | 'callback.resume'
  | 'clock.advance'
  | 'clock.settle'
  | 'fidelity.show'
  | 'float.fund'
  | 'organisation.change'
  | 'organisation.list'
  | 'participant.list'
  | 'payment.list'
  | 'payment.resolve'
  | 'requests.list'
  | 'run.start'
  | 'snapshot.list'
  | 'snapshot.save'
  | 'world.create'
  | 'world.delete'
  | 'world.list'
  | 'world.reset'

export interface Hint {
  operation: HintedOperation
  with: Readonly<Record<string, unknown>>
  /** A sentence in which `{}` stands for the operation: `Make it: {}`. */
  words: string
}

export function hintOf(words: string, operation: HintedOperation, parameters: Hint['with'] = {}): Hint {
  return { operation, with: parameters, words }
}

/** As it is sent. `text`: its sentence, as it stands in the text that it comes with. */
export interface ShownHint extends Omit<Hint, 'operation'> {
  operation: string
  text: string
}

export function hintSentence({ words }: Pick<Hint, 'words'>, shown: string): string {
  return words.replace('{}', () => shown)
}

/** A text with its hints in the way of another door. */
export function withHints<Shown extends ShownHint>(
  text: string,
  hints: readonly Shown[],
  show: (hint: Shown) => string,
): string {
  return hints.reduce((told, one) => told.replace(one.text, () => hintSentence(one, show(one))), text)
}
