/**
 * The findings of the search for secrets in recorded sessions, and its time: findings of each kind with samples to read, and
 * the milliseconds of a megabyte, also of texts that are made to be slow. `node bench/secrets/measure.ts [FOLDER…]`.
 */
import { resolve } from 'node:path'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { textsBelow } from './texts.ts'

const MEGABYTE = 1_000_000
const SAMPLES = 400
/** Each of these, repeated, makes one of the searches stop as often as possible. */
const SLOW = [
  'sk-',
  'password=',
  'password: ',
  '-----BEGIN ',
  'eyJ',
  '://a:b',
  'api_key: "',
  'ghp_a.',
  'x:y@',
  ' -p',
  ' --token ',
  'Cookie: a=',
  ' -u a:',
  'a=',
  'KEY_',
  'KEY=a1B',
  '"',
  '\\"key\\":',
  'A_B_C_',
  'password ',
  'login a password ',
  ':5432:',
  '$2a$',
  '$6$a$',
  'LS0tLS1CRUdJTi',
  'sha256~',
  '://a@',
]
const shared = resolve(import.meta.dirname, '../../../shared')
const folders = process.argv.length > 2 ? process.argv.slice(2) : [`${shared}/transcripts`, `${shared}/projects`]

const texts = [...new Set(folders.flatMap(textsBelow))]
const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / MEGABYTE
const found = texts.flatMap((text) => findSecrets(text).map((range) => ({ ...range, text })))
console.log(
  `${texts.length} texts, ${megabytes.toFixed(1)} MB: ${(found.length / megabytes).toFixed(2)} findings a megabyte`,
)
for (const [kind, all] of Map.groupBy(found, ({ kind }) => kind)) {
  const lines = Map.groupBy(all, ({ text, from, to }) => sampleOf(text, from, to))
  console.log(`\n${kind}: ${all.length} (${(all.length / megabytes).toFixed(2)} a megabyte), ${lines.size} different`)
  for (const [line, same] of [...lines].slice(0, SAMPLES)) console.log(`  ${String(same.length).padStart(4)} × ${line}`)
}

const real = timeOf(() => texts.forEach(findSecrets)) / megabytes
console.log(`\n${real.toFixed(2)} ms a megabyte of recorded text`)
for (const piece of SLOW) {
  const [small = 0, large = 0] = [1, 4].map((size) => {
    const text = piece.repeat((size * MEGABYTE) / 4 / piece.length)
    return (timeOf(() => findSecrets(text)) / size) * 4
  })
  const ratio = (large / small).toFixed(2)
  console.log(
    `${large.toFixed(1).padStart(8)} ms a megabyte of ${JSON.stringify(piece)}, ${ratio} × that of a quarter of it`,
  )
}

/** The milliseconds of the processor for one of ten runs. Time on the clock would be that of other programs, too. */
function timeOf(work: () => unknown): number {
  work()
  const start = process.threadCpuUsage()
  for (let run = 0; run < 10; run++) work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 10_000
}

function sampleOf(text: string, from: number, to: number): string {
  const part = `${text.slice(Math.max(0, from - 50), from)}⟦${text.slice(from, Math.min(to, from + 80))}⟧${text.slice(to, to + 15)}`
  return JSON.stringify(part)
}
