/** Finds anything, and does what the dashboard can do, by keyboard alone. */
import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { refusalIn } from '../api/client.ts'
import { StateBadge } from '../parts/formatted.tsx'
import { useActions } from './actions.ts'
import classes from './palette.module.css'
import type { PaletteEntry } from './palette-entry.ts'
import { useFindings } from './use-findings.ts'

/** Whoever types is not asked for each letter, in milliseconds. */
const PAUSE_MS = 150

interface PaletteProps {
  opened: boolean
  close(): void
  /** Told what came of an action, or why it was refused. */
  tell(what: string): void
}

/** A combobox over everything there is; what is chosen closes it. */
export default function Palette({ opened, close, tell }: PaletteProps) {
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size="lg"
      yOffset="12dvh"
      returnFocus={false}
      // There at once: the letters that follow Ctrl-K are for it, and not for what had the focus.
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Find anything" radius="md">
        <Modal.Body p={0}>
          <Finder close={close} tell={tell} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Finder({ close, tell }: Omit<PaletteProps, 'opened'>) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  // Before the trap of the modal does, which waits a moment.
  useLayoutEffect(() => box.current?.focus(), [])
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text, PAUSE_MS)
  const [at, setAt] = useState(0)
  const { setColorScheme } = useMantineColorScheme()
  const actions = useActions({ dark: useComputedColorScheme('light') === 'dark', set: setColorScheme }, (what) => {
    what.then(tell, (error: Error) => tell(refusalIn(error)?.details ?? error.message))
  })
  const { groups, waiting } = useFindings(searched, actions(searched))
  const all = groups.flatMap(({ findings }) => findings)
  const selected = Math.min(at, all.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  useEffect(() => {
    document.getElementById(`${id}-${selected}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, selected])

  // What was typed and not yet looked for is not what Enter means: then it waits for that.
  const [entered, setEntered] = useState(false)
  const settled = text === searched && !waiting
  const choose = (finding: PaletteEntry | undefined) => {
    if (!finding) return
    close()
    finding.choose()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && all.length > 0) {
      event.preventDefault()
      setAt((selected + step + all.length) % all.length)
    }
    if (event.key === 'Enter') setEntered(true)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen once, when it is known what
  useEffect(() => {
    if (!entered || !settled) return
    setEntered(false)
    choose(all[selected])
  }, [entered, settled])

  return (
    <>
      <input
        ref={box}
        className={classes['input']}
        role="combobox"
        aria-label="Find anything"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={all.length > 0 ? optionId(selected) : undefined}
        placeholder="Page, phone, reference, amount, receipt, id, scenario, world, action…"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
          setEntered(false)
        }}
        onKeyDown={press}
        data-testid="palette"
      />
      <div id={`${id}-list`} className={classes['list']} role="listbox" aria-label="What is found">
        {groups.map(({ title, findings }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={classes['title']} aria-hidden="true">
              {title}
            </div>
            {findings.map((finding) => {
              const index = all.indexOf(finding)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the box above, which keeps the focus
                <div
                  key={finding.key}
                  id={optionId(index)}
                  className={classes['option']}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === selected}
                  onMouseMove={() => setAt(index)}
                  onClick={() => choose(finding)}
                >
                  <span className={classes['label']}>{finding.label}</span>
                  <span className={classes['detail']}>{finding.detail}</span>
                  {finding.state && <StateBadge state={finding.state} />}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <div className={classes['foot']}>
        <span role="status" style={{ flex: 1 }}>
          {all.length === 0 && (settled ? 'Nothing is like that' : 'Looking…')}
        </span>
        <span>↑ ↓ choose</span>
        <span>Enter opens</span>
        <span>Esc closes</span>
      </div>
    </>
  )
}
