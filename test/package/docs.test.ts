import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksIn, docBlocks } from './doc-blocks.ts'
import { docFolder } from './doc-folder.ts'
import { ROOT } from './loaded-modules.ts'

const BLOCKS = docBlocks()

/** The compiler's errors in the blocks; the sources have a check of their own. */
function problemsOf(blocks: typeof BLOCKS): string[] {
  const folder = docFolder(blocks)
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  // Its state about the sources is kept for the next run: to check them all again takes three times the time.
  const known = ['--incremental', '--tsBuildInfoFile', join(ROOT, 'node_modules', '.cache', 'pith-docs.tsbuildinfo')]
  // Each of several threads would check what they share again: that takes half as much processor time again.
  const flags = ['--noEmit', '--pretty', 'false', '--singleThreaded']
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, ...known], { cwd: folder, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => /^[^\s/.][^/]*\.ts\(/.test(line))
}

/** How each program ends, by its name; one process runs them all, for most of its time goes into the start. */
function endsOf(blocks: typeof BLOCKS): Record<string, string> {
  const folder = docFolder(blocks)
  const names = blocks.map(({ name }) => name)
  writeFileSync(join(folder, 'all.mjs'), ALL)
  const env = { ...process.env, PITH_HOME: join(folder, 'home') }
  // Node 22 calls its SQLite experimental.
  const flags = ['--disable-warning=ExperimentalWarning', '--import', './hooks.mjs']
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, 'all.mjs', ...names], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
}

const ALL = `const ends = {}
for (const name of process.argv.slice(2)) {
  try {
    await import('./' + name + '.ts')
    ends[name] = 'well'
  } catch (error) {
    ends[name] = String(error)
  }
}
console.log('\\n' + JSON.stringify(ends))
`

describe('the programs in README and docs', () => {
  const wrong = [
    ...blocksIn("text\n```ts\nimport { fit } from 'pith'\nawait fit(messages, { widow: 1 })\n```\n", 'WRONG.md'),
    ...blocksIn("```ts\nthrow new Error('no')\n```\n", 'FAILING.md'),
  ]

  it('are there', () => {
    expect(BLOCKS.filter(({ name }) => name.startsWith('README')).length).toBeGreaterThan(0)
    expect(BLOCKS.some(({ runs }) => runs)).toBe(true)
  })

  it('have the types that they should, and one that has not is seen by its file and line', () => {
    expect(problemsOf([...BLOCKS, ...wrong])).toEqual([expect.stringMatching(/^WRONG-line-2\.ts\(2,.*widow/)])
  })

  it('run, those that need no other package, and one that fails is seen', () => {
    const running = BLOCKS.filter(({ runs }) => runs)
    const [, failing] = wrong
    const ends = endsOf(failing === undefined ? running : [...running, failing])
    expect(ends).toEqual({
      ...Object.fromEntries(running.map(({ name }) => [name, 'well'])),
      [failing?.name ?? '']: 'Error: no',
    })
  })

  it('runs what imports only Pith, and what says so', () => {
    const runs = (text: string) => blocksIn(text, 'A.md').map((block) => block.runs)
    expect(runs("```ts\nimport 'pith/engine'\n```\n")).toEqual([true])
    expect(runs("```ts\nimport 'ai'\n```\n")).toEqual([false])
    expect(runs("```ts run\nimport 'ai'\n```\n")).toEqual([true])
    expect(runs("```ts no-run\nimport 'pith'\n```\n")).toEqual([false])
  })
})
