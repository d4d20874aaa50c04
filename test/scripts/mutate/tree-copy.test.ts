import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copyTree, filesOfTree } from '../../../scripts/mutate/tree-copy.ts'

it('a copy has every file that git knows or may know, and the generated client that tests import', () => {
  const home = mkdtempSync(join(tmpdir(), 'pith-tree-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const [root, copy] = [join(home, 'root'), join(home, 'copy')]
  const files = ['src/committed.ts', 'src/new.ts', 'src/client/operations.ts', 'notes.tmp', 'node_modules/zod/index.js']
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
  writeFileSync(join(root, '.gitignore'), 'node_modules\n*.tmp\nsrc/client/operations.ts\n')
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root })
  git('init', '--quiet')
  git('add', 'src/committed.ts', '.gitignore')

  const known = filesOfTree(root)
  expect(known.toSorted()).toEqual(['.gitignore', 'src/committed.ts', 'src/new.ts'])
  copyTree(root, known, copy)
  const copied = files.filter((path) => existsSync(join(copy, path)))
  expect(copied).toEqual(files.filter((path) => path !== 'notes.tmp'))
})
