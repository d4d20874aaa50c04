import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomFrom } from '../random.ts'
import { codeText, logText, proseText } from './bulk-text.ts'
import { type Facts, factsOf, planted } from './facts.ts'
import { BURIED_FILE, CODEWORD_FILE, CONFIG_FILE, PORT_FILE, partPath, STEPS } from './steps.ts'

const PART_CHARACTERS = 4_500
const LOG_CHARACTERS = 5_000
const BURIED_CHARACTERS = 9_000

/** The step whose test fails. */
const FAILING_STEP = 7

/** Lays out the workspace that the sixty steps are worked through in. */
export async function makeSixtyStepsWorkspace(folder: string, seed: number): Promise<void> {
  for (const [path, content] of Object.entries(filesOf(seed))) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

function filesOf(seed: number): Readonly<Record<string, string>> {
  const facts = factsOf(seed)
  const random = randomFrom(seed + 1)
  const numbers = Array.from({ length: STEPS }, (_, i) => i + 1)
  const parts = [...numbers.map(partPath), 'src/part-14-b.ts', 'src/part-28-b.ts', 'src/part-28-c.ts']
  return {
    'out/.keep': '',
    [CONFIG_FILE]: '{\n  "name": "relay",\n  "port": "unset",\n  "workers": 4\n}\n',
    [CODEWORD_FILE]: buried(proseText(random, PART_CHARACTERS), planted('codeword-alpha', facts)),
    [PORT_FILE]: buried(proseText(random, PART_CHARACTERS), planted('service-port', facts)),
    [BURIED_FILE]: buried(proseText(random, BURIED_CHARACTERS), planted('buried-key', facts)),
    'tools/test.sh': `cat logs/$1.log\ntest "$1" != ${FAILING_STEP}\n`,
    'tools/build.sh': buildScript(facts),
    'logs/build.log': buried(logText(random, LOG_CHARACTERS), planted('manifest-path', facts)),
    ...Object.fromEntries(parts.map((path) => [path, codeText(random, PART_CHARACTERS)])),
    ...Object.fromEntries(numbers.map((number) => [`logs/${number}.log`, logOf(number, random, facts)])),
  }
}

function buildScript(facts: Facts): string {
  const path = facts['manifest-path']
  return `mkdir -p ${dirname(path)}\necho ${manifestText(facts)} > ${path}\ncat logs/build.log\n`
}

/** The text of the manifest: to be copied from the path that is to be remembered. */
export function manifestText(facts: Facts): string {
  return `manifest-of-${facts['deploy-token'].slice(0, 6)}`
}

function logOf(number: number, random: () => number, facts: Facts): string {
  const log = logText(random, LOG_CHARACTERS)
  if (number === 15) return buried(log, `info  release  ${planted('deploy-token', facts)}`)
  if (number !== FAILING_STEP) return log
  return `${log}Error: pool underflow, ${planted('error-mark', facts)}\n    at drain (src/part-06.ts:41:11)\n`
}

/** The line in the middle of the text. */
function buried(text: string, line: string): string {
  const lines = text.split('\n')
  return lines.toSpliced(Math.floor(lines.length / 2), 0, line).join('\n')
}
