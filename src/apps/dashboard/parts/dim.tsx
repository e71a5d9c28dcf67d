/** A remark beside something, in small and dimmed letters. */
import { Text, type TextProps } from '@mantine/core'
import type { HTMLAttributes, ReactNode } from 'react'

export function Dim(props: TextProps & Pick<HTMLAttributes<HTMLElement>, 'children' | 'role' | 'title'>) {
  return <Text size="sm" c="dimmed" {...props} />
}

/** `Reference: order-7`. */
export function NamedValue({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <Text size="sm" className="break">
      <Dim span>{name}:</Dim> {children}
    </Text>
  )
}
