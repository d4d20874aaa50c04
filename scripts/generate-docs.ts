// Writes the pages of docs/ that the schemas say: `npm run docs`.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { openApiDocument } from '../src/contract/document.ts'
import { GENERATED_FILES } from './docs/generated-files.ts'

const DOCS = join(import.meta.dirname, '..', 'docs')

// First the document, formatted as the rest of the repository is: the page of the API is made from it.
const document = join(DOCS, 'openapi.json')
writeFileSync(document, JSON.stringify(openApiDocument(manifest.version), null, 2))
spawnSync('biome', ['format', '--write', document], { stdio: ['ignore', 'ignore', 'inherit'] })
for (const [file, text] of Object.entries(GENERATED_FILES)) writeFileSync(join(DOCS, file), text())
console.log(
  `docs/openapi.json, ${Object.keys(GENERATED_FILES)
    .map((file) => `docs/${file}`)
    .join(', ')}`,
)
