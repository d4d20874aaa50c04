import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ContentStore, contentFiles, draftFiles, filesIn } from '../../../src/agent/checkpoints/content-store.ts'

it('the files of kept contents, with size and time, and those that are only drafts', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pith-contents-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const contents = new ContentStore(join(root, 'kept'))
  expect(await contentFiles(contents)).toEqual([])
  expect(await draftFiles(contents)).toEqual([])
  const paths = ['ab12', 'ab34', 'cd56'].map((hash) => contents.pathOf(hash))
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'text')
    utimesSync(path, 5, 5)
  }
  const found = (await contentFiles(contents)).toSorted((a, b) => (a.file < b.file ? -1 : 1))
  expect(found).toEqual(paths.map((file) => ({ file, size: 4, at: 5_000 })))
  const draft = join(contents.folder, 'x.tmp')
  writeFileSync(draft, '')
  writeFileSync(join(contents.folder, 'x.other'), '')
  expect((await draftFiles(contents)).map(({ file }) => file)).toEqual([draft])
  // A file that goes while it is looked at is passed over.
  symlinkSync('nowhere', join(contents.folder, 'gone'))
  expect((await filesIn(contents.folder)).map(({ file }) => file)).not.toContain(join(contents.folder, 'gone'))
})
