/** Values that example requests share. A test sends every example. */
export const EXAMPLE_REFERENCE = 'INV-2041'
export const EXAMPLE_UUID = '7d0c1c8e-3a54-4c0e-9f5b-2f1d1f4f8a10'
export const EXAMPLE_COMPANY = '00000000-0000-4000-8000-000000000001'

/** The world's own inbox, so that examples work unchanged. */
export function exampleCallbackUrl(baseUrl: string): string {
  return `${baseUrl}/_mfano/inbox/docs`
}
