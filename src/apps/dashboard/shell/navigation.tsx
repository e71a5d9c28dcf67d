/** Links to all pages, and what the server says about itself. */
import { NavLink, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useLocation } from 'wouter'
import { world, worldUrl } from '../api/client.ts'
import { Dim } from '../parts/dim.tsx'
import * as icons from '../parts/icons.tsx'

interface LinkedPage {
  path: string
  label: string
  icon: typeof icons.IconBell
  /** Other names for it. */
  also?: string
  begins?: string
}

const pages: readonly LinkedPage[] = [
  { path: '/', label: 'Overview', icon: icons.IconChartBar },
  { path: '/payments', label: 'Payments', icon: icons.IconArrowsExchange, begins: 'Activity' },
  { path: '/callbacks', label: 'Callbacks', also: 'webhooks', icon: icons.IconBell },
  { path: '/requests', label: 'Requests', also: 'logs', icon: icons.IconListDetails },
  { path: '/wallets', label: 'Wallets', also: 'balances', icon: icons.IconBook2 },
  { path: '/send', label: 'Send', also: 'test data', icon: icons.IconSend, begins: 'Act' },
  { path: '/handset', label: 'Handset', icon: icons.IconDeviceMobile },
  { path: '/inbox', label: 'Inbox', also: 'endpoints', icon: icons.IconInbox },
  { path: '/scenario', label: 'Scenario', also: 'rules', icon: icons.IconScript, begins: 'World' },
  { path: '/organisations', label: 'Organisations', also: 'keys', icon: icons.IconBuilding },
  { path: '/worlds', label: 'Worlds', also: 'sandboxes', icon: icons.IconWorld },
  { path: '/report', label: 'Report', also: 'reconciliation', icon: icons.IconReportAnalytics, begins: 'Judge' },
  { path: '/coverage', label: 'Coverage', icon: icons.IconChecklist },
]

export function Navigation() {
  const [location] = useLocation()
  const { data: server } = useQuery({ queryKey: ['health'], queryFn: () => world('GET', '/health') })
  return (
    <>
      {pages.map(({ path, label, also, icon: Icon, begins }) => {
        const here = path === '/' ? location === '/' : location.startsWith(path)
        return (
          <Fragment key={path}>
            {begins && (
              <Dim size="xs" fw={600} px="sm" pt="sm" pb={4}>
                {begins}
              </Dim>
            )}
            <NavLink
              href={`#${path}`}
              label={label}
              leftSection={<Icon size={18} stroke={1.6} />}
              rightSection={also && <Text size="xs">{also}</Text>}
              active={here}
              aria-current={here ? 'page' : undefined}
              py={6}
            />
          </Fragment>
        )
      })}
      <NavLink
        href={`${worldUrl}/docs`}
        label="Documentation"
        leftSection={<icons.IconFileText size={18} stroke={1.6} />}
        target="_blank"
      />
      {server?.guarded && (
        <form method="post" action={`${worldUrl}/_mfano/logout`}>
          <NavLink
            component="button"
            type="submit"
            label="Log out"
            leftSection={<icons.IconLogout size={18} stroke={1.6} />}
          />
        </form>
      )}
    </>
  )
}
