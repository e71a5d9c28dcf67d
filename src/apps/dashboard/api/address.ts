/** The page's address behind `#`, with list filters behind `?`, so that Back keeps them and links can be shared. */
import { useCallback, useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { keysIn, recordFor } from '../../../core/model/must.ts'

const address = () => location.hash.replace(/^#?\/?/, '/')

function listen(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', `#${to}`)
  // Browsers report only changes that people make.
  dispatchEvent(new HashChangeEvent('hashchange'))
}

export const useHashAddress = Object.assign(
  (): [string, typeof navigate] => [useSyncExternalStore(listen, () => address().split('?', 1).join()), navigate],
  {
    hrefs: (href: string) => `#${href}`,
    searchHook: () => useSyncExternalStore(listen, () => address().split('?')[1] ?? ''),
  },
)

export function useFilters<Name extends string>(
  ...names: readonly Name[]
): [Record<Name, string>, (changes: { [name in Name]?: string | null }) => void] {
  const [params, setParams] = useSearchParams()
  const filters = recordFor(names, (name) => params.get(name) ?? '')
  const set = useCallback(
    (changes: { [name in Name]?: string | null }) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        // Back leads to the page before, and not through every typed letter.
        { replace: true },
      ),
    [setParams],
  )
  return [filters, set]
}

export function givenOf<Name extends string>(filters: Record<Name, string>): { [name in Name]?: string } {
  const given: Partial<Record<Name, string>> = {}
  for (const name of keysIn(filters)) if (filters[name] !== '') given[name] = filters[name]
  return given
}

export function ruleAddress(rule: string): string {
  return `/rules?name=${encodeURIComponent(rule)}`
}
