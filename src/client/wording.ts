/** How mfano words numbers and durations, for whoever shows its answers to people. */
export { counted } from '../model/counted.ts'
export { shortDuration, splitAtDurations } from '../model/short-duration.ts'
