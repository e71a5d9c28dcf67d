/** What the holder of a phone can do with a prompt; `ignore`: put the phone away until the prompt is gone. */
export const promptAnswers = ['approve', 'cancel', 'wrong-pin', 'ignore'] as const
export type PromptAnswer = (typeof promptAnswers)[number]
