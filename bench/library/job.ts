import { randomFrom } from '../../test/support/model-server/random.ts'
import { codeText, logText } from '../../test/support/model-server/sixty-steps/bulk-text.ts'

/** How many requests the agent makes. The last one is answered without a call. */
export const STEPS = 300

export const SYSTEM =
  'You are a coding agent. You work in a repository with the tools that you have, one step after the other.'

export const PROMPT =
  'Make every client of the queue wait longer after each failure. Read what you need, change one file after the other and run the tests after each change. Never touch the folder vendor. Write down the numbers that you come across.'

/** The tools of the job, as JSON Schema. */
export const TOOLS = [
  { name: 'read', description: 'Reads a file of the repository.', fields: ['path'] },
  { name: 'bash', description: 'Runs a command in the repository.', fields: ['command'] },
  { name: 'edit', description: 'Replaces a text in a file.', fields: ['path', 'old_text', 'new_text'] },
] as const

export type JobCall = { readonly name: string; readonly input: Readonly<Record<string, string>> }

/** The call of a step: an edit every twelfth time, a test run after it, and reads. */
export function callOf(step: number): JobCall {
  if (step % EDIT_EVERY === 0) {
    const old_text = `  return retry(job, ${step})`
    const new_text = `  return retryLater${step}(job, delayOf(job))\n}\n\n/** Waits longer after each failure. */\nexport function retryLater${step}(job: Job, delayMs: number): Promise<Result> {\n  return wait(delayMs * 2 ** job.failures).then(() => retry(job, ${step}))`
    return { name: 'edit', input: { path: editedPath(step), old_text, new_text } }
  }
  if (step % EDIT_EVERY === 1) return { name: 'bash', input: { command: `npm test -- --shard ${step}` } }
  return { name: 'read', input: { path: `src/${nameOf(step)}/part-${step}.ts` } }
}

/** The result of a call. It depends on nothing else, so every framework gets the same. */
export function resultOf({ name, input }: JobCall): string {
  if (name === 'edit') return `Edited ${input.path}: 1 replacement.`
  const step = Number(/(\d+)(\.ts)?$/.exec(input.path ?? input.command ?? '')?.[1] ?? 0)
  const random = randomFrom(step)
  const characters = 2_000 + Math.floor(random() * 3_000)
  if (name === 'bash') return `${logText(random, characters)}\nTests: 214 passed, 214 total`
  const text = codeText(random, characters)
  return step % FACT_EVERY === FACT_AT ? `${text}${factLine(step)}\n${codeText(random, 600)}` : text
}

const EDIT_EVERY = 12
const [FACT_EVERY, FACT_AT] = [6, 2]

/** Files that are edited are named nowhere else. */
function editedPath(step: number): string {
  return `src/clients/${nameOf(step)}-client-${step}.ts`
}

/** A number that only one file has. */
function factLine(step: number): string {
  return `// The ${nameOf(step)} queue of region ${step} holds at most ${factValue(step)} jobs.`
}

function factValue(step: number): string {
  return String(100_000 + Math.floor(randomFrom(step * 7_919)() * 900_000))
}

const NAMES = ['mailer', 'billing', 'search', 'upload', 'report', 'audit', 'export', 'notify']

function nameOf(step: number): string {
  return NAMES[step % NAMES.length] ?? ''
}

const stepsWhere = (holds: (step: number) => boolean) =>
  Array.from({ length: STEPS - 1 }, (_, i) => i + 1).filter(holds)

/** A thing that a text may show: `mark` is only in a text that shows it, `line` is how a summary puts it. */
export type Planted = { readonly mark: string; readonly line: string }

export const FACTS: readonly Planted[] = stepsWhere(
  (step) => callOf(step).name === 'read' && step % FACT_EVERY === FACT_AT,
).map((step) => ({ mark: factValue(step), line: factLine(step).replace('// ', '- ') }))

export const EDITS: readonly Planted[] = stepsWhere((step) => step % EDIT_EVERY === 0).map((step) => ({
  mark: editedPath(step),
  line: `- ${editedPath(step)} was changed: it calls retryLater.`,
}))

/** Those of which a text has the mark. */
export function shownIn(text: string, planted: readonly Planted[]): Planted[] {
  return planted.filter(({ mark }) => text.includes(mark))
}
