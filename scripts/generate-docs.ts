// Writes the pages of docs/ that the schemas say: `npm run docs`.
import { writeFileSync } from 'node:fs'
import { GENERATED_FILES } from './docs/generated-files.ts'

for (const [file, text] of Object.entries(GENERATED_FILES)) {
  writeFileSync(new URL(`../docs/${file}`, import.meta.url), text())
  console.log(`docs/${file}`)
}
