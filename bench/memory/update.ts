import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildMemory } from '../../src/cli/memory/build-memory.ts'
import { projectOf } from '../../src/cli/memory/project-of.ts'
import { loadSetup } from '../../src/cli/setup/setup.ts'
import { decode } from '../../src/formats/index.ts'
import type { Bench, BenchContext } from '../harness/bench.ts'
import { rounded } from '../retention/tables.ts'

/** Building a memory for the first time, and bringing it up to date after one session has changed. */
export const updating: Bench = {
  name: 'memory/update',
  what: 'A project of many copies of one recorded session: the memory is built, and then brought up to date after one of them changed.',
  run: async (context) => {
    const sample = largestSession(context.transcripts)
    if (sample === undefined)
      return { tables: [], notes: ['No recorded session of Claude Code: `--transcripts FOLDER`.'] }
    const sessions = context.quick ? 40 : 500
    const before = { HOME: process.env.HOME, PITH_HOME: process.env.PITH_HOME }
    Object.assign(process.env, { HOME: context.scratch, PITH_HOME: join(context.scratch, 'pith') })
    try {
      return { tables: [await measured(context, sample, sessions)] }
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  },
}

const MOST_BYTES = 2_000_000
const REPEATS = 5

/** The text of the largest session of a usual size. */
function largestSession(transcripts: readonly string[]): string | undefined {
  const paths = transcripts.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap((path) =>
      /claude-code[^/]*\.jsonl$/.test(path) ? [join(root, path)] : [],
    ),
  )
  const texts = paths.map((path) => readFileSync(path, 'utf8')).filter((text) => text.length <= MOST_BYTES)
  return texts.toSorted((a, b) => b.length - a.length)[0]
}

async function measured({ scratch, progress }: BenchContext, sample: string, sessions: number) {
  const repository = join(scratch, 'repository')
  const folder = join(scratch, '.claude/projects/-repository')
  mkdirSync(join(repository, '.git'), { recursive: true })
  mkdirSync(folder, { recursive: true })
  const [, own = ''] = /"sessionId":"([^"]+)"/.exec(sample) ?? []
  const [, workspace = ''] = /"cwd":"([^"]+)"/.exec(sample) ?? []
  const text = sample.replaceAll(workspace, repository)
  const idOf = (i: number) => `${i.toString(16).padStart(8, '0')}-1111-4111-8111-111111111111`
  for (let i = 0; i < sessions; i++) {
    const day = new Date(Date.UTC(2026, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)
    const copy = text.replaceAll(own, idOf(i)).replace(/(?<="timestamp":")\d{4}-\d\d-\d\d/g, day)
    writeFileSync(join(folder, `${idOf(i)}.jsonl`), copy)
  }
  const options = { signal: new AbortController().signal, progress: (done: number) => progress(`${done} sessions`) }
  const build = () => buildMemory(loadSetup({}), projectOf(repository), options)
  const first = await timed(build)
  const updates: number[] = []
  for (let i = 0; i < REPEATS; i++) {
    appendFileSync(join(folder, `${idOf(i)}.jsonl`), `${JSON.stringify({ type: 'summary', summary: `Change ${i}` })}\n`)
    updates.push(await timed(build))
  }
  const reads: number[] = []
  for (let i = 0; i < REPEATS; i++) reads.push(await timed(() => decode([text])))
  const [update, read] = [Math.min(...updates), Math.min(...reads)]
  return {
    title: `${sessions} sessions of ${rounded(text.length / 1e6)} MB`,
    columns: ['work', 'ms', 'as a multiple of reading one session'],
    rows: [
      ['read one session', Math.round(read), 1],
      ['build the memory', Math.round(first), rounded(first / read)],
      ['bring it up to date after one session changed', Math.round(update), rounded(update / read)],
    ],
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
