// What is used here of the runtime's own means for tests; they are there with the flag `unsafe_module` alone.
declare module 'workerd:unsafe' {
  const unsafe: { abortAllDurableObjects(): Promise<void> }
  export default unsafe
}
