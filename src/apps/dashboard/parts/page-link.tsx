/** A link to another page of the dashboard. */
import { Anchor, type AnchorProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

export function PageLink(props: AnchorProps & { href: string; children: ReactNode }) {
  return <Anchor component={Link} {...props} />
}
