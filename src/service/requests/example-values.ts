/** What example requests have in common. A test sends every request to the real thing. */
export const EXAMPLE_REFERENCE = 'INV-2041'
export const EXAMPLE_UUID = '7d0c1c8e-3a54-4c0e-9f5b-2f1d1f4f8a10'
/** The organisation that every world starts with. */
export const EXAMPLE_COMPANY = '00000000-0000-4000-8000-000000000001'

/** Callbacks of examples go to the world's own inbox, so that they can be tried as they are. */
export function exampleCallbackUrl(baseUrl: string): string {
  return `${baseUrl}/_mfano/inbox/docs`
}
