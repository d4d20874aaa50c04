import type { Label } from './facts.ts'

export type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> }

/** One step: the facts that it needs, and the calls that it consists of once they are known. Doing it twice is harmless. */
export type Step = {
  readonly needs: readonly Label[]
  readonly calls: (fact: (label: Label) => string) => readonly Call[]
}

export const STEPS = 60

/** The steps that write what was learned long before. */
const RESULTS: Readonly<Record<number, readonly Label[]>> = {
  5: [],
  18: ['codeword-alpha'],
  25: ['error-mark'],
  30: ['codeword-alpha'],
  33: ['service-port'],
  45: ['buried-key'],
  50: ['deploy-token'],
  55: ['codeword-alpha', 'error-mark'],
  58: ['codeword-alpha', 'error-mark', 'manifest-path', 'service-port', 'deploy-token', 'buried-key'],
  60: ['deploy-token', 'manifest-path'],
}

/** The release procedure: what a step is made of. It mentions no value. */
export function stepOf(number: number): Step {
  const labels = RESULTS[number]
  if (labels !== undefined) return resultStep(number, labels)
  return (
    SPECIAL[number] ??
    (number % 2 === 0 ? plain(read(partPath(number))) : plain(run(number, `sh tools/test.sh ${number}`)))
  )
}

export function resultPath(number: number): string {
  return `out/result-${padded(number)}.txt`
}

export function partPath(number: number): string {
  return `src/part-${padded(number)}.ts`
}

/** Where values are found that no other step mentions. */
export const CODEWORD_FILE = 'docs/naming.md'
export const PORT_FILE = 'docs/network.md'
export const BURIED_FILE = 'docs/archive.md'
export const CONFIG_FILE = 'config/app.json'
export const PROGRESS_FILE = 'progress.md'

const PHASES = ['Learn the layout', 'Build', 'Collect values', 'Configure', 'Write results', 'Close'] as const

const SPECIAL: Readonly<Record<number, Step>> = {
  1: plain(todos(0)),
  2: plain({ name: 'ls', input: { path: 'src' } }),
  3: plain(read(CODEWORD_FILE)),
  8: plain(run(8, 'sh tools/build.sh')),
  10: plain(read(CONFIG_FILE)),
  12: plain(read(PORT_FILE)),
  14: plain(read(partPath(14)), read('src/part-14-b.ts')),
  // Far more than is ever shown: the middle is only in the log.
  20: plain(run(20, `cat ${BURIED_FILE}`)),
  21: plain(todos(2)),
  28: plain(read(partPath(28)), read('src/part-28-b.ts'), read('src/part-28-c.ts')),
  34: plain({ name: 'grep', input: { pattern: 'export function', path: 'src' } }),
  36: {
    needs: ['manifest-path'],
    calls: (fact) => [run(36, `cat ${shellWord(fact('manifest-path'))} > ${resultPath(36)}`)],
  },
  40: {
    needs: ['service-port'],
    calls: (fact) => [
      {
        name: 'edit',
        input: {
          path: CONFIG_FILE,
          edits: [{ oldText: '"port": "unset"', newText: `"port": "${fact('service-port')}"` }],
        },
      },
    ],
  },
  41: plain(todos(4)),
  48: plain({ name: 'find', input: { pattern: '*.md' } }),
}

function resultStep(number: number, labels: readonly Label[]): Step {
  return {
    needs: ['licence-tag', ...labels],
    calls: (fact) => [
      { name: 'write', input: { path: resultPath(number), content: resultText(fact, number, labels) } },
    ],
  }
}

/** Values only: a label beside them would make them easy to find again. */
export function resultText(fact: (label: Label) => string, number: number, labels = RESULTS[number] ?? []): string {
  return `${[fact('licence-tag'), `result of step ${number}`, ...labels.map(fact)].join('\n')}\n`
}

export const RESULT_STEPS: readonly number[] = Object.keys(RESULTS).map(Number)

function plain(...calls: readonly Call[]): Step {
  return { needs: [], calls: () => calls }
}

function read(path: string): Call {
  return { name: 'read', input: { path } }
}

/** A command notes its step first, so that the folder itself says how far the work is. */
function run(number: number, command: string): Call {
  return { name: 'bash', input: { command: `echo step ${number} >> ${PROGRESS_FILE}; ${command}` } }
}

function todos(done: number): Call {
  const status = (i: number) => (i < done ? 'done' : i === done ? 'in-progress' : 'pending')
  return { name: 'todo', input: { todos: PHASES.map((text, i) => ({ text, status: status(i) })) } }
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text}'`
}

function padded(number: number): string {
  return `${number}`.padStart(2, '0')
}
