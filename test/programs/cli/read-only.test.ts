import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, inject, it, onTestFinished, type TestContext } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { type Ended, pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'
import { full } from '../../support/full.ts'
import { result } from '../../support/messages.ts'

const MAIN = inject('program')
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** A user with a compacted session, in a data folder that is then read-only. Root may write everywhere, so that another user reads. */
async function readOnlyFolder(context: TestContext) {
  const folders = configFolders()
  await pith(folders, ['serve', 'token', 'add', 'ci'])
  const { id } = JSON.parse((await pith(folders, ['import', 'example', '--json'])).stdout)
  await pith(folders, ['compact', id, '--offline'])
  const data = folders.env.PITH_HOME ?? ''
  const store = await openStore(join(data, 'pith.db'))
  // Opening the session to continue it repairs this: the result has no call.
  await store.append(id, [{ type: 'message', message: result('gone') }])
  await store.close()
  for (const file of readdirSync(data)) chmodSync(join(data, file), 0o444)
  for (const folder of [data, dirname(data), folders.home, folders.workspace]) chmodSync(folder, 0o555)
  onTestFinished(() => {
    for (const folder of [data, dirname(data), folders.home, folders.workspace]) chmodSync(folder, 0o755)
  })
  const run = (...args: string[]) => asReader(folders, args)
  if (run('--version').code !== 0) context.skip('nobody but root may read the program')
  return { id, run }
}

function asReader({ workspace, home, env }: ConfigFolders, args: readonly string[]): Ended {
  const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: workspace,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    encoding: 'utf8',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  return { stdout, stderr, code: status }
}

describe('a data folder that may not be written', () => {
  it('is read by every command that only reads', async (context) => {
    const { id, run } = await readOnlyFolder(context)
    const start = id.slice(0, 8)
    const others = [
      [['replay', start], 'default'],
      [['export', start], '"compaction"'],
      [['diff', start], '+'],
    ] as const
    for (const [args, said] of [
      [['sessions'], start],
      [['inspect', start], '1 compaction'],
      [['recall', 'socket hang up'], start],
      [['store', 'check'], 'no damage'],
      [['gateway', 'status'], 'No gateway is running'],
      // They open a session as `inspect` does.
      ...(full ? others : []),
    ] as const) {
      expect({ args, ...run(...args) }).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(said) })
    }
  })

  it('is refused in one line by a command that writes', async (context) => {
    const { id, run } = await readOnlyFolder(context)
    const others = [
      ['import', 'example'],
      ['wrap', '--print', 'claude'],
    ]
    for (const args of [['compact', id, '--offline'], ['serve', 'token', 'list'], ...(full ? others : [])]) {
      const { code, stderr } = run(...args)
      expect({ args, code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^pith: .*pith\.db cannot be written .*\n$/),
      })
    }
  })
})
