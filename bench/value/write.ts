/** Learns the weights of a record's lines from recorded sessions and writes them: node bench/value/write.ts FOLDER… */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WEIGHTS } from '../../src/engine/record/weights.ts'
import { learned } from './learn.ts'
import { materialOf } from './samples.ts'

const cuts = await materialOf(process.argv.slice(2), (line) => console.error(line))
const { kind, ...others } = learned(cuts)
// A kind that no session has is as likely as a line of the agent.
const kinds = Object.fromEntries(Object.keys(WEIGHTS.kind).map((name) => [name, kind[name] ?? kind.agent ?? 0]))
const text = `/** Learned from recorded sessions: \`npm run bench -- value\` measures them, \`node bench/value/write.ts FOLDER…\` writes this file. */
export const WEIGHTS = ${JSON.stringify({ kind: kinds, ...others }, null, 2)}
`
writeFileSync(join(import.meta.dirname, '../../src/engine/record/weights.ts'), text)
console.error(`${cuts.length} cuts, ${cuts.reduce((sum, { lines }) => sum + lines.length, 0)} lines`)
