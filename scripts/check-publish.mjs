// `npm publish` runs this first. The package's pages link to the repository and its provenance names it, so nothing is
// published while nobody has said where it lives.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingAddress } from './repository-address.mjs'

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
const missing = missingAddress(manifest)
if (missing !== undefined) {
  console.error(`publish: ${missing}`)
  process.exitCode = 1
}
