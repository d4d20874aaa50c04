import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AccessBook } from '../../../../src/server/access/access-book.ts'
import { openStore } from '../../../../src/store/open-store.ts'
import { pith } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'

describe('pith serve link', () => {
  it('knows a session by the first characters that pith sessions lists', async () => {
    const folders = configFolders()
    await pith(folders, ['serve', 'token', 'add', 'me', '--owner', 'local'])
    const { stdout } = await pith(folders, ['import', 'example'])
    const start = / as ([0-9a-f]{8})/.exec(stdout)?.[1] ?? 'none'
    expect(await pith(folders, ['serve', 'link', start])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('/#share='),
    })
    expect(await pith(folders, ['serve', 'link', 'ffffffff'])).toMatchObject({ code: 1 })
  })

  it('signs in with the token that may write, if none is an administrator', async () => {
    const folders = configFolders()
    await pith(folders, ['serve', 'token', 'add', 'looks', '--owner', 'local', '--read'])
    await pith(folders, ['serve', 'token', 'add', 'writes', '--owner', 'local'])
    await pith(folders, ['serve', 'token', 'remove', 'local'])
    const { stdout } = await pith(folders, ['serve', 'link'])
    const secret = /#link=(\S+)/.exec(stdout)?.[1] ?? 'none'
    const store = await openStore(join(dirname(folders.userFile), 'pith.db'))
    onTestFinished(() => store.close())
    const access = await AccessBook.open(store)
    expect(await access.takeGrant('link', secret)).toMatchObject({ name: 'writes', access: 'write' })
  })
})
