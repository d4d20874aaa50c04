import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ownerFinder } from '../../../../src/cli/commands/serve/owner-finder.ts'
import { projectOf } from '../../../../src/cli/memory/project-of.ts'
import { keepPage, projectPage } from '../../../../src/store/memory-pages.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { LOCAL_OWNER } from '../../../../src/store/store.ts'
import { configFolders } from '../../../support/config-folders.ts'

it('MCP under pith serve offers the memory of a folder to the owner of the machine, and to nobody else', async () => {
  const folders = configFolders()
  const { workspace } = folders
  const data = join(folders.home, 'data')
  keepPage(projectPage(data, projectOf(workspace).key), 'a page')
  const models = { registry: new Map(), providers: {}, env: {} }
  const setup = { config: folders.load(), models, folders: { config: folders.home, data } }
  const store = await openStore(':memory:')
  onTestFinished(() => store.close())
  const memory = (owner: string, folder?: string) =>
    ownerFinder({
      setup,
      store,
      caller: { name: 'n', owner, access: 'write', isAdmin: false, token: 'hash', isKnown: () => true },
      workspace: folder,
    }).memory?.()
  expect(memory(LOCAL_OWNER, workspace)).toBe('a page')
  expect(memory('alice', workspace)).toBeUndefined()
  expect(memory(LOCAL_OWNER)).toBeUndefined()
  expect(memory(LOCAL_OWNER, join(workspace, 'gone'))).toBeUndefined()
})
