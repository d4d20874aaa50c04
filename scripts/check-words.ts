// Looks for words of our old dialect in everything that is written by hand: `npm run check:words [-- FILE OR FOLDER …]`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bannedWordsIn } from './words/words.ts'

const ROOT = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '--', ...process.argv.slice(2)], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|mts|mjs|md|sh|css|html|yaml|yml)$/.test(file) && existsSync(join(ROOT, file)))
let count = 0
for (const file of files) {
  for (const { line, word, instead } of bannedWordsIn(file, readFileSync(join(ROOT, file), 'utf8'))) {
    count++
    console.error(`${file}:${line}: "${word}": say ${instead}`)
  }
}
if (count > 0) {
  console.error(`${count} lines need plainer words: see "Plain English" in CONTRIBUTING.md`)
  process.exitCode = 1
}
