/** Boxes whose text is a filter of a list. */
import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { IconSearch } from './icons.tsx'

/** Whoever types is not asked for each letter, in milliseconds. */
const PAUSE_MS = 300

interface TypedProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  change(text: string): void
}

/** Hands on what is typed once there is a pause, and follows when the filter changes by itself. */
export function Typed({ value, change, ...others }: TypedProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const tell = useDebouncedCallback((typed: string) => {
    told.current = typed.trim()
    change(told.current)
  }, PAUSE_MS)
  useEffect(() => {
    // What comes back is what was told, and perhaps more has been typed since.
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  return (
    <TextInput
      {...others}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        tell(event.currentTarget.value)
      }}
    />
  )
}

/** The search of a list. */
export function SearchBox(props: Pick<TypedProps, 'value' | 'change' | 'placeholder'>) {
  return (
    <Typed
      {...props}
      label="Search"
      leftSection={<IconSearch size={16} />}
      w={{ base: '100%', sm: 300 }}
      data-testid="search"
    />
  )
}
