/** Every business whose past can be made up. */
import type { Profile } from '../parts.ts'
import { payroll } from './payroll.ts'
import { savingsGroup } from './savings-group.ts'
import { shop } from './shop.ts'

export const profiles: readonly Profile[] = [payroll, shop, savingsGroup]
