/** Every business whose past can be made up. */
import { payroll } from './payroll.ts'
import type { Profile } from './profile.ts'
import { savingsGroup } from './savings-group.ts'
import { shop } from './shop.ts'

export const profiles: readonly Profile[] = [payroll, shop, savingsGroup]
