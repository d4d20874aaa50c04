// Makes dist/markets: what registries and markets of agents ask for, as one folder that is a marketplace by itself. Nothing here
// is published; docs/install.md says where each part goes.
//   npm run markets [-- --repository https://HOST/OWNER/pith]

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryAddress } from './repository-address.mjs'
import { registryName, writeMarkets } from './write-markets.mjs'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { repository: { type: 'string' } } })
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const repository = values.repository ?? repositoryAddress(manifest)
const folder = join(root, 'dist', 'markets')
await writeMarkets(folder, { ...manifest, repository })
console.log(`${folder} is complete`)
if (repository === undefined)
  console.log(
    'Its address is missing in server.json and in the entries of galleries: set `repository` in package.json, or name it with --repository.',
  )
else if (manifest.mcpName !== registryName(repository))
  console.log(
    `The MCP registry compares the npm package with server.json: npm pkg set mcpName=${registryName(repository)}`,
  )
