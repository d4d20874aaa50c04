// Writes what the code, the schemas and the committed results say into README and docs/: `npm run docs`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { openApiDocument } from '../src/contract/document.ts'
import { GENERATED_FILES } from './docs/generated-files.ts'
import { readmePage } from './docs/readme-page.ts'
import { COMPACT_EXAMPLE, type CompactedExample, DIFF_EXAMPLE } from './docs/session-block.ts'

const ROOT = join(import.meta.dirname, '..')
const DOCS = join(ROOT, 'docs')

// First the document, formatted as the rest of the repository is: the page of the API is made from it.
const document = join(DOCS, 'openapi.json')
writeFileSync(document, JSON.stringify(openApiDocument(manifest.version), null, 2))
const biome = spawnSync(join(ROOT, 'node_modules', '.bin', 'biome'), ['format', '--write', document], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
if (biome.status !== 0) throw biome.error ?? new Error('docs/openapi.json could not be formatted')
for (const [file, text] of Object.entries(GENERATED_FILES)) writeFileSync(join(DOCS, file), text())
writeFileSync(join(ROOT, 'README.md'), readmePage(compactedExample()))
console.log(
  `README.md, docs/openapi.json, ${Object.keys(GENERATED_FILES)
    .map((file) => `docs/${file}`)
    .join(', ')}`,
)

/** The bundled session, compacted by the program in a folder of its own. */
function compactedExample(): CompactedExample {
  const folder = mkdtempSync(join(tmpdir(), 'pith-readme-'))
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'src', 'cli', 'main.ts'), ...args], {
      cwd: folder,
      env: { ...process.env, PITH_HOME: folder, NO_COLOR: '1' },
      encoding: 'utf8',
    }).stdout
  try {
    return { record: run(...COMPACT_EXAMPLE), diff: run(...DIFF_EXAMPLE) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
