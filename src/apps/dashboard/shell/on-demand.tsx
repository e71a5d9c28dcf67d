/** Code of pages, apart from the first. React's `lazy` keeps what has come back for 300 ms behind its fallback. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { WaitingNote } from '../parts/notes.tsx'

const loads: (() => Promise<void>)[] = []

/** `meanwhile`: what is shown until the code has come. */
export function onDemand<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  meanwhile: (props: Props) => ReactNode = () => <WaitingNote />,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    Loaded ??= (await load()).default
  }
  loads.push(loadOnce)
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each page, when modules are evaluated
  return function OnDemand(props: Props) {
    const [, setLoaded] = useState(() => Loaded)
    useEffect(() => void loadOnce().then(() => setLoaded(() => Loaded)), [])
    return Loaded ? <Loaded {...props} /> : meanwhile(props)
  }
}

/** Once the first page is there, so that the others show at once. */
export function loadAhead(): void {
  for (const load of loads) void load()
}
