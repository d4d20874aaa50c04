// Writes src/client/operations.ts from docs/openapi.json. `scripts/setup.mjs` runs it when one of its sources is newer.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientFile } from './docs/client-file.ts'

const file = join(import.meta.dirname, '..', 'src', 'client', 'operations.ts')
// Two commands may start at once: each sees a whole file.
const unfinished = `${file}.${process.pid}`
writeFileSync(unfinished, clientFile())
renameSync(unfinished, file)
