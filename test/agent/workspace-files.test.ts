import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { WorkspaceFiles } from '../../src/agent/workspace-files.ts'

function files(...paths: string[]): { workspace: string; found: WorkspaceFiles } {
  const workspace = mkdtempSync(join(tmpdir(), 'pith-files-'))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  for (const path of paths) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), '')
  }
  return { workspace, found: new WorkspaceFiles(workspace) }
}

it('files whose name begins with the letters come first, then those that have them, then folders', async () => {
  const { found } = files('view/other.ts', 'src/a-view.ts', 'src/deep/view.ts', 'View.ts', 'none.ts')
  expect(await found.find('view')).toEqual(['View.ts', 'src/deep/view.ts', 'src/a-view.ts', 'view/other.ts'])
  expect(await found.find('VIEW.T')).toEqual(['View.ts', 'src/deep/view.ts', 'src/a-view.ts'])
  expect(await found.find('nothing')).toEqual([])
})

it('at most twenty are found, and the list is read once for some seconds', async () => {
  const { workspace, found } = files(...Array.from({ length: 25 }, (_, i) => `file-${i}`))
  expect(await found.find('file')).toHaveLength(20)
  writeFileSync(join(workspace, 'late'), '')
  expect(await found.find('late')).toEqual([])
})

it('a folder that is not there has no files', async () => {
  expect(await new WorkspaceFiles('/no/such/folder').find('')).toEqual([])
})
