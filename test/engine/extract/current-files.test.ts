import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { currentFiles } from '../../../src/engine/extract/current-files.ts'
import { pathsOf } from '../../../src/engine/extract/files.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { ledgerOf } from '../../../src/engine/extract/ledger/ledger-of.ts'
import { mergeIndexes } from '../../../src/model/facts/log-index.ts'
import type { Index, Message } from '../../../src/model/types.ts'
import { full } from '../../support/full.ts'
import { call, result } from '../../support/messages.ts'

const edited = (path = '/repo/src/a.ts') => step('Edit', { file_path: path }, 'The file was updated.')
const ran = (command: string, output = '', exit = 0) =>
  step('exec_command', { cmd: command }, `Process exited with code ${exit}\nOutput:\n${output}`)

describe('a file that was modified', () => {
  it.each([
    ['rm src/a.ts', 'deleted'],
    ['rm -rf src', 'deleted'],
    ['cd src && rm -f a.ts', 'deleted'],
    ['git rm -f src/a.ts', 'deleted'],
    ['mv src/a.ts src/b.ts', 'deleted'],
    ['git mv src/a.ts src/b.ts', 'deleted'],
    ['git checkout -- src/a.ts', 'reverted'],
    ['git checkout src/a.ts', 'reverted'],
    ['git checkout HEAD -- src/a.ts', 'reverted'],
    ['git checkout -- .', 'reverted'],
    ['git restore src/a.ts', 'reverted'],
    ['git restore .', 'reverted'],
    ['git reset --hard', 'reverted'],
    ['git reset --hard HEAD', 'reverted'],
    ["git apply <<'E'\n--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\nE", 'deleted'],
  ])('is no longer modified after %s', (command, gone) => {
    const index = indexOf(...edited(), ...ran(command))
    expect(pathsOf(currentFiles(index), 'modified')).not.toContain('/repo/src/a.ts')
    expect(pathsOf(currentFiles(index), 'read')).not.toContain('/repo/src/a.ts')
    expect(currentFiles(index).find(({ path }) => path === '/repo/src/a.ts')).toMatchObject({ access: gone })
  })

  it.each([
    ['rm src/a.ts', 'rm: cannot remove: Permission denied', 1],
    ['git checkout -- src/a.ts', "error: pathspec 'src/a.ts' did not match any file(s) known to git", 1],
    ['git checkout main', '', 0],
    ['git checkout main -- src/a.ts', '', 0],
    ['git restore --staged src/a.ts', '', 0],
    ['git rm --cached src/a.ts', '', 0],
    ['git reset src/a.ts', '', 0],
    ['rm src/b.ts', '', 0],
    ['rm src/a', '', 0],
  ])('stays one after %s', (command, output, exit) => {
    const index = indexOf(...edited(), ...ran(command, output, exit))
    expect(pathsOf(currentFiles(index), 'modified')).toContain('/repo/src/a.ts')
  })

  it('is one again when it is written again', () => {
    for (const command of ['rm src/a.ts', 'git checkout -- .', 'rm -rf src']) {
      const index = indexOf(...edited(), ...ran(command), ...edited())
      expect(pathsOf(currentFiles(index), 'modified')).toEqual(['/repo/src/a.ts'])
    }
  })

  it('is listed under its new name after a move, also a move of its folder', () => {
    const one = indexOf(...edited('src/a.ts'), ...ran('mv src/a.ts src/b.ts'))
    expect(currentFiles(one).filter(({ access }) => access === 'modified')).toMatchObject([
      { path: 'src/b.ts', from: 'src/a.ts', moved: 3 },
    ])
    const all = indexOf(...edited('src/a.ts'), ...ran('git mv src lib'))
    expect(currentFiles(all).filter(({ path }) => path.includes('.'))).toMatchObject([
      { path: 'lib/a.ts', access: 'modified', from: 'src/a.ts' },
      { path: 'src/a.ts', access: 'deleted' },
    ])
  })

  it('was modified even if it was committed before it was set back', () => {
    const commit = ran('git commit -am x', '[main 1234abc] Say hello')
    const index = indexOf(...edited(), ...commit, ...edited(), ...ran('git checkout -- src/a.ts'))
    expect(index.commits).toEqual([{ seq: 4, hash: '1234abc', branch: 'main', subject: 'Say hello' }])
    expect(currentFiles(index)).toMatchObject([{ access: 'modified', first: 1, modified: 5, reverted: 7 }])
  })

  it('of whom an earlier version stored only that, is modified', () => {
    const files: Index['files'] = [{ path: 'a.ts', access: 'modified', seq: 3 }]
    expect(currentFiles(mergeIndexes([{ files }]))).toEqual(files)
  })
})

it('a file that was deleted, made again and deleted again is gone, and git brings it back', () => {
  const made = step('write', { path: 'lib/d.ts' }, 'Created lib/d.ts (3 lines).')
  const gone = [...ran('rm lib/d.ts'), ...made, ...ran('rm lib/d.ts')]
  expect(currentFiles(indexOf(...gone))).toMatchObject([{ path: 'lib/d.ts', access: 'deleted' }])
  const moved = indexOf(...gone, ...ran('git reset --hard'), ...ran('mv lib new'))
  expect(pathsOf(currentFiles(moved), 'modified')).toEqual(['new/d.ts'])
})

it('a file that was made and is gone again is not listed', () => {
  const index = indexOf(...step('write', { path: 'a.ts' }, 'Created a.ts (3 lines).'), ...ran('rm a.ts'))
  expect(index.files).toMatchObject([{ access: 'deleted', created: 1, deleted: 3 }])
  expect(ledgerOf(index).files).toEqual([])
})

describe('a failed command', () => {
  it.each([
    ['cat a.ts', 'cat: a.ts: No such file or directory', 1],
    ['cat a.ts; echo done', 'cat: a.ts: No such file or directory\ndone', 0],
    ['head -5 src/../a.ts', "head: cannot open 'a.ts' for reading: No such file or directory", 1],
    ['cat a.ts', '', 1],
  ])('has read no file: %s', (command, output, exit) => {
    expect(indexOf(...ran(command, output, exit)).files).toEqual([])
  })

  it.each([
    ['cat a.ts b.ts', 'x\ncat: b.ts: No such file or directory', 1],
    ['grep -n zzz a.ts', '', 1],
    ['cat a.ts && npm test', 'x\n1 failed', 1],
  ])('has read what it read: %s', (command, output, exit) => {
    expect(indexOf(...ran(command, output, exit)).files).toMatchObject([{ path: 'a.ts', access: 'read' }])
  })
})

describe('the files of a session', () => {
  it('are those that differ from what git has, whatever was done to them, and wherever it was compacted', () => {
    const op = fc.record({
      kind: fc.constantFrom(...KINDS),
      path: fc.constantFrom(...PATHS),
      to: fc.constantFrom(...PATHS, 'new/x.ts'),
    })
    const run = fc.property(fc.array(op, { minLength: 1, maxLength: 25 }), fc.nat(50), (ops, cut) => {
      const disk = new Disk()
      const messages = ops.flatMap((one) => disk.run(one))
      const items = viewOf(logOf(messages)).items.slice()
      const at = Math.min(items.length, cut - (cut % 2))
      const index = mergeIndexes([indexDelta(items.slice(0, at)), indexDelta(items.slice(at))])
      const modified = pathsOf(currentFiles(index), 'modified')
      expect(modified).toEqual(expect.arrayContaining(disk.changed()))
      for (const path of modified) expect(disk.has(path), `${path} is there`).toBe(true)
      for (const path of pathsOf(currentFiles(index), 'read')) expect(disk.has(path), path).toBe(true)
      const reverted = pathsOf(currentFiles(index), 'reverted').filter((path) => PATHS.includes(path))
      for (const path of reverted) expect(disk.files.get(path), path).toBe(0)
    })
    fc.assert(run, { numRuns: full ? 5_000 : 60 })
  })
})

const KINDS = ['write', 'edit', 'rm', 'git rm', 'mv', 'checkout', 'reset all', 'rm folder', 'mv folder', 'cat'] as const
const PATHS = ['a.ts', 'src/b.ts', 'src/c.ts', 'lib/d.ts', 'made.ts']
const TRACKED = PATHS.slice(0, 4)

/** A folder under git, all of its files at version 0, and an agent that works in it with tools and a shell. */
class Disk {
  readonly files = new Map(TRACKED.map((path) => [path, 0]))
  readonly #index = new Set(TRACKED)
  readonly #known = new Set<string>()
  #isMoved = false
  #version = 0

  /** The files that the agent knows and that differ from git. */
  changed(): string[] {
    return [...this.files].flatMap(([path, version]) => (version > 0 && this.#known.has(path) ? [path] : [])).sort()
  }

  has(path: string): boolean {
    return [...this.files.keys()].some((name) => name === path || name.startsWith(`${path}/`))
  }

  run({ kind, path, to }: { kind: (typeof KINDS)[number]; path: string; to: string }): Message[] {
    // Of each kind of change a fact has the last entry: nothing is written in a folder again that was moved away.
    if (this.#isMoved && [path, to].some((name) => name.startsWith('lib/'))) return []
    const exists = this.files.has(path)
    if (kind === 'write' || kind === 'edit') this.#known.add(path)
    switch (kind) {
      case 'write':
        this.files.set(path, ++this.#version)
        return step('write', { path }, exists ? `Replaced ${path} (1 lines).` : `Created ${path} (1 lines).`)
      case 'edit':
        if (!exists) return step('edit', { path }, 'ERROR:\nno such file')
        this.files.set(path, ++this.#version)
        return step('edit', { path }, 'ok')
      case 'cat':
        return exists ? ran(`cat ${path}`, 'x') : ran(`cat ${path}`, `cat: ${path}: No such file or directory`, 1)
      case 'rm':
        return this.files.delete(path)
          ? ran(`rm ${path}`)
          : ran(`rm ${path}`, `rm: cannot remove '${path}': No such file or directory`, 1)
      case 'git rm':
        if (!this.#index.has(path))
          return ran(`git rm -f ${path}`, `fatal: pathspec '${path}' did not match any files`, 128)
        this.#index.delete(path)
        this.files.delete(path)
        return ran(`git rm -f ${path}`, `rm '${path}'`)
      case 'mv':
        if (!exists || this.files.has(to) || TRACKED.includes(to)) return []
        this.files.set(to, ++this.#version)
        this.files.delete(path)
        this.#known.add(to)
        return ran(`mv ${path} ${to}`)
      case 'checkout':
        if (!this.#index.has(path))
          return ran(`git checkout -- ${path}`, `error: pathspec '${path}' did not match any file(s) known to git`, 1)
        this.files.set(path, 0)
        return ran(`git checkout -- ${path}`)
      case 'reset all':
        for (const tracked of TRACKED) {
          this.#index.add(tracked)
          this.files.set(tracked, 0)
        }
        return ran('git reset --hard')
      case 'rm folder':
        for (const name of [...this.files.keys()]) if (name.startsWith('src/')) this.files.delete(name)
        return ran('rm -rf src')
      case 'mv folder': {
        const inside = [...this.files.keys()].filter((name) => name.startsWith('lib/'))
        if (this.#isMoved || inside.length === 0 || [...this.files.keys()].some((name) => name.startsWith('new/')))
          return []
        this.#isMoved = true
        for (const name of inside) {
          this.files.delete(name)
          this.files.set(name.replace('lib/', 'new/'), ++this.#version)
          if (this.#known.has(name)) this.#known.add(name.replace('lib/', 'new/'))
        }
        return ran('mv lib new')
      }
    }
  }
}

let calls = 0
function step(toolName: string, input: unknown, output: string): Message[] {
  const id = `c${++calls}`
  return [call(id, toolName, input), result(id, output, toolName)]
}

function indexOf(...messages: readonly Message[]): Index {
  return mergeIndexes([indexDelta(viewOf(logOf(messages)).items.slice())])
}
