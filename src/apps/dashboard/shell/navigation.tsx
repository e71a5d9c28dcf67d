/** Links to all pages, and the name of the process that answers, where several have names. */
function ProcessName() {
  const { data } = useQuery({ queryKey: ['health'], queryFn: () => world('GET', '/health') })
  if (!data?.process) return null
  return (
    <Text size="xs" c="dimmed" px="sm" py={4} data-testid="process">
      process {data.process}
    </Text>
  )
}

import { NavLink, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useLocation } from 'wouter'
import { world, worldUrl } from '../api/client.ts'
import {
  IconArrowsExchange,
  IconBell,
  IconBook2,
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconDeviceMobile,
  IconFileText,
  IconInbox,
  IconListDetails,
  IconLogout,
  IconReportAnalytics,
  IconReportMoney,
  IconScale,
  IconScript,
  IconSend,
  IconWorld,
} from '../parts/icons.tsx'

const pages: readonly { path: string; label: string; icon: typeof IconBell; begins?: string }[] = [
  { path: '/', label: 'Overview', icon: IconChartBar },
  { path: '/payments', label: 'Payments', icon: IconArrowsExchange, begins: 'Activity' },
  { path: '/callbacks', label: 'Callbacks', icon: IconBell },
  { path: '/requests', label: 'Requests', icon: IconListDetails },
  { path: '/wallets', label: 'Wallets and ledger', icon: IconBook2 },
  { path: '/send', label: 'Send', icon: IconSend, begins: 'Act' },
  { path: '/handset', label: 'Handset', icon: IconDeviceMobile },
  { path: '/inbox', label: 'Inbox', icon: IconInbox },
  { path: '/scenario', label: 'Scenario', icon: IconScript, begins: 'World' },
  { path: '/organisations', label: 'Organisations', icon: IconBuilding },
  { path: '/worlds', label: 'Worlds', icon: IconWorld },
  { path: '/books', label: 'Books', icon: IconReportMoney, begins: 'Judge' },
  { path: '/coverage', label: 'Coverage', icon: IconChecklist },
  { path: '/report', label: 'Report', icon: IconReportAnalytics },
  { path: '/assumptions', label: 'Assumptions', icon: IconScale },
]

function LogOut() {
  const { data } = useQuery({ queryKey: ['health'], queryFn: () => world('GET', '/health') })
  if (!data?.guarded) return null
  return (
    <form method="post" action={`${worldUrl}/_mfano/logout`}>
      <NavLink component="button" type="submit" label="Log out" leftSection={<IconLogout size={18} stroke={1.6} />} />
    </form>
  )
}

export function Navigation() {
  const [location] = useLocation()
  return (
    <>
      {pages.map(({ path, label, icon: Icon, begins }) => {
        const here = path === '/' ? location === '/' : location.startsWith(path)
        return (
          <Fragment key={path}>
            {begins && (
              <Text size="xs" c="dimmed" fw={600} px="sm" pt="sm" pb={4}>
                {begins}
              </Text>
            )}
            <NavLink
              href={`#${path}`}
              label={label}
              leftSection={<Icon size={18} stroke={1.6} />}
              active={here}
              aria-current={here ? 'page' : undefined}
              py={6}
            />
          </Fragment>
        )
      })}
      <NavLink
        href={`${worldUrl}/docs`}
        label="Contract"
        leftSection={<IconFileText size={18} stroke={1.6} />}
        target="_blank"
      />
      <ProcessName />
      <LogOut />
    </>
  )
}
