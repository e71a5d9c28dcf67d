/** Listens for the keys that work everywhere, and shows what they open; what that is made of is read when it is wanted. */
import { Box, Button, CloseButton, Group, Kbd, Paper, Text, VisuallyHidden } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { navigate } from '../api/address.ts'
import { IconSearch } from '../parts/icons.tsx'
import { goTo } from './go-to.ts'
import classes from './keyboard.module.css'

const readPalette = () => import('./palette.tsx')
const Palette = lazy(readPalette)
const Shortcuts = lazy(() => import('./shortcuts.tsx'))

/** How long a `g` waits for its second letter, in milliseconds. */
const SEQUENCE_MS = 1000

/** A button that leads to the palette, which opens by Ctrl-K too. */
export function Keyboard() {
  const [open, setOpen] = useState<'palette' | 'keys'>()
  // Read when it is first wanted.
  const [read, setRead] = useState({ palette: false, keys: false })
  const [told, setTold] = useState('')
  const beganAt = useRef(Number.NEGATIVE_INFINITY)
  const before = useRef<Element>(null)
  const show = (what: 'palette' | 'keys') => {
    before.current = document.activeElement
    setTold('')
    setRead((known) => ({ ...known, [what]: true }))
    setOpen(what)
  }
  const close = () => setOpen(undefined)
  // There before Ctrl-K is: letters that are typed while it is fetched would be lost.
  useEffect(() => void readPalette(), [])
  // A dialog that is open from its first moment on does not know where the focus was.
  useEffect(() => {
    if (open === undefined && before.current instanceof HTMLElement) before.current.focus()
  }, [open])
  useWindowEvent('keydown', (event) => {
    const { key, timeStamp } = event
    if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === 'k') {
      event.preventDefault()
      return open === 'palette' ? close() : show('palette')
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isWritten(event.target) || somethingIsOpen()) return
    if (key === '?') show('keys')
    if (key === '/') {
      event.preventDefault()
      document.querySelector<HTMLInputElement>('main [data-testid=search]')?.focus()
    }
    const place = timeStamp - beganAt.current < SEQUENCE_MS ? goTo[key] : undefined
    if (place) navigate(place.path)
    beganAt.current = key === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        c="dimmed"
        leftSection={<IconSearch size={14} />}
        onClick={() => show('palette')}
        aria-haspopup="dialog"
        data-testid="open-palette"
      >
        <Group gap="xs" wrap="nowrap" visibleFrom="sm">
          <Text span inherit fw={400}>
            Find anything
          </Text>
          <Kbd size="xs">Ctrl K</Kbd>
        </Group>
        <Box hiddenFrom="sm">
          <VisuallyHidden>Find anything</VisuallyHidden>
        </Box>
      </Button>
      <div role="status">
        {told && (
          <Paper withBorder shadow="md" className={classes['told']} data-testid="told">
            <span>{told}</span>
            <CloseButton size="sm" aria-label="Close" onClick={() => setTold('')} />
          </Paper>
        )}
      </div>
      <Suspense fallback={null}>
        {read.palette && <Palette opened={open === 'palette'} close={close} tell={setTold} />}
        {read.keys && <Shortcuts opened={open === 'keys'} close={close} />}
      </Suspense>
    </>
  )
}

function isWritten(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function somethingIsOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null
}
