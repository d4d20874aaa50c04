import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { privateFolder } from '../../../src/agent/sandbox/private-folder.ts'

function dataFolder(...names: string[]): string {
  const data = mkdtempSync(join(tmpdir(), 'pith-private-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  for (const name of names) mkdirSync(join(data, 'sandbox', name, 'cache'), { recursive: true })
  return data
}

it('private caches of processes that were killed are removed, those of others stay', () => {
  const { pid: dead } = spawnSync('true')
  const data = dataFolder(`${dead}-a`, `${process.ppid}-b`)
  chmodSync(join(data, 'sandbox', `${dead}-a`, 'cache'), 0o555)
  expect(privateFolder(data, 'c')).toBe(join(data, 'sandbox', `${process.pid}-c`))
  expect(readdirSync(join(data, 'sandbox'))).toEqual([`${process.ppid}-b`])
})

it('private caches are removed when Pith ends', () => {
  const data = dataFolder()
  const file = join(import.meta.dirname, '../../../src/agent/sandbox/private-folder.ts')
  const code = `import { mkdirSync } from 'node:fs'
    import { privateFolder } from ${JSON.stringify(file)}
    for (const session of ['a', 'b']) mkdirSync(privateFolder(${JSON.stringify(data)}, session), { recursive: true })`
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })).toMatchObject({
    status: 0,
  })
  expect(existsSync(join(data, 'sandbox'))).toBe(true)
  expect(readdirSync(join(data, 'sandbox'))).toEqual([])
})
