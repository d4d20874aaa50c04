import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksIn, docBlocks } from './doc-blocks.ts'
import { docFolder } from './doc-folder.ts'
import { ROOT } from './loaded-modules.ts'

const BLOCKS = docBlocks()

/** All programs load the same sources: what one has compiled serves the next. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/pith-docs')

/** What the compiler says of the blocks; the sources have a check of their own. */
function problemsOf(blocks: typeof BLOCKS): string[] {
  const folder = docFolder(blocks)
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => /^[^\s/.][^/]*\.ts\(/.test(line))
}

function runOf(block: (typeof BLOCKS)[number]) {
  const folder = docFolder([block])
  const env = { ...process.env, PITH_HOME: join(folder, 'home'), NODE_COMPILE_CACHE: COMPILED }
  return spawnSync(process.execPath, ['--import', './hooks.mjs', `${block.name}.ts`], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
}

describe('the programs in README and docs', () => {
  it('are there', () => {
    expect(BLOCKS.filter(({ name }) => name.startsWith('README')).length).toBeGreaterThan(0)
    expect(BLOCKS.some(({ runs }) => runs)).toBe(true)
  })

  it('have the types that they should', () => {
    expect(problemsOf(BLOCKS)).toEqual([])
  })

  it.each(BLOCKS.filter(({ runs }) => runs))('$name runs', (block) => {
    const { status, stderr } = runOf(block)
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })
})

describe('the check itself', () => {
  const wrong = blocksIn(
    "text\n```ts\nimport { fit } from 'pith'\nawait fit(messages, { widow: 1 })\n```\n",
    'WRONG.md',
  )

  it('sees a block that does not compile, by its file and line', () => {
    const [problem = ''] = problemsOf(wrong)
    expect(problem).toMatch(/^WRONG-line-2\.ts\(2,.*widow/)
  })

  it('sees a block that fails', () => {
    const [block] = blocksIn("```ts\nthrow new Error('no')\n```\n", 'WRONG.md')
    expect(block === undefined ? 0 : runOf(block).status).not.toBe(0)
  })

  it('runs what imports only Pith, and what says so', () => {
    const runs = (text: string) => blocksIn(text, 'A.md').map((block) => block.runs)
    expect(runs("```ts\nimport 'pith/engine'\n```\n")).toEqual([true])
    expect(runs("```ts\nimport 'ai'\n```\n")).toEqual([false])
    expect(runs("```ts run\nimport 'ai'\n```\n")).toEqual([true])
    expect(runs("```ts no-run\nimport 'pith'\n```\n")).toEqual([false])
  })
})
