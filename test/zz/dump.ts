import { controlContract } from '../../src/server/control/control-contract.ts'
import { controlOperations } from '../../src/server/control-operations.ts'
import { pathsOf } from '../../src/server/control/route.ts'
import { paymentsService } from '../../src/service/service.ts'
import { writeFileSync } from 'node:fs'
const doc = controlContract(controlOperations, paymentsService, { baseUrl: 'http://localhost:8080', version: 'test' })
writeFileSync('/tmp/f/new-contract.json', JSON.stringify(doc, null, 1))
writeFileSync('/tmp/f/new-routes.txt', controlOperations.flatMap(o => pathsOf(o).map(p => `${o.method} ${p}`)).join('\n'))
console.log(JSON.stringify(doc).length, Object.keys(doc.components.schemas).length)
