/** Answers that the holder of a phone can give to a prompt. `ignore` leaves it until it expires. */
export const promptAnswers = ['approve', 'cancel', 'wrong-pin', 'ignore'] as const
export type PromptAnswer = (typeof promptAnswers)[number]
